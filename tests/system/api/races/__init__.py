"""Rows of the table of races that are not in races_test.py."""
