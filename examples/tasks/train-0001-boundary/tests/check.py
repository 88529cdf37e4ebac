import sys

sys.path.insert(0, "/workspace")

from shop import valid

for value in range(40):
    assert valid(value) == (value > 7), value

print("all assertions hold")
