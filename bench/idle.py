#!/usr/bin/env python3
"""Measures idle connections, an idle server, and the cost of a whole conversation:

    bench/idle.py            10,000 idle connections (memory, CPU, p99 of other requests), the CPU of an idle server, and
                             whole conversations per second: create, 5 turns, score, all durable, with the share of each part
    bench/idle.py --smoke    the same in a tiny size; answers are checked, figures are not judged

The other requests are random GETs over 16 connections, measured in pairs: alternately with and without idle connections."""
import argparse
import json
import multiprocessing
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import server as servers  # noqa: E402  (the path above)

SUM = re.compile(r'parley_http_request_seconds_(sum|count)\{method="(\w+)",route="([^"]+)"\} (\S+)')
PARTS = {("POST", "/test-results"): "create", ("POST", "/test-results/{id}/next-message"): "tester's turns",
         ("POST", "/test-results/{id}/conversation"): "chatbot's replies", ("GET", "/test-results/{id}"): "wait for the score"}


def hold(pipe, address, key):
    """Opens the requested number of connections, sends one request on each, and keeps them open until the next command."""
    request = (f"GET /test-results/?limit=1&output=minimal HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
               f"Authorization: Bearer {key}\r\n\r\n").encode()
    held = []
    while True:
        count = pipe.recv()
        for each in held:
            each.close()
        held = []
        for _ in range(count):
            each = socket.create_connection(address, timeout=20)
            each.sendall(request)
            held.append(each)
        for each in held:
            assert each.recv(65536).startswith(b"HTTP/1.1 200"), "an idle connection was refused"
        pipe.send(len(held))


class Bench:
    def __init__(self, load, smoke):
        self.load_binary, self.smoke = load, smoke
        self.connections = 200 if smoke else 10_000
        self.server = servers.Server("--log-level", "warn")
        self.server.start()
        client = self.server.client()
        self.agent = client.post("/agents/", {"name": "bench", "type": "EXTERNAL"}).json()["id"]
        client.close()
        self.pipe, theirs = multiprocessing.Pipe()
        self.holder = multiprocessing.Process(target=hold, args=(theirs, self.server.address, self.server.key), daemon=True)
        self.holder.start()

    def close(self):
        self.holder.kill()
        self.server.remove()

    def load(self, mode, **options):
        host, port = self.server.address
        words = [self.load_binary, mode, "--address", f"{host}:{port}", "--key", self.server.key]
        for name, value in options.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"idle: {words}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def keep(self, count):
        self.pipe.send(count)
        assert self.pipe.recv() == count
        time.sleep(0.5)

    def idle_share(self):
        """Share of one core that the server uses while no request arrives."""
        seconds = 1 if self.smoke else 20
        before = self.server.cpu_s()
        time.sleep(seconds)
        return (self.server.cpu_s() - before) / seconds

    def resident(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024

    def rest(self):
        """Memory and CPU with and without the connections."""
        alone = self.idle_share()
        before, resident = self.server.memory(), self.resident()
        self.keep(self.connections)
        held, held_resident = self.server.memory(), self.resident()
        beside = self.idle_share()
        self.keep(0)
        row("CPU of an idle server", "reported", f"{alone:.3%} of a core")
        row(f"the same with {self.connections:,} idle connections", "reported", f"{beside:.3%} of a core")
        row(f"memory of {self.connections:,} idle connections", "< 300 MB",
            f"{(held - before) / 1e6:.1f} MB anonymous ({(held - before) / self.connections:.0f} bytes each); the process "
            f"{resident / 1e6:.1f} -> {held_resident / 1e6:.1f} MB resident")

    def others(self):
        """p99 of GETs with and without the idle connections, measured in pairs."""
        ids = self.server.folder / "ids"
        self.load("seed", count=100 if self.smoke else 2_000, turns=5, end="yes", connections=32, agent=self.agent,
                  ids_out=ids, entry_bytes=200, seconds=1, warmup=0)
        seconds = 0.3 if self.smoke else 5
        rises, times = [], []
        for number in range(1 if self.smoke else 5):
            pair = {}
            for count in ((0, self.connections) if number % 2 else (self.connections, 0)):
                self.keep(count)
                pair[count] = self.load("get", ids=ids, connections=16, seconds=seconds, warmup=0.5, seed=number + 1)["p99_ms"]
            rises.append(pair[self.connections] / pair[0] - 1)
            times.append(pair)
        self.keep(0)
        row(f"p99 of GETs beside them, median of {len(rises)} pairs", "+20 % at most",
            f"{statistics.median(rises):+.0%} ({', '.join(f'{p[0]:.1f} -> {p[self.connections]:.1f} ms' for p in times)})")

    def conversations(self, clients):
        before, seconds = self.parts(), 0.5 if self.smoke else 10
        cpu = self.server.cpu_s()
        figures = self.load("conversation", connections=clients, agent=self.agent, turns=5, wait_scored="yes",
                            seconds=seconds, warmup=0)
        cpu = self.server.cpu_s() - cpu
        after = self.parts()
        spent = {name: after[name][0] - before.get(name, (0, 0))[0] for name in after}
        total = sum(spent.values())
        shares = ", ".join(f"{name} {spent[name] / total:.0%}" for name in PARTS.values())
        row(f"whole conversations (create, 5 turns, scored, all durable), {clients} clients", "reported",
            f"{figures['finished'] / figures['seconds']:,.0f}/s, {figures['rate']:,.0f} requests/s, p99 of a request "
            f"{figures['p99_ms']:.1f} ms, {cpu / max(1, figures['finished']) * 1e3:.2f} ms CPU each; time by part: {shares}")

    def parts(self):
        """(seconds, requests) of each part so far."""
        client = self.server.client()  # the server would have closed an older one as idle
        text = client.get("/metrics").body.decode()
        client.close()
        found = {}
        for what, method, route, value in SUM.findall(text):
            if (method, route) in PARTS:
                found.setdefault(PARTS[method, route], [0, 0])[what == "count"] = float(value)
        return found


def row(figure, wanted, measured):
    print(f"| {figure} | {wanted} | {measured} |", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true")
    options.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    given = options.parse_args()
    os.environ.setdefault("PARLEY_BINARY", str(given.build / "parley"))
    bench = Bench(str(given.build / "bench/parley_load"), given.smoke)
    try:
        print("| figure | wanted | measured |\n|---|---|---|")
        bench.rest()
        bench.others()
        for clients in (8,) if given.smoke else (1, 64, 256):
            bench.conversations(clients)
    finally:
        bench.close()


if __name__ == "__main__":
    main()
