import sys

sys.path.insert(0, "/workspace")

from farm import allowed

for value in range(40):
    assert allowed(value) == (value <= 6), value

print("all assertions hold")
