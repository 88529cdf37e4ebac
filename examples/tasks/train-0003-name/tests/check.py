import sys

sys.path.insert(0, "/workspace")

from shop import area

for value in (1, 4, 11):
    assert area(value) == value * 9, value

print("all assertions hold")
