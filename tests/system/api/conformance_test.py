#!/usr/bin/env python3
"""Runs every test of conformance/ against one server."""
from conformance.access import *  # noqa: F401,F403
from conformance.actions import *  # noqa: F401,F403
from conformance.assertions import *  # noqa: F401,F403
from conformance.bodies import *  # noqa: F401,F403
from conformance.carried import *  # noqa: F401,F403
from conformance.claims import *  # noqa: F401,F403
from conformance.comparison import *  # noqa: F401,F403
from conformance.conversation import *  # noqa: F401,F403
from conformance.dashboard import *  # noqa: F401,F403
from conformance.ends import *  # noqa: F401,F403
from conformance.events import *  # noqa: F401,F403
from conformance.false_green import *  # noqa: F401,F403
from conformance.limits import *  # noqa: F401,F403
from conformance.idempotency import *  # noqa: F401,F403
from conformance.forms import *  # noqa: F401,F403
from conformance.lists import *  # noqa: F401,F403
from conformance.outcomes import *  # noqa: F401,F403
from conformance.log_batches import *  # noqa: F401,F403
from conformance.records import *  # noqa: F401,F403
from conformance.replays import *  # noqa: F401,F403
from conformance.rescoring import *  # noqa: F401,F403
from conformance.resources import *  # noqa: F401,F403
from conformance.results import *  # noqa: F401,F403
from conformance.retries import *  # noqa: F401,F403
from conformance.reviews import *  # noqa: F401,F403
from conformance.rules import *  # noqa: F401,F403
from conformance.run_life import *  # noqa: F401,F403
from conformance.run_story import *  # noqa: F401,F403
from conformance.runs import *  # noqa: F401,F403
from conformance.schedules import *  # noqa: F401,F403
from conformance.script import *  # noqa: F401,F403
from conformance.sessions import *  # noqa: F401,F403
from conformance.turns import *  # noqa: F401,F403
from support import cases

if __name__ == "__main__":
    cases.main()
