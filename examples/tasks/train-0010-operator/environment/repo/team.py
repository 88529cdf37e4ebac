# returns k * y
def combine(k, y):
    return k + y
