#!/bin/sh
cd /workspace || exit 1
mv post.py tax.py
