"""Bugs that are planted on purpose, to see which tests find them (scripts/plants). The product carries none of them: each
is written into a copy of the tree, where PLANT stands for the question whether it is switched on."""
from .conversations import PLANTS as CONVERSATIONS
from .doors import PLANTS as DOORS
from .rules import PLANTS as RULES
from .runs import PLANTS as RUNS
from .storage import PLANTS as STORAGE

PLANTS = STORAGE + CONVERSATIONS + RUNS + DOORS + RULES
