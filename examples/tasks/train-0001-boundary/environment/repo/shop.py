# true if k > 7
def valid(k):
    return k == 7
