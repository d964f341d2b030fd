"""Faults of a cluster, and clients that write, read and check the answers meanwhile."""
import itertools
import random
import shutil
import signal
import threading
import time

from contextlib import closing

from . import wire
from .nodes import folders_at

BROKEN = (OSError, wire.Gone, wire.Cut)


class Client(threading.Thread):
    """Calls `step` repeatedly until stopped."""

    def __init__(self, cluster, name):
        super().__init__(daemon=True, name=name)
        self.cluster, self.faults = cluster, []
        self.is_over = threading.Event()
        self.numbers = itertools.count(1)

    def run(self):
        while not self.is_over.is_set():
            try:
                self.step(next(self.numbers))
            except BROKEN:
                time.sleep(0.02)
            except Exception as fault:  # pylint: disable=broad-except
                self.faults.append(repr(fault))
                return
            time.sleep(0.003)

    def stop(self):
        self.is_over.set()
        self.join(60)
        if self.is_alive():
            self.faults.append("hangs")
        return self

    def call(self, node, method, path, body=None, headers=None):
        return node.call(method, path, body, headers, timeout_s=25)


def kind_of(answer):
    return answer.json().get("type", "").rpartition("/")[2] if answer.status >= 400 else ""


class PlainWriter(Client):
    """Creates folders at alternating nodes, each once. Acknowledged folders must exist, refused ones must not."""

    def __init__(self, cluster, name="plain", with_key=False):
        super().__init__(cluster, name)
        self.with_key = with_key
        self.acknowledged, self.refused, self.doubtful = {}, [], []
        self.longest_gap_s, self.last = 0.0, time.monotonic()

    def step(self, number):
        name = f"{self.name}-{number}"
        node = self.cluster.nodes[number % len(self.cluster.nodes)]
        try:
            answer = self.call(node, "POST", "/folders", {"name": name}, {"Idempotency-Key": name} if self.with_key else {})
        except BROKEN:
            self.doubtful.append(name)
            raise
        kind = kind_of(answer)
        if answer.status == 201:
            self.acknowledged[name] = answer.json()["id"]
            self.longest_gap_s = max(self.longest_gap_s, time.monotonic() - self.last)
            self.last = time.monotonic()
        elif answer.status == 503 and kind in ("no-leader", "draining"):
            self.refused.append(name)
        elif answer.status == 502 and kind == "in-doubt":
            self.doubtful.append(name)
        else:
            self.faults.append(answer)


class KeyedWriter(PlainWriter):
    """Repeats each write with one Idempotency-Key, at random nodes, until it is acknowledged."""

    def step(self, number):
        name = f"{self.name}-{number}"
        while not self.is_over.is_set():
            node = random.choice(self.cluster.nodes)
            try:
                answer = self.call(node, "POST", "/folders", {"name": name}, {"Idempotency-Key": name})
            except BROKEN:
                time.sleep(0.02)
                continue
            if answer.status == 201:
                self.acknowledged[name] = answer.json()["id"]
                return
            if answer.status not in (502, 503) and kind_of(answer) != "idempotency-key-in-progress":
                self.faults.append(answer)
            time.sleep(0.02)
        self.doubtful.append(name)


class Register(Client):
    """Changes a folder at one node and reads it at another. An answer must show the last value, or be marked as stale."""

    def __init__(self, cluster, name="register"):
        super().__init__(cluster, name)
        self.folder = self.call(cluster.nodes[0], "POST", "/folders", {"name": f"{name} 0"}).json()["id"]
        self.known, self.doubtful = 0, False
        self.reads, self.marked, self.refused = 0, 0, 0

    def step(self, number):
        nodes = self.cluster.nodes
        changed = None
        try:
            changed = self.call(random.choice(nodes), "PATCH", f"/folders/{self.folder}", {"name": f"{self.name} {number}"})
        except BROKEN:
            self.doubtful = True
        if changed is not None and changed.status == 200:
            self.known, self.doubtful = number, False
        elif changed is not None and changed.status == 502:
            self.doubtful = True
        elif changed is not None and changed.status != 503:
            self.faults.append(changed)
        for node in nodes:
            self.read(node, number)

    def read(self, node, number):
        try:
            answer = self.call(node, "GET", f"/folders/{self.folder}")
        except BROKEN:
            return
        if answer.status == 503:
            self.refused += 1
        elif "parley-stale-ms" in answer.headers:
            self.marked += 1
            if answer.headers.get("warning") != '110 - "Response is Stale"':
                self.faults.append(answer.headers)
        elif answer.status != 200:
            self.faults.append(answer)
        else:
            self.reads += 1
            seen = int(answer.json()["name"].rpartition(" ")[2])
            if not self.known <= seen <= number:
                self.faults.append(f"read {seen} at {node.http}, expected {self.known} to {number}")


