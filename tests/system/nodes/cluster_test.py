#!/usr/bin/env python3
"""Three nodes with one log: reads and writes on every node, a leader that is killed, paused or switched over, and an
unreachable PostgreSQL."""
import json
import signal
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support.nemesis import PlainWriter
from support.nodes import Cluster, folders_at


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(3)
        cls.addClassCleanup(cls.cluster.remove)
        cls.cluster.start()

    def setUp(self):
        for node in self.cluster.nodes:
            if not node.is_alive():
                node.launch()
        self.settle()

    def settle(self):
        self.cluster.settle()
        self.cluster.until(lambda: not any(self.is_stale(node) for node in self.cluster.nodes), "all nodes read what is new")

    @staticmethod
    def is_stale(node):
        return "parley-stale-ms" in node.call("GET", "/folders?limit=1").headers

    def client(self, node, key=None):
        """A client that is closed when the test ends."""
        client = node.client(key=key)
        self.addCleanup(client.close)
        return client

    def names_at(self, node):
        """The names of all folders, as the node reads them."""
        return [row["name"] for row in folders_at(self.client(node))]

    def check(self, writer):
        """Checks that no acknowledged write is lost, no refused write took effect, and no write is duplicated."""
        self.assertEqual(writer.faults, [])
        for node in self.cluster.nodes:
            client = self.client(node)
            for folder in writer.acknowledged.values():
                self.assertEqual(client.get(f"/folders/{folder}").status, 200)
        names = self.names_at(self.cluster.nodes[0])
        self.assertEqual(set(writer.refused) & set(names), set())
        mine = [name for name in names if name.startswith(f"{writer.name}-")]
        self.assertEqual(len(mine), len(set(mine)))
        self.assertGreaterEqual(len(mine), len(writer.acknowledged))

    def test_a_write_at_any_node_is_read_at_every_other(self):
        for i in range(60):
            first, second = self.cluster.nodes[i % 3], self.cluster.nodes[(i + 1 + i // 3 % 2) % 3]
            made = first.call("POST", "/folders", {"name": f"pair {i}"})
            self.assertEqual(made.status, 201, made.body)
            read = second.call("GET", f"/folders/{made.json()['id']}")
            self.assertEqual((read.status, read.json()["name"]), (200, f"pair {i}"))

    def test_a_follower_answers_as_the_leader_does(self):
        follower = self.client(self.cluster.followers()[0])
        leader = self.client(self.cluster.leader())
        for method, path, body in (("POST", "/folders", {"name": 7}), ("POST", "/nowhere", {}),
                                   ("DELETE", "/folders/x", None), ("POST", "/folders", "{")):
            there, here = leader.send(method, path, body), follower.send(method, path, body)
            self.assertEqual(here.status, there.status, (method, path))
            self.assertEqual(json.loads(here.body)["type"], json.loads(there.body)["type"])
        self.assertEqual(follower.send("OPTIONS", "/folders").status, leader.send("OPTIONS", "/folders").status)
        stranger = self.client(self.cluster.followers()[0], key="parley_wrong")
        self.assertEqual(stranger.post("/folders", {"name": "x"}).status, 401)

    def test_the_use_of_a_key_at_a_follower_is_recorded(self):
        made = self.cluster.leader().call("POST", "/api-keys", {"name": "reader"})
        self.assertEqual(made.status, 201, made.body)
        client = self.client(self.cluster.followers()[0], key=made.json()["key"])
        self.assertEqual(client.get("/folders?limit=1").status, 200)
        path = f"/api-keys/{made.json()['id']}"
        self.cluster.until(lambda: self.cluster.nodes[0].call("GET", path).json().get("lastUsedAt"), "the use is recorded", 5)

    def test_forged_fields_of_nodes_are_ignored(self):
        forged = {"Parley-Hop": "1", "Parley-Client": "10.9.8.7", "Parley-Host": "evil",
                  "Parley-Node": f"{int(time.time() * 1000)} {'0' * 64}"}
        for node in self.cluster.nodes:
            self.assertEqual(node.call("GET", "/cluster/head", headers=forged).status, 404)
            self.assertEqual(node.call("POST", "/folders", {"name": "forged"}, forged).status, 201)
            self.assertNotIn("10.9.8.7", node.log.read_text())

    def test_another_node_leads_after_kill_9(self):
        leader = self.cluster.leader()
        writer = PlainWriter(self.cluster, "killed", with_key=True)
        writer.start()
        time.sleep(1)
        others = self.cluster.followers()
        leader.kill()
        took = self.cluster.until(lambda: self.cluster.leader(others) is not None, "another node leads")
        self.assertLess(took, 5)
        self.cluster.until(lambda: others[0].call("POST", "/folders", {"name": f"after {time.monotonic()}"}).status == 201,
                           "writes go on", 5)
        leader.launch()
        self.settle()
        time.sleep(0.5)
        self.check(writer.stop())

    def test_a_paused_leader_is_fenced_when_it_wakes(self):
        leader = self.cluster.leader()
        writer = PlainWriter(self.cluster, "paused")
        writer.start()
        others = self.cluster.followers()
        leader.process.send_signal(signal.SIGSTOP)
        try:
            self.cluster.until(lambda: self.cluster.leader(others) is not None, "another node leads", 6)
            made = others[0].call("POST", "/folders", {"name": "while paused"})
            self.assertEqual(made.status, 201, made.body)
        finally:
            leader.process.send_signal(signal.SIGCONT)
        self.cluster.until(lambda: leader.role() == "follower", "the old leader follows", 5)
        read = leader.call("GET", f"/folders/{made.json()['id']}")
        self.assertEqual(read.status, 200)
        time.sleep(0.5)
        self.check(writer.stop())

    def test_switchover_under_load(self):
        writer = PlainWriter(self.cluster, "switchover")
        writer.start()
        time.sleep(0.5)
        for _ in range(3):
            target = self.cluster.followers()[0]
            begun = time.monotonic()
            answer = self.cluster.nodes[0].call("POST", "/admin/switchover", {"to": target.http})
            self.assertEqual((answer.status, answer.json().get("leader")), (200, target.http), answer.body)
            self.assertEqual({name: type(value) for name, value in answer.json().items()}, {"leader": str, "term": int})
            self.assertLess(time.monotonic() - begun, 3)
            self.cluster.until(lambda: self.cluster.leader() is target, "the target leads", 3)
        writer.stop()
        self.assertLess(writer.longest_gap_s, 2)
        self.assertEqual((writer.refused, writer.doubtful), ([], []))
        self.check(writer)

    def test_switchover_refuses_what_cannot_lead(self):
        client = self.client(self.cluster.nodes[0])
        self.assertEqual(client.post("/admin/switchover", {"to": "http://127.0.0.1:1"}).status, 400)
        follower = self.cluster.followers()[0]
        follower.process.send_signal(signal.SIGSTOP)
        try:
            asked = self.cluster.leader([n for n in self.cluster.nodes if n is not follower])
            self.assertEqual(asked.call("POST", "/admin/switchover", {"to": follower.http}).status, 409)
        finally:
            follower.process.send_signal(signal.SIGCONT)

    def test_a_leader_hands_over_when_it_stops(self):
        leader = self.cluster.leader()
        others = self.cluster.followers()
        begun = time.monotonic()
        leader.terminate()
        self.cluster.until(lambda: self.cluster.leader(others) is not None, "another node leads", 2.5)
        self.assertEqual(leader.process.wait(12), 0, leader.log_tail())
        self.assertLess(time.monotonic() - begun, 10)
        leader.launch()
        self.settle()
        self.assertIsNot(self.cluster.leader(), leader)

    def test_writes_wait_until_postgresql_is_back(self):
        self.cluster.postgres.stop("fast")
        with ThreadPoolExecutor(8) as pool:
            try:
                writes = [pool.submit(self.cluster.nodes[i % 3].call, "POST", "/folders", {"name": f"held {i}"}) for i in range(8)]
                time.sleep(1)
                self.assertFalse(any(write.done() for write in writes))
            finally:
                self.cluster.postgres.start()
            self.assertEqual([write.result().status for write in writes], [201] * 8)
        self.settle()
        names = self.names_at(self.cluster.nodes[0])
        self.assertEqual([names.count(f"held {i}") for i in range(8)], [1] * 8)

    def test_reads_continue_while_postgresql_is_unreachable(self):
        client = self.client(self.cluster.nodes[0])
        folder = client.post("/folders", {"name": "before"}).json()["id"]
        self.cluster.postgres.stop()
        try:
            time.sleep(3.5)
            for node in self.cluster.nodes:
                read = node.call("GET", f"/folders/{folder}")
                self.assertEqual((read.status, read.headers.get("warning")), (200, '110 - "Response is Stale"'), read)
                self.assertGreater(int(read.headers["parley-stale-ms"]), 0)
                self.assertEqual(node.state()[0], 200)
            begun = time.monotonic()
            refused = self.cluster.nodes[1].call("POST", "/folders", {"name": "while away"})
            self.assertEqual((refused.status, refused.json()["type"]), (503, "/problems/no-leader"))
            self.assertIn("retry-after", refused.headers)
            self.assertGreater(time.monotonic() - begun, 4)
        finally:
            self.cluster.postgres.start()
        self.settle()
        self.cluster.until(lambda: client.post("/folders", {"name": f"again {time.monotonic()}"}).status == 201, "writes go on", 8)
        self.assertNotIn("while away", self.names_at(self.cluster.nodes[2]))


if __name__ == "__main__":
    unittest.main()
