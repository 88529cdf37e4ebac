# true if x <= 15
def accept(x):
    return x != 15
