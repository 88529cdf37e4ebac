#!/bin/sh
cd /workspace || exit 1
sed -i 's|speed|count|' shop.py
