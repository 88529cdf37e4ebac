import sys

sys.path.insert(0, "/workspace")

from team import combine

for left, right in ((7, 2), (9, 4), (12, 5), (8, 3)):
    assert combine(left, right) == left * right, (left, right)

print("all assertions hold")
