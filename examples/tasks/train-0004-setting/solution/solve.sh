#!/bin/sh
cd /workspace || exit 1
sed -i 's|blue|white|' game.py
