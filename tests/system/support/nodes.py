"""A cluster of real nodes with a real PostgreSQL."""
import time
from contextlib import closing

from . import wire
from .postgres import Postgres
from .server import HOST, Server, free_port

KEYS = {"PARLEY_PEPPER_KEY": "1f" * 32, "PARLEY_SECRETS_KEY": "2e" * 32}


def folders_at(client):
    """All folders, as the node of the client reads them; no page may be stale."""
    rows, page = [], 1
    while True:
        answer = client.get(f"/folders?limit=1000&page={page}")
        assert answer.status == 200, answer
        assert "parley-stale-ms" not in answer.headers, answer.headers
        read = answer.json()["data"]
        rows += read
        if len(read) < 1000:
            return rows
        page += 1


class Node(Server):
    """A node. It keeps its port across restarts, so that other nodes find it again."""

    def __init__(self, url, *options, host=HOST, within=()):
        super().__init__(*options)
        self.host, self.within, self.port = host, list(within), free_port()
        self.address = (host, self.port)
        self.http = f"http://{host}:{self.port}"
        self.options = ["--log", url, "--address", self.http, *options]
        self.environment = dict(KEYS)

    def call(self, method, path, body=None, headers=None, timeout_s=30):
        """Sends one request over a new connection."""
        with closing(self.client(timeout_s)) as client:
            return client.send(method, path, body, headers)

    def state(self):
        """(status, document) of /readyz; (0, {}) without an answer."""
        try:
            with closing(wire.Client(self.address, timeout_s=2)) as client:
                answer = client.get("/readyz")
            return answer.status, answer.json()
        except (OSError, wire.Gone, wire.Cut, ValueError):
            return 0, {}

    def role(self):
        return self.state()[1].get("log", {}).get("role")


class Cluster:
    def __init__(self, count=3, *options, settings=()):
        self.postgres = Postgres(*settings)
        self.nodes = [Node(self.postgres.url, *options) for _ in range(count)]

    def start(self):
        for node in self.nodes:
            node.launch()
        self.settle()

    def settle(self, timeout_s=15):
        """Waits until all nodes are ready, and then until one leads; each for at most `timeout_s`."""
        self.until(lambda: all(node.state()[0] == 200 for node in self.nodes), "all nodes are ready", timeout_s)
        self.until(lambda: self.leader() is not None, "a node leads", timeout_s)

    def until(self, holds, what, timeout_s=15):
        """Waits until holds() is true; returns the seconds that it took."""
        begun = time.monotonic()
        while not holds():
            for node in self.nodes:
                if node.process is not None and node.process.poll() not in (None, 0, -9, -15):
                    raise RuntimeError(f"a node ended with {node.process.returncode}:\n{node.log_tail()}")
            if time.monotonic() > begun + timeout_s:
                logs = "\n---\n".join(node.log_tail(1500) for node in self.nodes)
                raise RuntimeError(f"not within {timeout_s} s: {what}\n{logs}")
            time.sleep(0.02)
        return time.monotonic() - begun

    def leader(self, among=None):
        """The node that is leader; None unless there is exactly one."""
        leading = [node for node in among or self.nodes if node.is_alive() and node.role() == "leader"]
        return leading[0] if len(leading) == 1 else None

    def followers(self):
        leader = self.leader()
        return [node for node in self.nodes if node.is_alive() and node is not leader]

    def remove(self):
        for node in self.nodes:
            node.remove()
        self.postgres.remove()
