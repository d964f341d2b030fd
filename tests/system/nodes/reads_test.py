#!/usr/bin/env python3
"""A write at one node is visible at every other node as soon as it is acknowledged: reads are linearizable.

    reads_test.py          4,000 pairs of a write and a read; PARLEY_PAIRS=1000000: another number"""
import concurrent.futures
import itertools
import os
import threading
import time
import unittest

from support.nodes import Cluster

PAIRS = int(os.environ.get("PARLEY_PAIRS", "4000"))
READERS = 32


class Lane:
    """One connection to each node, used by one thread. Every third pair creates a folder; the others rename the last one."""

    def __init__(self, nodes, number):
        self.clients = [node.client(30) for node in nodes]
        self.number, self.folder, self.stale, self.marked = number, "", [], 0

    def pair(self, at):
        count = len(self.clients)
        writes_at = at % count
        reads_at = (writes_at + 1 + at // count % (count - 1)) % count
        name = f"lane {self.number} {at}"
        if at % 3 == 0 or not self.folder:
            wrote = self.clients[writes_at].post("/folders", {"name": name})
            self.folder = wrote.json().get("id")
        else:
            wrote = self.clients[writes_at].patch(f"/folders/{self.folder}", {"name": name})
        if wrote.status not in (200, 201):
            raise AssertionError(f"write at node {writes_at}: {wrote}")
        read = self.clients[reads_at].get(f"/folders/{self.folder}")
        if "parley-stale-ms" in read.headers:
            self.marked += 1  # the node reports that it could not ask the leader in time
        elif read.status != 200 or read.json()["name"] != name:
            self.stale.append((name, writes_at, reads_at, read))

    def close(self):
        for each in self.clients:
            each.close()


class Reads(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster(3)
        self.addCleanup(self.cluster.remove)
        self.cluster.start()
        self.cluster.until(lambda: not any(self.is_stale(node) for node in self.cluster.nodes), "all nodes read what is new")

    @staticmethod
    def is_stale(node):
        return "parley-stale-ms" in node.call("GET", "/folders?limit=1").headers

    def test_a_read_at_another_node_sees_each_acknowledged_write(self):
        numbers, lock = itertools.count(), threading.Lock()

        def work(lane):
            while True:
                with lock:
                    at = next(numbers)
                if at >= PAIRS or lane.stale:
                    return
                lane.pair(at)

        lanes = [Lane(self.cluster.nodes, number) for number in range(READERS)]
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(READERS) as pool:
            for done in [pool.submit(work, lane) for lane in lanes]:
                done.result()
        took = time.monotonic() - begun
        stale = [each for lane in lanes for each in lane.stale]
        marked = sum(lane.marked for lane in lanes)
        for lane in lanes:
            lane.close()
        print(f"{PAIRS} pairs of a write at one node and a read at another in {took:.1f} s, {PAIRS / took:.0f}/s: "
              f"{len(stale)} stale, {marked} marked as stale", flush=True)
        self.assertEqual(stale, [])
        self.assertLess(marked, max(PAIRS / 100, 10))


if __name__ == "__main__":
    unittest.main(verbosity=2)
