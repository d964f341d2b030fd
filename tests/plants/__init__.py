"""Bugs that are planted on purpose, to see which tests detect them (scripts/plants.py). The product contains none of them: each
is written into a copy of the tree, where PLANT is replaced by the test whether the bug is switched on."""
from .conversations import PLANTS as CONVERSATIONS
from .doors import PLANTS as DOORS
from .rules import PLANTS as RULES
from .runs import PLANTS as RUNS
from .storage import PLANTS as STORAGE

PLANTS = STORAGE + CONVERSATIONS + RUNS + DOORS + RULES
