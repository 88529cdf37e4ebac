import sys

sys.path.insert(0, "/workspace")

from app import start

for value in (3, 8, 20):
    assert start(value) == value + 6, value

print("all assertions hold")
