def state():
    return 'blue'
