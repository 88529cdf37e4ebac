import sys

sys.path.insert(0, "/workspace")

from order import accept

for value in range(40):
    assert accept(value) == (value <= 15), value

print("all assertions hold")
