#!/usr/bin/env python3
"""Measures the promised speed and memory, and writes a section of RESULTS.md.

    bench/run.py                   all figures, full size (takes minutes)
    bench/run.py --only post get   some figures: stored, get, ready, post, live, ended, canceled, lists, heartbeat, waits,
                                   streams, nodes, driving, idle, rescoring
    bench/run.py --smoke           everything but the last three, which have tests of their own, in a tiny size; answers
                                   are checked, figures are neither judged nor written

The server, the load generator and the programs for comparison share the machine and run alternately in each round."""
import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import server as servers  # noqa: E402  (the path above)
import lists  # noqa: E402
import nodes  # noqa: E402
import results_page  # noqa: E402
import runners  # noqa: E402
import streams  # noqa: E402
import waits  # noqa: E402

APART = {"lists": lists, "heartbeat": runners, "waits": waits, "streams": streams, "nodes": nodes}
PROGRAMS = {"driving": [], "idle": ["--build"], "rescoring": ["--build"]}  # measured by separate scripts
FIGURES = ("stored", "ready", "get", "post", "live", "ended", "canceled", *APART, *PROGRAMS)


class Sizes:
    """The size of each measurement; the goals apply to the full size."""

    def __init__(self, smoke):
        self.stored = 200 if smoke else 100_000
        self.live = 200 if smoke else 50_000
        self.run = 100 if smoke else 10_000
        self.seconds = 0.3 if smoke else 5
        self.warmup = 0.1 if smoke else 1
        self.rounds = 1 if smoke else 5
        self.connections = 8 if smoke else 64
        self.writers = 16 if smoke else 256
        self.rest_s = 1 if smoke else 5


