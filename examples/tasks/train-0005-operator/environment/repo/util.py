# returns x - n
def join(x, n):
    return x + n
