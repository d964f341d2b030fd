#!/usr/bin/env python3
"""Three nodes and PostgreSQL on separate hosts that lose packets between them. Needs root; skipped without it.

    partitions_test.py     each cut once; PARLEY_CUTS=40: 40 more random cuts; PARLEY_SEED: their order"""
import os
import random
import statistics
import time
import unittest

from support.lan import Lan
from support.nemesis import KeyedWriter, PlainWriter, Register, check_outcome
from support.nodes import Cluster, Node
from support.postgres import Postgres

CUTS = int(os.environ.get("PARLEY_CUTS", "0"))
SEED = int(os.environ.get("PARLEY_SEED", str(random.randrange(1 << 30))))
NODES = ("n1", "n2", "n3")


class PartedCluster(Cluster):
    def __init__(self, lan):   # pylint: disable=super-init-not-called
        self.postgres = Postgres(host=lan.address("pg"), within=lan.within("pg"))
        self.nodes = [Node(self.postgres.url, host=lan.address(name), within=lan.within(name)) for name in NODES]


class Partitions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lan = Lan("pg", *NODES)
        cls.addClassCleanup(cls.lan.remove)
        cls.cluster = PartedCluster(cls.lan)
        cls.addClassCleanup(cls.cluster.remove)
        cls.cluster.start()

    def setUp(self):
        self.lan.heal()
        self.cluster.settle(20)
        self.clients = [PlainWriter(self.cluster, f"plain-{self.id()}"), KeyedWriter(self.cluster, f"keyed-{self.id()}"),
                        Register(self.cluster, f"register-{self.id()}")]
        for client in self.clients:
            self.addCleanup(client.is_over.set)
            client.start()
        self.cluster.until(lambda: all(client.acknowledged for client in self.clients[:2]), "both writers write", 10)

    def host(self, node):
        return NODES[self.cluster.nodes.index(node)]

    def end(self):
        self.lan.heal()
        self.cluster.settle(20)
        check_outcome(self, self.cluster, self.clients)

    def check_another_leads(self, leader):
        others = [node for node in self.cluster.nodes if node is not leader]
        begun = time.monotonic()
        self.cluster.until(lambda: self.cluster.leader(others) is not None, "another node leads", 6)
        made = others[0].call("POST", "/folders", {"name": f"in {self.id()} {begun}"})
        self.assertEqual(made.status, 201, made)
        self.assertLess(time.monotonic() - begun, 5.5)

    def test_a_leader_that_is_cut_off_from_postgresql_is_replaced(self):
        leader = self.cluster.leader()
        self.lan.part([self.host(leader)], ["pg"])
        self.check_another_leads(leader)
        self.cluster.until(lambda: leader.role() == "follower", "the old leader follows", 6)
        refused = leader.call("POST", "/folders", {"name": "it does not know its successor"})
        self.assertEqual((refused.status, refused.json()["type"]), (503, "/problems/no-leader"), refused)
        self.end()

    def test_a_leader_whose_messages_are_lost_is_replaced(self):
        leader = self.cluster.leader()
        self.lan.cut(self.host(leader), "pg")
        self.check_another_leads(leader)
        self.end()

    def test_a_leader_that_receives_nothing_is_replaced(self):
        leader = self.cluster.leader()
        self.lan.cut("pg", self.host(leader))
        self.check_another_leads(leader)
        self.end()

    def test_a_leader_that_is_cut_off_from_all_is_replaced(self):
        leader = self.cluster.leader()
        others = [self.host(node) for node in self.cluster.nodes if node is not leader]
        self.lan.part([self.host(leader)], ["pg", *others])
        self.check_another_leads(leader)
        refused = leader.call("POST", "/folders", {"name": "at the lonely node"})
        self.assertEqual((refused.status, refused.json()["type"]), (503, "/problems/no-leader"), refused)
        read = leader.call("GET", "/folders?limit=1")
        self.assertTrue(read.status == 503 or "parley-stale-ms" in read.headers, read)
        self.end()

    def test_a_leader_that_the_others_do_not_reach_stays_leader(self):
        leader = self.cluster.leader()
        followers = [node for node in self.cluster.nodes if node is not leader]
        self.lan.part([self.host(leader)], [self.host(node) for node in followers])
        time.sleep(4)
        self.assertIs(self.cluster.leader(), leader)
        self.assertEqual(leader.call("POST", "/folders", {"name": "at the leader"}).status, 201)
        begun = time.monotonic()
        refused = followers[0].call("POST", "/folders", {"name": "not passed on"})
        self.assertEqual(refused.status, 503, refused)
        self.assertLess(time.monotonic() - begun, 20)
        read = followers[0].call("GET", "/folders?limit=1")
        self.assertTrue(read.status == 503 or "parley-stale-ms" in read.headers, read)
        self.end()

    def test_a_follower_that_is_cut_off_from_postgresql_passes_writes_on(self):
        leader, node = self.cluster.leader(), self.cluster.followers()[0]
        self.lan.part([self.host(node)], ["pg"])
        time.sleep(1)
        self.assertEqual(node.call("POST", "/folders", {"name": "passed on"}).status, 201)
        self.assertIs(self.cluster.leader(), leader)
        self.end()

    def test_a_node_that_is_cut_off_from_postgresql_can_be_stopped(self):
        for node in (self.cluster.leader(), self.cluster.followers()[0]):
            self.lan.part([self.host(node)], ["pg"])
            time.sleep(1)
            begun = time.monotonic()
            self.assertEqual(node.stop(timeout_s=20), 0, node.log_tail())
            self.assertLess(time.monotonic() - begun, 14)
            self.lan.heal()
            node.launch()
            self.cluster.settle(20)
        self.end()

    @unittest.skipUnless(CUTS, "PARLEY_CUTS is not set")
    def test_cuts_at_random_lose_nothing(self):
        print(f"PARLEY_SEED={SEED}", flush=True)
        chosen, hosts, gaps = random.Random(SEED), ("pg", *NODES), []
        for _ in range(CUTS):
            begun = time.monotonic()
            for _ in range(chosen.randint(1, 4)):
                one, other = chosen.sample(hosts, 2)
                self.lan.cut(one, other)
            time.sleep(chosen.uniform(0.2, 7))
            self.lan.heal()
            self.cluster.until(lambda: self.cluster.leader() is not None, "a node leads", 10)
            if chosen.random() < 0.7:
                self.cluster.settle(20)
            gaps.append(time.monotonic() - begun)
        self.end()
        print(f"{CUTS} cuts, median {statistics.median(gaps):.1f} s; " + ", ".join(
            f"{client.name.split('-')[0]}: {len(client.acknowledged)} acknowledged, {len(client.refused)} refused, "
            f"{len(client.doubtful)} doubtful" for client in self.clients[:2]) +
              f"; {self.clients[2].reads} current reads, {self.clients[2].marked} marked")


if __name__ == "__main__":
    unittest.main()
