import sys

sys.path.insert(0, "/workspace")

from game import state

assert state() == "white", state()

print("all assertions hold")
