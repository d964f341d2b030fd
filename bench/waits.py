"""Thousands of clients that wait at the same time, for a slow turn (D47) or for an end (D96): they hold no threads and do
not slow down other requests. Part of run.py."""
import multiprocessing
import pathlib
import resource
import statistics
import sys
import time

from support import wire
from support.fakes import model

SECONDS = 60  # the maximum wait


class Sizes:
    def __init__(self, smoke):
        self.waiters = 50 if smoke else 5_000
        self.pairs = 1 if smoke else 5
        self.stored = 50 if smoke else 1_000
        self.seconds = 0.1 if smoke else 2
        self.connections = 4 if smoke else 16
        self.rise_ms_max = None if smoke else 2


def slow_model(pipe):
    """Runs as a separate process, so that the model does not share the interpreter of the measurement."""
    raise_descriptors()
    fake = model.Model(["Hello."], latency=600).start()
    pipe.send(fake.base_url)
    pipe.recv()


def raise_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


class Waits:
    def __init__(self, bench, sizes, model_url):
        self.bench, self.sizes = bench, sizes
        self.server = bench.server("--tester-url", model_url, "--tester-model", "slow", "--max-calls", "20000",
                                   "--rest-after", "24h")
        self.http = self.server.client(timeout_s=120)
        self.links, self.stored, _ = bench.seed(self.server, "stored-waits", sizes.stored, 3, "yes")
        bench.run_until(self.http, self.links["run"], lambda shown: shown["result"]["completed"] == sizes.stored)

    def close(self):
        self.http.close()
        self.server.remove()

    def threads(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(status.partition("Threads:")[2].split()[0])

    def become_quiet(self):
        """Waits, for at most ten seconds, until the server is nearly idle."""
        for _ in range(20):
            before = self.server.cpu_s()
            time.sleep(0.5)
            if self.server.cpu_s() - before < 0.025:
                return

    def waiting(self):
        text = self.http.get("/metrics").body.decode()
        return int(next(line for line in text.splitlines() if line.startswith("parley_clients_waiting ")).split()[1])

    def live(self, instruction):
        """(a run with one pending result for each waiter, the ids of the results)."""
        run = self.http.post("/runs/", {"scenario": self.scenario(), "agent": self.links["agent"], "status": "running"})
        made = self.bench.folder / "waited"
        run = run.json()["id"]
        body = f'{{"agent":"{self.links["agent"]}","run":"{run}","testInstruction":"{instruction}"}}'
        self.bench.load("raw", self.server.address, self.server.key, method="POST", path="/test-results/", body=body,
                        status=201, count=self.sizes.waiters, ids_out=made, connections=self.bench.sizes.writers)
        return run, made.read_text().split()

    def scenario(self):
        return self.http.post("/scenarios/", {"name": "waits"}).json()["id"]

    def begin(self, method, path, ids):
        """Opens one connection with one waiting request for each result."""
        wires = []
        for result in ids:
            each = wire.Wire(self.server.address, timeout_s=SECONDS)
            each.send(self.http.encoded(method, path.format(result), None, {"Prefer": f"wait={SECONDS}"}))
            wires.append(each)
        self.bench.until(lambda: self.waiting() == len(ids))
        return wires

    def with_waiters(self, method, path, instruction, is_told):
        """(p99 of other requests during the waits, threads that were added, seconds until all waiters were answered)."""
        run, ids = self.live(instruction)
        before = self.threads()
        wires = self.begin(method, path, ids)
        self.become_quiet()  # the calls to the model are in progress
        found, more = p99_of_others(self), self.threads() - before
        if self.waiting() != len(ids):
            sys.exit("bench: some did not wait to the end of the measurement")
        taken, answer = self.bench.timed(lambda: self.http.post(f"/runs/{run}/cancel"))
        if answer.status != 200:
            sys.exit(f"bench: cancel: {answer}")
        answered, _ = self.bench.timed(lambda: [self.hear(each, is_told) for each in wires])
        return found, more, taken + answered

    @staticmethod
    def hear(each, is_told):
        answer = each.read()
        each.close()
        if answer.status != 200 or not is_told(answer.json()):
            sys.exit(f"bench: a waiter received {answer}")


def measure(bench, smoke):
    sizes = Sizes(smoke)
    raise_descriptors()
    pipe, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=slow_model, args=(theirs,), daemon=True)
    process.start()
    world = None
    try:
        world = Waits(bench, sizes, pipe.recv())
        one_kind(bench, sizes, world, "GET for the end of a result", "GET", "/test-results/{}", "say: hello",
                 lambda answered: answered["status"] == "canceled")
        one_kind(bench, sizes, world, "next-message for a slow model", "POST", "/test-results/{}/next-message",
                 "Ask for a latte.", lambda answered: answered["end_chat"])
    finally:
        if world:
            world.close()
        process.kill()


def p99_of_others(world):
    """The p99 of other requests in ms: (reads, durable writes)."""
    sizes, server = world.sizes, world.server
    common = {"connections": sizes.connections, "seconds": sizes.seconds, "warmup": sizes.seconds / 5}
    reads = world.bench.load("get", server.address, server.key, ids=world.stored, **common)
    writes = world.bench.load("append", server.address, server.key, agent=world.links["agent"], **common)
    return reads["p99_ms"], writes["p99_ms"]


def in_turns(pairs, without, together):
    """Measures pairs; the order alternates from pair to pair."""
    alone, beside = [], []
    for number in range(pairs):
        halves = (lambda: alone.append(without()), lambda: beside.append(together()))
        for half in halves if number % 2 == 0 else halves[::-1]:
            half()
    return alone, beside


def report_rises(bench, sizes, name, alone, beside):
    for which, kind in enumerate(("reads", "durable writes")):
        rise = statistics.median(two[which] - one[which] for one, two in zip(alone, beside))
        held = None if sizes.rise_ms_max is None else rise <= sizes.rise_ms_max
        bench.row(f"{name}: p99 of others' {kind} at {sizes.connections} connections rises by",
                  f"<= {sizes.rise_ms_max} ms" if sizes.rise_ms_max else "reported",
                  f"{rise:+.1f} ms (median of {sizes.pairs} pairs; alone {statistics.median(row[which] for row in alone):.1f} "
                  f"ms, beside them {statistics.median(row[which] for row in beside):.1f} ms)", held)


def one_kind(bench, sizes, world, name, *waiting):
    threads, answered = [], []

    def together():
        found, more, taken = world.with_waiters(*waiting)
        threads.append(more)
        answered.append(taken)
        return found
    alone, beside = in_turns(sizes.pairs, lambda: p99_of_others(world), together)
    count = f"{sizes.waiters:,} clients wait ({name})"
    bench.row(f"{count}: threads that the server has more", "0", str(max(threads)), max(threads) == 0)
    report_rises(bench, sizes, "the same", alone, beside)
    bench.row("the same: cancel-run, until the last of them was answered", "reported", f"{statistics.median(answered):.2f} s")
