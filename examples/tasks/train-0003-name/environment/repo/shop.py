def area(count):
    return speed * 9
