#!/bin/sh
cd /workspace || exit 1
mv team.py bank.py
