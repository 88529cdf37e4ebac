# returns x >> a
def join(x, a):
    return x / a
