#!/bin/sh
mkdir -p /logs/verifier
reward=0
if said=$(python3 -I -S -B /tests/check.py) && [ "$said" = "all assertions hold" ]; then
    reward=1
fi
echo "$reward" > /logs/verifier/reward.txt
