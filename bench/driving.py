#!/usr/bin/env python3
"""Measures conversations that the server drives, with an agent on the same machine that answers after a fixed time.

    bench/driving.py            2,000 and 10,000 conversations at once, and good ones next to ones that hang
    bench/driving.py --smoke    the same in a tiny size; only the outcome is checked

Ideal: turns x latency / conversations at once, as if the server took no time. Memory: anonymous memory of the server; the
agent is a separate process. The hash shows that each size had the required outcome."""
import argparse
import hashlib
import pathlib
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import server as servers  # noqa: E402  (the path above)

GOT = {"type": "contains", "config": {"value": "said"}}


class Bench:
    def __init__(self, latency, tools=None):
        """`tools`: the build folder with the mock agent; by default that of the server."""
        self.latency = latency
        program = (tools or pathlib.Path(servers.binary()).parent) / "bench/parley_agent"
        self.agent = subprocess.Popen([program, str(round(latency * 1000))], stdout=subprocess.PIPE, text=True)
        self.port = int(self.agent.stdout.readline())
        self.server = servers.Server("--max-conversations", "20000", "--max-calls", "20000", "--log-level", "warn", *self.options())
        self.server.start()
        self.http = self.server.client(timeout_s=120)

    def options(self):
        """Additional options for the server."""
        return ()

    def close(self):
        self.http.close()
        self.server.remove()
        self.agent.kill()
        self.agent.wait()
        self.agent.stdout.close()

    def make(self, path, **body):
        answer = self.http.post(path, body)
        assert answer.status == 201, answer
        return answer.json()

    def scenario(self, tests, turns):
        made = self.make("/scenarios/", name="driven")
        script = "\n".join(f"say: turn {number}" for number in range(turns))
        for number in range(tests):
            self.make("/tests/", scenario=made["id"], name=f"t{number}", instruction=script, assertions=[GOT])
        return made

    def launch(self, scenario, repetitions, at_once, path="turn", timeout_ms=60_000):
        config = {"url": f"http://127.0.0.1:{self.port}/{path}", "timeoutMs": timeout_ms}
        hosted = self.make("/agents/", name="agent", type="HTTP", config=config)
        return self.make("/runs/", scenario=scenario["id"], agent=hosted["id"], status="pending", repetitions=repetitions,
                         maxConcurrentTests=at_once)

    def wait(self, run):
        """(the ended run, the peak of anonymous memory). Memory is read every 0.2 s only: each read makes the kernel count pages."""
        most, due = 0, 0.0
        while True:
            if time.monotonic() >= due:
                most, due = max(most, self.server.memory()), time.monotonic() + 0.2
            now = self.http.get(f"/runs/{run['id']}").json()
            if now["status"] in ("completed", "failed", "canceled"):
                return now, most
            time.sleep(0.02)

    def turns(self):
        """Milliseconds between consecutive calls of a conversation, for the calls since the last request of this list."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/turns") as answer:
            return [float(line) for line in answer.read().split()]


def throughput(bench, tests, repetitions, at_once, turns):
    """Conversations at full concurrency: share of the ideal, memory and CPU."""
    scenario = bench.scenario(tests, turns)
    before, cpu, begun = bench.server.memory(), bench.server.cpu_s(), time.monotonic()
    run, most = bench.wait(bench.launch(scenario, repetitions, at_once))
    took = time.monotonic() - begun
    total = tests * repetitions
    assert (run["result"]["completed"], run["result"]["passed"]) == (total, total), run
    ideal = total * turns * bench.latency / at_once
    print(f"{total} conversations of {turns} turns, {at_once} at once: {took:.2f} s, {ideal / took:.3f} of the ideal, "
          f"{(most - before) / at_once / 1024:.1f} KiB a conversation, {(bench.server.cpu_s() - cpu) / (total * turns) * 1e6:.0f} us CPU a turn")
    return run["result"]["completed"]


def slow_turn(bench, scenario, good):
    """p99 turn time of the good conversations, in milliseconds."""
    bench.turns()
    run, _ = bench.wait(bench.launch(scenario, good, good))
    assert run["result"]["passed"] == good, run
    return statistics.quantiles(bench.turns(), n=100)[98]


def isolation(bench, good, hanging, turns, pairs):
    """p99 turn time of the good conversations, with and without other conversations whose agent hangs."""
    scenario, other = bench.scenario(1, turns), bench.scenario(2, 1)
    rises = []
    for _ in range(pairs):
        alone = slow_turn(bench, scenario, good)
        run = bench.launch(other, hanging // 2, hanging, "hang", 600_000)
        time.sleep(1)
        rises.append(slow_turn(bench, scenario, good) - alone)
        assert bench.http.post(f"/runs/{run['id']}/cancel").status == 200
        bench.wait(run)
    print(f"{good} good conversations beside {hanging} that hang: p99 of a turn rises by {statistics.median(rises):.1f} ms "
          f"(median of {pairs} pairs)")
    return good


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true")
    smoke = options.parse_args().smoke
    outcome = []
    bench = Bench(0.05 if smoke else 0.5)
    try:
        sizes = [(10, 2, 20, 3)] if smoke else [(2_000, 2, 2_000, 4), (2_000, 2, 2_000, 30), (2_000, 5, 10_000, 10)]
        outcome += [throughput(bench, *size) for size in sizes]
        outcome.append(isolation(bench, *((5, 10, 3, 1) if smoke else (100, 2_000, 10, 5))))
    finally:
        bench.close()
    print("outcome", hashlib.sha256(repr(outcome).encode()).hexdigest()[:12])


if __name__ == "__main__":
    main()
