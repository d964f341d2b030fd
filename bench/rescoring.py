#!/usr/bin/env python3
"""Measures how fast stored conversations are rescored: runs of 10,000, 30,000 and 100,000 results of 20 entries, ten
assertions each, page by page over a few connections, first as a preview, then saved; and how long a GET takes meanwhile.

    bench/rescoring.py                  all sizes; making the conversations takes longer than rescoring them
    bench/rescoring.py --data DIR       the same; the conversations are made once and kept in DIR
    bench/rescoring.py --smoke          a tiny size; only the outcome is checked

The hash shows that each size had the required outcome."""
import argparse
import hashlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import server as servers  # noqa: E402  (the path above)

TURNS = 10
CONNECTIONS = 4
GETS_A_SECOND = 200
WANTED_S, WANTED_COUNT = 20, 100_000

# One of each family. The first two flip when they are rescored.
ASSERTIONS = [
    {"id": "a0", "type": "contains", "severity": "BLOCKER", "config": {"value": "A reply of the chatbot", "scope": "all"}},
    {"id": "a1", "type": "regex", "config": {"pattern": "(?i)reply of the [a-z]+bot\\."}},
    {"id": "a2", "type": "icontains", "config": {"value": "REFUND", "negate": True}},
    {"id": "a3", "type": "contains-any", "config": {"values": ["sorry", "apologies", "reply"], "scope": "first"}},
    {"id": "a4", "type": "tool-not-called", "config": {"name": "delete_account"}},
    {"id": "a5", "type": "no-loop", "config": {"of": "tools"}},
    {"id": "a6", "type": "word-count", "config": {"max": 80, "scope": "all"}},
    {"id": "a7", "type": "response-time", "config": {"max": 10000, "p95": 4000}},
    {"id": "a8", "type": "tokens", "config": {"max": 20000}},
    {"id": "a9", "type": "max-turns", "config": {"value": 12}},
]


def asked(word):
    """The ten assertions, the first two with `word` instead of their own value."""
    again = [{**row, "config": {**row["config"], ("value" if "value" in row["config"] else "pattern"): word}}
            for row in ASSERTIONS[:2]]
    return again + ASSERTIONS[2:]


