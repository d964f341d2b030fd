#!/usr/bin/env python3
"""PostgreSQL dies, and its synchronous standby is promoted: no acknowledged write is lost.

    standby_test.py        two promotions; PARLEY_PROMOTIONS=100: another number"""
import os
import statistics
import time
import unittest

from support.nemesis import KeyedWriter, PlainWriter, Register, check_outcome
from support.nodes import Cluster, Node
from support.postgres import Postgres

PROMOTIONS = int(os.environ.get("PARLEY_PROMOTIONS", "2"))


class PairOfServers(Cluster):
    """Nodes with two addresses of PostgreSQL. A promoted standby gets a new standby at the address of the dead primary."""

    def __init__(self):   # pylint: disable=super-init-not-called
        self.postgres = Postgres("wal_level = replica")
        self.standby = Postgres(standby_of=self.postgres)
        ports = f"{self.postgres.host}:{self.postgres.port},{self.standby.host}:{self.standby.port}"
        self.nodes = [Node(f"postgresql://parley@{ports}/parley?target_session_attrs=read-write") for _ in range(3)]

    def fail_over(self):
        """Kills the primary and promotes its standby; returns the dead primary."""
        dead = self.postgres
        dead.stop("immediate")
        self.standby.promote()
        self.postgres, self.standby = self.standby, None
        self.postgres.sql("ALTER SYSTEM RESET synchronous_standby_names")
        self.postgres.sql("SELECT pg_reload_conf()")
        return dead

    def replace(self, dead):
        port = dead.port
        dead.remove()
        self.standby = Postgres(standby_of=self.postgres, port=port)

    def remove(self):
        super().remove()
        if self.standby is not None:
            self.standby.remove()


class Promotion(unittest.TestCase):
    def setUp(self):
        self.cluster = PairOfServers()
        self.addCleanup(self.cluster.remove)
        self.cluster.start()

    def writes_again(self, begun):
        """The seconds from `begun` to the next acknowledged write."""
        while time.monotonic() < begun + 20:
            answer = self.cluster.nodes[0].call("POST", "/folders", {"name": f"after {time.monotonic_ns()}"})
            if answer.status == 201:
                return time.monotonic() - begun
        raise RuntimeError(f"no write for 20 s: {answer}")

    def test_a_promoted_standby_has_what_was_acknowledged(self):
        clients = [PlainWriter(self.cluster), KeyedWriter(self.cluster, "keyed"), Register(self.cluster)]
        for client in clients:
            client.start()
        gaps = []
        for _ in range(PROMOTIONS):
            time.sleep(1)
            begun = time.monotonic()
            dead = self.cluster.fail_over()
            gaps.append(self.writes_again(begun))
            self.cluster.settle(20)
            self.cluster.replace(dead)
        time.sleep(1)
        check_outcome(self, self.cluster, clients)
        print(f"{PROMOTIONS} promotions; writes again after {statistics.median(gaps):.2f} s (median), {max(gaps):.2f} s (longest); "
              f"{len(clients[0].acknowledged)} + {len(clients[1].acknowledged)} acknowledged, {len(clients[0].doubtful)} doubtful")


if __name__ == "__main__":
    unittest.main()
