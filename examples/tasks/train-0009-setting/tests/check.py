import sys

sys.path.insert(0, "/workspace")

from core import kind

assert kind() == "plain", kind()

print("all assertions hold")
