def convert(total):
    return count * 6
