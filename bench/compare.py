#!/usr/bin/env python3
"""Compares two builds by measuring them alternately, so that both run under the same conditions.

    bench/compare.py BEFORE AFTER [--rounds N]     build folders, such as build/release; BEFORE may belong to another checkout
                                                   and needs only the server, because both use the tools of AFTER

Both servers run all the time and are loaded alternately. Each line is the median ratio of N rounds (AFTER to BEFORE) with
its quartiles. A ratio above 1 means that AFTER is faster or, for `turn_cpu`, uses more CPU."""
import argparse
import contextlib
import os
import pathlib
import shutil
import statistics

from run import Bench, Sizes  # also adds the support folder of the system tests to the path
import driving


class Side:
    """One build with its server and records. Closing `stack` removes everything that it starts and writes."""

    def __init__(self, build, tools, stack):
        os.environ["PARLEY_BINARY"] = str(build / "parley")
        self.bench = Bench(tools, Sizes(smoke=False))
        stack.callback(shutil.rmtree, self.bench.folder)
        self.bench.sizes.seconds, self.bench.sizes.warmup = 2, 0.3
        self.driving = driving.Bench(0.1, tools)
        stack.callback(self.driving.close)
        self.server = self.driving.server
        self.agent = self.bench.prepared(self.driving.http, "say: nothing")["agent"]
        _, self.ids, _ = self.bench.seed(self.server, "get", 20_000, 5, "yes")

    def get(self, number):
        return self.bench.load("get", self.server.address, self.server.key, ids=self.ids, connections=64,
                               seed=number + 1)["rate"]

    def post(self, _):
        return self.bench.load("append", self.server.address, self.server.key, connections=256, agent=self.agent)["rate"]

    def turn_cpu(self, _):
        """Seconds of CPU for 1,000 driven conversations of 10 turns."""
        # The connection was idle during the other measurements, so the server may have closed it.
        self.driving.http.close()
        self.driving.http = self.server.client(timeout_s=120)
        scenario = self.driving.scenario(500, 10)
        begun = self.server.cpu_s()
        run, _ = self.driving.wait(self.driving.launch(scenario, 2, 1_000))
        assert run["result"]["passed"] == 1_000, run
        return self.server.cpu_s() - begun


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("before", type=pathlib.Path)
    options.add_argument("after", type=pathlib.Path)
    options.add_argument("--rounds", type=int, default=10)
    given = options.parse_args()
    with contextlib.ExitStack() as stack:
        sides = [Side(build.resolve(), given.after.resolve(), stack) for build in (given.before, given.after)]
        for figure in ("get", "post", "turn_cpu"):
            ratios, rates = [], ([], [])
            for number in range(given.rounds):
                order = (0, 1) if number % 2 == 0 else (1, 0)
                measured = {side: getattr(sides[side], figure)(number) for side in order}
                ratios.append(measured[1] / measured[0])
                for side in order:
                    rates[side].append(measured[side])
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(f"{figure}: {middle:.3f} ({low:.3f} to {high:.3f}; before {statistics.median(rates[0]):,.2f}, "
                  f"after {statistics.median(rates[1]):,.2f})", flush=True)


if __name__ == "__main__":
    main()
