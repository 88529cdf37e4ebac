def kind():
    return 'small'
