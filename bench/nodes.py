"""A cluster whose PostgreSQL shares the machine (ADR 50): durable writes compared with those of a server without a log, and the
CPU, reads and catching up of a follower. Part of run.py."""
import concurrent.futures
import statistics
import unittest

from support.nodes import Cluster, Node

RATIO_MIN, P99_MS_MAX, REPLAY_US_MAX, READ_MS_MAX, CAUGHT_UP_MIN = 0.6, 15, 12, 20, 60_000
QUIET = ("--log-level", "warn")


class Nodes:
    """A server without a log, and a cluster that begins with one node."""

    def __init__(self, bench, cluster):
        self.bench, self.cluster = bench, cluster
        self.plain = bench.server()
        cluster.start()
        self.agents = {server: self.agent(server) for server in (self.plain, self.leader)}

    @property
    def leader(self):
        return self.cluster.nodes[0]

    def close(self):
        self.plain.remove()

    def agent(self, server):
        client = server.client()
        agent = self.bench.prepared(client, "say: nothing")["agent"]
        client.close()
        return agent

    def append(self, server, **options):
        return self.bench.load("append", server.address, server.key, agent=self.agents[server],
                               connections=self.bench.sizes.writers, **options)

    def add_follower(self):
        follower = Node(self.cluster.postgres.url, *QUIET)
        self.cluster.nodes.append(follower)
        follower.launch()
        self.cluster.settle()
        return follower

    def catch_up(self, follower, timeout_s=60):
        """Waits until the follower has all rows of the leader; returns the seconds that it took."""
        head = log_of(self.leader)["head"]
        return self.cluster.until(lambda: log_of(follower).get("applied", -1) >= head, "the follower caught up", timeout_s)


def log_of(node):
    """The member `log` of /readyz; empty while the node starts."""
    return node.state()[1].get("log", {})


def measure(bench, smoke):
    try:
        cluster = Cluster(1, *QUIET)
    except unittest.SkipTest as absent:
        bench.notes.append(f"Nodes were not measured: {absent}.")
        return
    world = None
    try:
        world = Nodes(bench, cluster)
        rate = writes(bench, smoke, world)
        replays(bench, smoke, world, rate / 2)
    finally:
        if world:
            world.close()
        cluster.remove()


def writes(bench, smoke, world):
    """Measures the writes of both servers in turn; returns the rate of the node."""
    rates = {world.plain: [], world.leader: []}
    for number in range(bench.sizes.rounds):
        for server in list(rates) if number % 2 == 0 else reversed(rates):
            rates[server].append(world.append(server)["rate"])
    ratio = statistics.median(node / plain for plain, node in zip(rates[world.plain], rates[world.leader]))
    plain, node = (statistics.median(rates[server]) for server in (world.plain, world.leader))
    bench.row(f"durable POST of 1 KB at {bench.sizes.writers} connections with a log in PostgreSQL, against the same without",
              f">= {RATIO_MIN}", f"{ratio:.2f} ({node:,.0f}/s of {plain:,.0f}/s)", None if smoke else ratio >= RATIO_MIN)
    paced = [world.append(world.leader, rate=node / 2) for _ in range(bench.sizes.rounds)]
    p99 = statistics.median(figures["p99_ms"] for figures in paced)
    bench.row("the same: p99 at half of that rate", f"<= {P99_MS_MAX} ms", f"{p99:.1f} ms", None if smoke else p99 <= P99_MS_MAX)
    return node


def replays(bench, smoke, world, rate):
    follower = world.add_follower()
    each = []
    for _ in range(bench.sizes.rounds):
        cpu = follower.cpu_s()
        written = world.append(world.leader, rate=rate, warmup=0)["requests"]
        world.catch_up(follower)
        each.append((follower.cpu_s() - cpu) / written * 1e6)
    used = statistics.median(each)
    bench.row("CPU of a follower for each change set", f"<= {REPLAY_US_MAX} us",
              f"{used:.1f} us ({', '.join(f'{one:.1f}' for one in each)})", None if smoke else used <= REPLAY_US_MAX)
    p99 = reads_beside_writes(bench, world, follower, rate)
    bench.row(f"GET at the follower beside {rate:,.0f} writes/s at the leader: p99", f"<= {READ_MS_MAX} ms", f"{p99:.1f} ms",
              None if smoke else p99 <= READ_MS_MAX)
    absence(bench, smoke, world, follower)


def reads_beside_writes(bench, world, follower, rate):
    """The 99th percentile of the milliseconds of a read, which waits until the follower has all writes acknowledged before it."""
    made = bench.folder / "written-at-leader"
    world.append(world.leader, ids_out=made)
    longer = bench.sizes.seconds + 2 * bench.sizes.warmup
    with concurrent.futures.ThreadPoolExecutor() as pool:
        writing = pool.submit(world.append, world.leader, rate=rate, seconds=longer)
        read = bench.load("get", follower.address, follower.key, ids=made, connections=4, rate=100)
        writing.result()
    return read["p99_ms"]


def absence(bench, smoke, world, follower):
    follower.kill()
    missed = world.append(world.leader, warmup=0)["requests"]
    follower.launch()
    took = world.catch_up(follower)
    bench.row("a follower that was absent catches up, from its start", f">= {CAUGHT_UP_MIN:,} change sets/s",
              f"{missed / took:,.0f}/s ({missed:,} in {took:.2f} s)", None if smoke else missed / took >= CAUGHT_UP_MIN)
