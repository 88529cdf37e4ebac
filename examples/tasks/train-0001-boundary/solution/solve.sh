#!/bin/sh
cd /workspace || exit 1
sed -i 's| == | > |' shop.py
