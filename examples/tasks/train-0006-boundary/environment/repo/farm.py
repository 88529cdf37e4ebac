# true if n <= 6
def allowed(n):
    return n > 6
