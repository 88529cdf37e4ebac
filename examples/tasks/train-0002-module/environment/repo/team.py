def go(a):
    return a + 4
