import bank
def start(a):
    return bank.go(a)
