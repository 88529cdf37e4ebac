import sys

sys.path.insert(0, "/workspace")

from core import convert

for value in (1, 4, 11):
    assert convert(value) == value * 6, value

print("all assertions hold")
