#!/usr/bin/env python3
"""Measures whole conversations of 5 turns with a model as tester, an HTTP agent and a judge, all on the same machine.

    bench/conversations.py                                 1,000 conversations, answers after 0 and after 200 ms
    bench/conversations.py --against OLD --pairs 7         alternates with another program, and prints the ratios
    bench/conversations.py --smoke                         a tiny size; only the outcome is checked

If the machine has other work, the CPU time of the server is less noisy than the wall-clock time."""
import argparse
import hashlib
import os
import statistics
import time

import driving

TURNS = 5
JUDGED = {"type": "criteria", "criteria": "The agent says that it said it."}


class Judged(driving.Bench):
    def options(self):
        url = f"http://127.0.0.1:{self.port}"
        return ("--tester-url", f"{url}/tester/v1", "--tester-model", "m", "--judge-url", f"{url}/judge/v1", "--judge-model", "m",
                "--max-turns", str(TURNS))

    def scenario(self, tests, turns):
        made = self.make("/scenarios/", name="judged")
        for number in range(tests):
            self.make("/tests/", scenario=made["id"], name=f"t{number}", instruction="Ask for it until it is said.", assertions=[JUDGED])
        return made


def measure(latency, count):
    """(wall-clock seconds, CPU seconds, KiB a conversation) for all conversations at once on a fresh server."""
    bench = Judged(latency)
    try:
        made = bench.scenario(1, TURNS)
        before, cpu, begun = bench.server.memory(), bench.server.cpu_s(), time.monotonic()
        run, most = bench.wait(bench.launch(made, count, count))
        took = time.monotonic() - begun
        result = run["result"]
        assert (result["completed"], result["passed"]) == (count, count), run
        return took, bench.server.cpu_s() - cpu, (most - before) / count / 1024
    finally:
        bench.close()


def report(name, latency, count, rounds):
    floor = 2 * TURNS * latency + latency
    took, cpu, memory = (statistics.median(column) for column in zip(*rounds))
    beside = f", {took / floor:.2f} of the floor" if latency else ""
    print(f"{name}: {count} conversations, answers after {latency * 1000:.0f} ms: {took:.2f} s, {count / took:.0f}/s{beside}, "
          f"{cpu / count * 1e6:.0f} us CPU and {memory:.1f} KiB each", flush=True)


def compare(other, latency, count, pairs):
    """Alternates between this program and the other one, and prints both results and their ratios."""
    mine = driving.servers.binary()
    rounds = {mine: [], other: []}
    for number in range(pairs):
        for binary in (mine, other) if number % 2 else (other, mine):
            os.environ["PARLEY_BINARY"] = binary
            rounds[binary].append(measure(latency, count))
    os.environ["PARLEY_BINARY"] = mine
    report("new", latency, count, rounds[mine])
    report("old", latency, count, rounds[other])
    ratios = [(new[0] / old[0], new[1] / old[1]) for new, old in zip(rounds[mine], rounds[other])]
    print(f"new to old, median of {pairs} pairs: time {statistics.median(r[0] for r in ratios):.3f}, "
          f"CPU {statistics.median(r[1] for r in ratios):.3f}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true")
    options.add_argument("--against", help="another program")
    options.add_argument("--pairs", type=int, default=3)
    options.add_argument("--count", type=int, default=1_000)
    options.add_argument("--latency", type=float, nargs="*", default=[0, 0.2], help="seconds")
    given = options.parse_args()
    if given.smoke:
        given.count, given.pairs, given.latency = 10, 1, [0]
    for latency in given.latency:
        if given.against:
            compare(given.against, latency, given.count, given.pairs)
        else:
            report("now", latency, given.count, [measure(latency, given.count) for _ in range(given.pairs)])
    print("outcome", hashlib.sha256(repr(given.count).encode()).hexdigest()[:12])


if __name__ == "__main__":
    main()
