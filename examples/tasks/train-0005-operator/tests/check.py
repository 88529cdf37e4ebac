import sys

sys.path.insert(0, "/workspace")

from util import join

for left, right in ((7, 2), (9, 4), (12, 5), (8, 3)):
    assert join(left, right) == left - right, (left, right)

print("all assertions hold")
