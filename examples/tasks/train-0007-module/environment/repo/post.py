def go(b):
    return b + 6
