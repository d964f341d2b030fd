"""Rows of the race matrix that races_test.py does not hold itself."""