class Bench:
    def __init__(self, build, sizes):
        self.build, self.sizes = build, sizes
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-bench-"))
        self.rows = []  # (figure, wanted, measured, held or None)
        self.notes = []
        self.printed = []  # output of other scripts

    # ---- tools --------------------------------------------------------------------------------------------------

    def tool(self, name):
        return str(self.build / "bench" / name)

    def load(self, mode, address, key=None, **options):
        """Runs the load generator; any wrong answer ends the measurement."""
        command = [self.tool("parley_load"), mode, "--address", f"{address[0]}:{address[1]}"]
        options = {"seconds": self.sizes.seconds, "warmup": self.sizes.warmup, **({"key": key} if key else {}), **options}
        for name, value in options.items():
            command += ["--" + name.replace("_", "-"), str(value)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def bare(self, length):
        """Starts the bare transport, without the API, as a process; returns (process, address)."""
        port = servers.free_port()
        process = subprocess.Popen([self.tool("parley_bare_server"), str(port), str(os.cpu_count()), str(length)],
                                   stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection((servers.HOST, port)).close()
                return process, (servers.HOST, port)
            except OSError:
                time.sleep(0.02)
        end(process)
        sys.exit("bench: the bare server does not listen")

    def server(self, *options):
        server = servers.Server("--log-level", "warn", *options)
        server.start()
        return server

    def until(self, true, timeout_s=120):
        """Waits until true() holds, for work that the server does in the background."""
        until = time.monotonic() + timeout_s
        while not true():
            if time.monotonic() > until:
                sys.exit("bench: it never came")
            time.sleep(0.02)

    def timed(self, act):
        begun = time.monotonic()
        done = act()
        return time.monotonic() - begun, done

    def row(self, figure, wanted, measured, held=None):
        self.rows.append((figure, wanted, measured, held))
        print(f"{figure}: {measured} (wanted: {wanted})", flush=True)

    # ---- records ------------------------------------------------------------------------------------------------

    def prepared(self, client, script, repetitions=1):
        """Creates an agent, a scenario with one test, and a running run of the scenario."""
        def create(path, body):
            answer = client.post(path, body)
            if answer.status != 201:
                sys.exit(f"bench: {path}: {answer}")
            return answer.json()["id"]
        agent = create("/agents/", {"name": "bench agent", "type": "EXTERNAL"})
        scenario = create("/scenarios/", {"name": "bench scenario"})
        test = create("/tests/", {"scenario": scenario, "name": "bench test", "instruction": script, "assertions": [
            {"type": "contains", "severity": "BLOCKER", "config": {"value": "reply"}},
            {"type": "max-turns", "config": {"value": 100}}]})
        run = create("/runs/", {"scenario": scenario, "agent": agent, "status": "running", "repetitions": repetitions})
        return {"agent": agent, "run": run, "test": test}

    def seed(self, server, name, count, turns, end, **more):
        """Creates results of a fresh run over many connections; returns (links, file with their ids, figures)."""
        client = server.client()
        links = self.prepared(client, "say: nothing")
        client.close()
        ids = self.folder / name
        figures = self.load("seed", server.address, server.key, count=count, turns=turns, end=end, ids_out=ids,
                            connections=self.sizes.writers, entry_bytes=200, **links, **more)
        if figures["finished"] != count:
            sys.exit(f"bench: {figures['finished']} of {count} results were made")
        return links, ids, figures

    def run_until(self, client, run, is_done, timeout_s=600):
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            shown = client.get(f"/runs/{run}").json()
            if is_done(shown):
                return shown
            time.sleep(0.005)
        sys.exit(f"bench: the run did not get there: {shown}")

    # ---- figures ------------------------------------------------------------------------------------------------

    def measure_stored(self, wanted):
        """Measures stored, ready and get, which share the stored results."""
        count = self.sizes.stored
        server = self.server("--rest-after", f"{self.sizes.rest_s}s")
        try:
            empty = settled_memory(server)
            links, ids, figures = self.seed(server, "stored", count, 5, "yes")
            client = server.client()
            self.run_until(client, links["run"], lambda shown: shown["result"]["completed"] == count)
            client.close()
            self.notes.append(f"{count} results of 10 entries made, ended and scored at "
                              f"{figures['rate']:.0f} requests/s, p99 {figures['p99_ms']:.1f} ms")
            if "stored" in wanted:
                time.sleep(self.sizes.rest_s * 2.5)
                self.stored_memory(server, empty)
            if "ready" in wanted:
                self.ready_time(server)
            if "get" in wanted:
                self.get_ratio(server, ids)
        finally:
            server.remove()

    def stored_memory(self, server, empty):
        count = self.sizes.stored
        used = settled_memory(server)
        server.stop()
        server.start()
        restarted = settled_memory(server)
        self.notes.append(f"anonymous memory: empty {mib(empty)}, after seeding and passivation {mib(used)} (the heap's "
                          f"high-water mark), restarted on the data {mib(restarted)}")
        each = (restarted - empty) / count
        self.row("anonymous memory of a stored, passivated result, after a restart on the data", "0 bytes",
                 f"{max(0.0, each):.1f} bytes", each < 16)
        self.row("the same in the process that made them", "reported", f"{(used - empty) / count:.0f} bytes")

    def ready_time(self, server):
        times = []
        for _ in range(self.sizes.rounds):
            server.stop()
            times.append(server.start())
        self.row(f"ready with {self.sizes.stored:,} stored results", "< 1 s", f"{max(times):.3f} s (the slowest of "
                 f"{len(times)} starts)", max(times) < 1)

    def get_ratio(self, server, ids):
        hot = self.folder / "hot"
        first = ids.read_text().splitlines()[0]
        hot.write_text(first + "\n")
        client = server.client()
        length = len(client.get(f"/test-results/{first.split()[0]}").body)
        client.close()
        bare, bare_address = self.bare(length)
        rates = {"random": [], "hot": [], "bare": []}
        slow = []
        try:
            for number in range(self.sizes.rounds):
                common = {"connections": self.sizes.connections, "seed": number + 1}
                figures = self.load("get", server.address, server.key, ids=ids, **common)
                rates["random"].append(figures["rate"])
                slow.append(figures["p99_ms"])
                rates["bare"].append(self.load("raw", bare_address, path="/", length=length, **common)["rate"])
                rates["hot"].append(self.load("get", server.address, server.key, ids=hot, **common)["rate"])
        finally:
            end(bare)
        random, hot_rate, bare_rate = (statistics.median(rates[name]) for name in ("random", "hot", "bare"))
        self.row(f"GET of 10-entry results at random from {self.sizes.stored:,} ({length} bytes), against a bare handler",
                 ">= 0.65", f"{random / bare_rate:.2f} ({random:,.0f}/s of {bare_rate:,.0f}/s; p99 "
                 f"{statistics.median(slow):.1f} ms)", random / bare_rate >= 0.65)
        self.row("the same, one hot id", "reported", f"{hot_rate / bare_rate:.2f} ({hot_rate:,.0f}/s)")

    def measure_post(self, _):
        server = self.server()
        client = server.client()
        links = self.prepared(client, "say: nothing")
        value_bytes, body_bytes = self.stored_entry_bytes(client, links["agent"])
        bare, bare_address = self.bare(16)
        made = self.folder / "appended"
        rates = {"post": [], "bare": [], "lmdb": []}
        slow, batches = [], sorted({1, 64, self.sizes.writers})
        try:
            for number in range(self.sizes.rounds):
                figures = self.load("append", server.address, server.key, connections=self.sizes.writers,
                                    agent=links["agent"], ids_out=made)
                rates["post"].append(figures["rate"])
                slow.append(figures["p99_ms"])
                self.check_appended(client, made)
                rates["lmdb"].append(self.lmdb_alone(number, value_bytes, batches)["puts_per_second"])
                rates["bare"].append(self.load("raw", bare_address, method="POST", status=201, body_bytes=body_bytes,
                                               connections=self.sizes.writers)["rate"])
            self.paced(server, links["agent"], statistics.median(rates["post"]) / 2, value_bytes)
        finally:
            end(bare)
            client.close()
            server.remove()
        post, bare_rate = statistics.median(rates["post"]), statistics.median(rates["bare"])
        lmdb = {batch: statistics.median(row[str(batch)] for row in rates["lmdb"]) for batch in batches}
        # with one request in progress per connection, no batch of the server can be larger
        alone = lmdb[self.sizes.writers]
        self.row(f"durable POST of 1 KB at {self.sizes.writers} connections, against LMDB alone",
                 ">= 0.7", f"{post / alone:.2f} ({post:,.0f}/s of {alone:,.0f}/s; p99 "
                 f"{statistics.median(slow):.1f} ms)", post / alone >= 0.7)
        self.row("the same, against the bare POST", ">= 0.25", f"{post / bare_rate:.2f} (of {bare_rate:,.0f}/s)",
                 post / bare_rate >= 0.25)
        self.notes.append(f"LMDB alone, values of {value_bytes} bytes, puts/s by batch: "
                          + ", ".join(f"{batch}: {rate:,.0f}" for batch, rate in lmdb.items()))

    def paced(self, server, agent, rate, value_bytes):
        """Paced writes to the server, then to LMDB alone, each after saturated writes: both pay for the disk's backlog."""
        rounds = [self.load("append", server.address, server.key, connections=self.sizes.writers, agent=agent, rate=rate)
                  for _ in range(self.sizes.rounds)]
        reached, p99 = (statistics.median(figures[name] for figures in rounds) for name in ("rate", "p99_ms"))
        self.row("p99 of durable writes at half of saturation, counted from when each was due", "< 10 ms",
                 f"{p99:.1f} ms ({reached:,.0f}/s)", p99 < 10)
        alone = [self.lmdb_alone(number, value_bytes, [self.sizes.writers], rate)["paced"]["p99_ms"]
                 for number in range(self.sizes.rounds)]
        self.row("the same puts at that rate into LMDB alone, after saturated ones", "reported",
                 f"{statistics.median(alone):.1f} ms ({', '.join(f'{each:.1f}' for each in alone)})", None)

    def stored_entry_bytes(self, client, agent):
        """(bytes that an append of the load generator adds to the store, bytes of the body that it sends)."""
        body = {"content": "x" * 1024}
        result = client.post("/test-results/", {"agent": agent}).json()["id"]
        answer = client.post(f"/test-results/{result}/conversation", body, {"Prefer": "return=minimal"}).json()
        text = json.dumps(answer["entry"], separators=(",", ":"))
        return 13 + 36 + len(text), len(json.dumps(body, separators=(",", ":")))  # frame and entry header

    def check_appended(self, client, made):
        """Checks for a sample of conversations that they hold exactly the acknowledged entries."""
        lines = made.read_text().split("\n")[:-1]
        for line in lines[:: max(1, len(lines) // 8)]:
            result, count = line.split()
            found = len(client.get(f"/test-results/{result}").json()["conversation"])
            if found != int(count):
                sys.exit(f"bench: {result} has {found} entries, {count} were acknowledged")

    def lmdb_alone(self, number, value_bytes, batches, rate=None):
        folder = self.folder / f"lmdb{number}"
        done = subprocess.run([self.tool("parley_lmdb_alone"), str(folder), str(value_bytes), str(self.sizes.seconds),
                               str(self.sizes.writers), *map(str, batches), *([f"{rate:.0f}/s"] if rate else [])],
                              capture_output=True, text=True, check=True)
        shutil.rmtree(folder)
        return json.loads(done.stdout)

    def measure_live(self, _):
        server = self.server("--rest-after", "24h")
        try:
            self.seed(server, "warm", self.sizes.writers * 2, 1, "no")  # connections and buffers exist from here on
            before = settled_memory(server)
            self.seed(server, "live", self.sizes.live, 1, "no")
            each = (settled_memory(server) - before) / self.sizes.live
        finally:
            server.remove()
        self.row(f"anonymous memory of a result actor in memory ({self.sizes.live:,} of them)", "<= 4096 bytes",
                 f"{each:.0f} bytes", each <= 4096)

    def measure_ended(self, _):
        server = self.server()
        count = self.sizes.run
        try:
            links, ids, _ = self.seed(server, "ended", count, 1, "no")
            client = server.client()
            begun = time.monotonic()
            figures = self.load("each", server.address, server.key, ids=ids, method="POST",
                                path="/test-results/{}/next-message", status=200, connections=self.sizes.writers)
            shown = self.run_until(client, links["run"], lambda run: run["status"] == "completed")
            taken = time.monotonic() - begun
        finally:
            server.remove()
        if figures["finished"] != count or shown["result"]["completed"] != count or shown["result"]["score"] != 100:
            sys.exit(f"bench: not all were scored: {shown['result']}")
        self.row(f"{count:,} results of one run ended together, scored, run completed", "reported",
                 f"{taken:.2f} s ({figures['rate']:,.0f} ends/s)")

    def measure_canceled(self, _):
        server = self.server()
        count = self.sizes.run
        try:
            links, _, _ = self.seed(server, "canceled", count, 1, "no")
            client = server.client(timeout_s=120)
            begun = time.monotonic()
            answer = client.post(f"/runs/{links['run']}/cancel")
            taken = time.monotonic() - begun
            shown = client.get(f"/runs/{links['run']}").json()
            live = client.get(f"/test-results/?run={links['run']}&status=running&limit=1&output=minimal").json()["total"]
        finally:
            server.remove()
        if answer.status != 200 or shown["result"]["canceled"] != count or live != 0:
            sys.exit(f"bench: not all were canceled: {answer} {shown['result']}")
        self.row(f"cancel-run over {count:,} live results", "reported", f"{taken * 1000:.0f} ms")

    def measure_by_program(self, name):
        """Runs another script of this folder and keeps its output."""
        options = [word for option in PROGRAMS[name] for word in (option, str(self.build))]
        done = subprocess.run([sys.executable, HERE / f"{name}.py", *options], stdout=subprocess.PIPE, text=True, check=True)
        print(done.stdout, flush=True)
        self.printed.append(f"`bench/{name}.py`:\n\n{done.stdout.strip()}\n")


def settled_memory(server):
    """Bytes of anonymous memory once they no longer change."""
    before = server.memory()
    for _ in range(20):
        time.sleep(0.2)
        now = server.memory()
        if abs(now - before) < 64 * 1024:
            break
        before = now
    return server.memory()


def end(process):
    process.terminate()
    process.wait(15)


def mib(count):
    return f"{count / (1 << 20):.1f} MiB"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--smoke", action="store_true")
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    arguments.add_argument("--only", nargs="+", choices=FIGURES, default=list(FIGURES))
    given = arguments.parse_args()
    os.environ.setdefault("PARLEY_BINARY", str(given.build / "parley"))
    bench = Bench(given.build, Sizes(given.smoke))
    try:
        if {"stored", "ready", "get"} & set(given.only):
            bench.measure_stored(given.only)
        for figure in ("post", "live", "ended", "canceled"):
            if figure in given.only:
                getattr(bench, "measure_" + figure)(given.only)
        for figure, module in APART.items():
            if figure in given.only:
                module.measure(bench, given.smoke)
        for figure in PROGRAMS:
            if figure in given.only and not given.smoke:
                bench.measure_by_program(figure)
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    if not given.smoke:
        results_page.write(bench, " ".join(["bench/run.py", *([] if given.only == list(FIGURES) else ["--only", *given.only])]))
    print("bench: done")


if __name__ == "__main__":
    main()
