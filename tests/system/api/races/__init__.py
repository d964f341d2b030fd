"""Rows of the table of races that races_test.py does not hold itself."""