class Bench:
    def __init__(self, load, data):
        self.load = load
        self.server = servers.Server("--log-level", "warn")
        if data:
            self.server.data = data
        self.server.start()
        self.http = self.server.client(timeout_s=120)

    def close(self):
        self.http.close()
        self.server.stop()
        self.server.remove()

    def get(self, path):
        """GET over a new connection: the server closes an older one as idle while a page is scored."""
        client = self.server.client(timeout_s=120)
        answer = client.get(path).json()
        client.close()
        return answer

    def make(self, path, **body):
        answer = self.http.post(path, body)
        assert answer.status == 201, answer
        return answer.json()["id"]

    def seed(self, count):
        """A run with `count` scored results; an existing one is reused."""
        self.http.close()
        name = f"rescored {count}"
        for made in self.get("/scenarios/?limit=100")["data"]:
            if made["name"] == name:
                return self.get(f"/runs/?scenario={made['id']}")["data"][0]["id"]
        agent = self.make("/agents/", name="bench agent", type="EXTERNAL")
        scenario = self.make("/scenarios/", name=name)
        test = self.make("/tests/", scenario=scenario, name="bench test", instruction="say: nothing",
                         assertions=ASSERTIONS)
        run = self.make("/runs/", scenario=scenario, agent=agent, status="running")
        host, port = self.server.address
        done = subprocess.run(
            [self.load, "seed", "--address", f"{host}:{port}", "--key", self.server.key, "--count", str(count),
             "--turns", str(TURNS), "--end", "yes", "--connections", "64", "--entry-bytes", "200", "--agent", agent,
             "--run", run, "--test", test, "--seconds", "1", "--warmup", "0"], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["finished"] == count, done.stdout
        while self.get(f"/runs/{run}")["result"]["completed"] < count:
            time.sleep(0.2)
        return run

    def rescore(self, run, count, assertions, preview):
        """(seconds for all pages, seconds for the slowest page, {(flips, saved, problem): number of such results})."""
        limit = min(1_000, count)
        pages = list(range(1, (count + limit - 1) // limit + 1))
        seen, longest, lock = {}, [0.0], threading.Lock()

        def work():
            client = self.server.client(timeout_s=120)
            while True:
                with lock:
                    if not pages:
                        break
                    page = pages.pop(0)
                begun = time.monotonic()
                answer = client.post(f"/runs/{run}/rescore?page={page}&limit={limit}&sortOrder=asc",
                                     {"assertions": assertions, "preview": preview})
                took = time.monotonic() - begun
                assert answer.status == 200, answer
                rows = answer.json()["data"]
                with lock:
                    longest[0] = max(longest[0], took)
                    for row in rows:
                        key = (len(row["flips"]), row["saved"], row["problem"])
                        seen[key] = seen.get(key, 0) + 1
            client.close()

        workers = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
        begun = time.monotonic()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.monotonic() - begun, longest[0], seen

    def measure(self, run, count, word):
        ids = [row["id"] for row in
               self.get(f"/test-results/?run={run}&limit={min(count, 1_000)}&output=minimal")["data"]]
        alone = self.beside(ids, lambda: time.sleep(min(3.0, count / 2_000)))[1]
        cpu = self.server.cpu_s()
        (preview_s, page_s, seen), beside_preview = self.beside(ids, lambda: self.rescore(run, count, asked(word), True))
        assert seen == {(2, False, None): count}, seen
        preview_cpu, cpu = self.server.cpu_s() - cpu, self.server.cpu_s()
        (saved_s, saved_page_s, seen), beside_save = self.beside(
            ids, lambda: self.rescore(run, count, asked(word), False))
        assert seen == {(2, True, None): count}, seen
        save_cpu = self.server.cpu_s() - cpu
        assert self.get(f"/runs/{run}")["result"]["passed"] == 0
        back = self.rescore(run, count, ASSERTIONS, False)[2]
        assert back == {(2, True, None): count}, back
        print(f"| {count:,} | {preview_s:.2f} s ({preview_cpu / count * 1e6:.0f} us CPU each, page {page_s:.2f} s) "
              f"| {saved_s:.2f} s ({save_cpu / count * 1e6:.0f} us CPU each, page {saved_page_s:.2f} s) "
              f"| {alone:.1f} ms | {beside_preview:.1f} ms | {beside_save:.1f} ms |", flush=True)
        return count

    def beside(self, ids, act):
        """Returns the value of act(), and the p99 in ms of GETs of random results at a steady rate while it runs."""
        times, over = [], threading.Event()

        def ask():
            client, dice, due = self.server.client(), random.Random(1), time.monotonic()
            while not over.is_set():
                begun = time.monotonic()
                assert client.get(f"/test-results/{dice.choice(ids)}").status == 200
                times.append((time.monotonic() - begun) * 1000)
                due += 1 / GETS_A_SECOND
                time.sleep(max(0.0, due - time.monotonic()))
            client.close()

        reader = threading.Thread(target=ask)
        reader.start()
        try:
            given = act()
        finally:
            over.set()
            reader.join()
        return given, statistics.quantiles(times, n=100)[98] if len(times) > 1 else 0.0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true")
    options.add_argument("--data", type=pathlib.Path)
    options.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, WANTED_COUNT])
    options.add_argument("--seed-only", action="store_true", help="make the conversations and end")
    options.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    given = options.parse_args()
    os.environ.setdefault("PARLEY_BINARY", str(given.build / "parley"))
    outcome = []
    bench = Bench(str(given.build / "bench/parley_load"), given.data)
    try:
        sizes = [60] if given.smoke else given.sizes
        runs = [bench.seed(size) for size in sizes]
        bench.server.restart()
        bench.http = bench.server.client(timeout_s=120)
        if given.seed_only:
            return
        print("| results | preview | saved | p99 of a GET alone | beside a preview | beside saving |\n|---|---|---|---|---|---|")
        for number, (size, run) in enumerate(zip(sizes, runs, strict=True)):
            outcome.append(bench.measure(run, size, f"never said {number}"))
    finally:
        bench.close()
    print("outcome", hashlib.sha256(repr(outcome).encode()).hexdigest()[:12])


if __name__ == "__main__":
    main()