def check_outcome(test, cluster, clients):
    """Stops the clients (two writers and a register) and checks: no acknowledged write is lost, no refused write happened, no
    write is duplicated, every stale read was marked, and all nodes have the same folders."""
    for client in clients:
        client.stop()
    cluster.settle(20)
    for client in clients:
        test.assertEqual(client.faults, [], client.name)
    views = []
    for node in cluster.nodes:
        with closing(node.client()) as client:
            views.append(sorted((row["name"], row["id"]) for row in folders_at(client)))
    test.assertEqual(views[1:], views[:1] * (len(views) - 1), "the nodes differ")
    held = dict(views[0])
    test.assertEqual(len(held), len(views[0]), "a folder is there twice")
    for client in clients[:2]:
        test.assertGreater(len(client.acknowledged), 0)
        test.assertEqual([name for name, folder in client.acknowledged.items() if held.get(name) != folder], [])
        test.assertEqual([name for name in client.refused if name in held], [])


class Nemesis:
    """Causes one fault at a time. `figures`: the seconds that each fault took, by kind."""

    def __init__(self, cluster, seed):
        self.cluster, self.random = cluster, random.Random(seed)
        self.figures = {}

    def note(self, kind, seconds):
        self.figures.setdefault(kind, []).append(seconds)

    def strike(self, kinds):
        kind = self.random.choice(kinds)
        self.note(kind, getattr(self, kind)())
        self.cluster.until(lambda: all(node.state()[0] == 200 for node in self.cluster.nodes), f"ready after {kind}", 20)
        self.cluster.until(lambda: self.cluster.leader() is not None, f"one leader after {kind}", 10)
        return kind

    def leader(self):
        self.cluster.until(lambda: self.cluster.leader() is not None, "a node leads", 10)
        return self.cluster.leader()

    def writes_again(self, nodes):
        """The seconds until one of these nodes acknowledges a write."""
        begun, last = time.monotonic(), ""
        while time.monotonic() < begun + 20:
            for node in nodes:
                name = f"probe-{time.monotonic_ns()}"
                try:
                    answer = node.call("POST", "/folders", {"name": name}, {"Idempotency-Key": name}, timeout_s=25)
                    if answer.status == 201:
                        return time.monotonic() - begun
                    last = f"{answer.status} {answer.body[:300]}"
                except BROKEN as error:
                    last = repr(error)
            time.sleep(0.01)
        logs = "\n---\n".join(f"{node.http} {node.role()}\n{node.log_tail(1500)}" for node in nodes)
        raise RuntimeError(f"no write for 20 s, last {last}\n{logs}")

    def kill_leader(self):
        leader = self.leader()
        leader.kill()
        seconds = self.writes_again([node for node in self.cluster.nodes if node is not leader])
        leader.launch()
        return seconds

    def kill_follower(self):
        node = self.random.choice(self.cluster.followers())
        node.kill()
        time.sleep(self.random.uniform(0, 0.5))
        seconds = self.writes_again([other for other in self.cluster.nodes if other is not node])
        node.launch()
        return seconds

    def restart_leader_at_once(self):
        leader = self.leader()
        leader.kill()
        leader.launch()
        return self.writes_again([node for node in self.cluster.nodes if node is not leader])

    def stop_leader(self):
        leader = self.leader()
        leader.terminate()
        seconds = self.writes_again([node for node in self.cluster.nodes if node is not leader])
        if leader.process.wait(12) != 0:
            raise RuntimeError(f"a leader ended with {leader.process.returncode}:\n{leader.log_tail()}")
        leader.launch()
        return seconds

    def pause_leader(self):
        return self.pause(self.leader())

    def pause_follower(self):
        return self.pause(self.random.choice(self.cluster.followers()))

    def pause(self, node):
        node.process.send_signal(signal.SIGSTOP)
        until = time.monotonic() + self.random.choice((1, 2, 3, 4, 5, 10))
        try:
            seconds = self.writes_again([other for other in self.cluster.nodes if other is not node])
            time.sleep(max(0, until - time.monotonic()))
        finally:
            node.process.send_signal(signal.SIGCONT)
        return seconds

    def restart_database(self):
        self.cluster.postgres.stop(self.random.choice(("immediate", "fast")))
        time.sleep(self.random.choice((0, 0.5, 2, 4)))
        self.cluster.postgres.start()
        return self.writes_again(self.cluster.nodes)

    def lose_directory(self):
        node = self.random.choice(self.cluster.followers())
        node.kill()
        shutil.rmtree(node.data)
        begun = time.monotonic()
        node.launch()
        self.cluster.until(lambda: node.state()[0] == 200, "a node without data joins again", 20)
        return time.monotonic() - begun

    def switch_over(self):
        leader = self.leader()
        node = self.random.choice(self.cluster.nodes)
        begun = time.monotonic()
        answer = node.call("POST", "/admin/switchover", {})
        seconds = time.monotonic() - begun
        if answer.status != 200 or answer.json()["leader"] == leader.http:
            raise RuntimeError(f"no switchover: {answer}")
        return seconds
