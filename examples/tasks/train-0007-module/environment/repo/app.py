import tax
def start(b):
    return tax.go(b)
