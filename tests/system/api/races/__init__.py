"""The rows of the race table that are not in races_test.py."""
