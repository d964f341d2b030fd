#!/usr/bin/env python3
"""Mixed load for minutes or hours with a fault every few seconds. Checks the invariants (I1-I10, F1, F13, F18, F42):
no acknowledged write is lost, every conversation ends as it must, memory and descriptors stay flat.

    bench/soak.py                  5 minutes, a fault every 10 s
    bench/soak.py --hours 8        any duration
    bench/soak.py --smoke          14 seconds, a fault every second

Load: clients that write conversations, runs that the server drives against a fake agent, and readers. Faults in the first
half: kill -9, SIGTERM, SIGSTOP/SIGCONT, another process that syncs to the disk, an agent that refuses, hangs or is gone. The
second half has only faults that the server process survives, so that memory growth shows. Ends with `parley doctor`; exit
code 1 for any fault. PARLEY_SEED repeats the order of the faults."""
import argparse
import collections
import itertools
import os
import pathlib
import queue
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from support import ledger, server as servers, wire  # noqa: E402  (the path above)
from support.fakes import base, webhook  # noqa: E402

BROKEN = (wire.Gone, wire.Cut, OSError)
TERMINAL = ("completed", "failed", "canceled")
WRITERS, READERS, DRIVEN_RESULTS = 4, 2, 20
OLD_RECORDS_MAX = 400
SCRIPT = ("one", "two", "three")
GOT = {"type": "contains", "config": {"value": "You said"}, "severity": "BLOCKER"}
GROWTH_BYTES_MAX, GROWTH_SHARE_MAX, DESCRIPTORS_MORE_MAX = 6 << 20, 0.05, 8


class Agent(webhook.WebhookAgent):
    """Answers or causes trouble; remembers the Idempotency-Key of each recent turn and reports a turn with two keys."""

    def __init__(self):
        super().__init__(latency=0.02)
        self.requests = collections.deque(maxlen=10)
        self.trouble = None  # the fields of a base.Reply: a status or a mode
        self.turns_seen = collections.OrderedDict()
        self.faults = []

    async def answer(self, request):
        if self.trouble:
            return base.Reply(**self.trouble)
        turn = request.json()
        place = (turn["testResultId"], turn["turn"])
        if self.turns_seen.setdefault(place, request.key) != request.key:
            self.faults.append(f"turn {place} was asked under two keys")
        while len(self.turns_seen) > 20_000:
            self.turns_seen.popitem(last=False)
        return base.Reply(webhook.echo(turn))


class Soak:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.server = servers.Server("--log-level", "warn", "--rest-after", "3s")
        self.server.start()
        self.agent = Agent().start()
        self.up, self.over = threading.Event(), threading.Event()
        self.up.set()
        self.written = queue.SimpleQueue()  # writers whose connection broke or who are done
        self.driven = queue.SimpleQueue()   # runs that were launched
        self.old = []                       # some checked records, which are checked again
        self.faults = []
        self.counts = collections.Counter()
        self.figures = "too short for a slope"
        self.known = collections.deque(maxlen=500)  # paths for the readers
        client = self.server.client()
        self.external = self.make(client, "/agents/", name="client", type="EXTERNAL")
        self.hosted = self.make(client, "/agents/", name="hosted", type="HTTP",
                                config={**self.agent.config, "timeoutMs": 2000, "retries": 2})
        self.scenario = self.make(client, "/scenarios/", name="soak")
        self.make(client, "/tests/", scenario=self.scenario, name="driven", assertions=[GOT],
                  instruction="\n".join(f"say: {word}" for word in SCRIPT))
        self.other = self.make(client, "/scenarios/", name="written")
        client.close()

    @staticmethod
    def make(client, path, **body):
        answer = client.post(path, body)
        if answer.status != 201:
            sys.exit(f"soak: {path}: {answer}")
        return answer.json()["id"]

    # ---- load ---------------------------------------------------------------------------------------------------

    def insist(self, path, body):
        """Repeats a POST with one key until it is answered; returns the id, or None if it is refused or the soak is over."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        while not self.over.is_set():
            self.up.wait(5)
            try:
                client = self.server.client(timeout_s=10)
                answer = client.post(path, body, key)
                client.close()
            except BROKEN:
                time.sleep(0.05)
                continue
            if answer.status == 201:
                return answer.json()["id"]
            if answer.status not in (409, 503):
                self.faults.append(f"POST {path}: {answer}")
                return None
            time.sleep(0.05)
        return None

    def write(self):
        """Writes results of one run after another; each writer is checked once it is done or its connection broke."""
        while not self.over.is_set():
            run = self.insist("/runs/", {"scenario": self.other, "agent": self.external, "status": "running"})
            if run is None:
                return
            self.up.wait(5)
            try:
                client = self.server.client(timeout_s=10)
            except OSError:
                continue
            writer = ledger.Writer(client, self.external, run, "w", random.random())
            try:
                for _ in range(25):
                    if self.over.is_set():
                        break
                    writer.one_result()
                    time.sleep(0.01)
            except BROKEN:
                self.counts["lines broken"] += 1
            except ledger.Refused as fault:
                self.faults.append(str(fault))
            client.close()
            self.counts["acknowledged writes"] += writer.acknowledged
            self.known.extend(f"/test-results/{record.id}" for record in writer.records)
            self.written.put(writer)

    def drive(self):
        while not self.over.is_set():
            run = self.insist("/runs/", {"scenario": self.scenario, "agent": self.hosted, "status": "pending",
                                         "repetitions": DRIVEN_RESULTS})
            if run is None:
                return
            self.known.append(f"/runs/{run}")
            self.driven.put(run)
            self.over.wait(2)

    def read(self):
        dice = random.Random()
        while not self.over.is_set():
            self.up.wait(5)
            try:
                client = self.server.client(timeout_s=10)
                for _ in range(200):
                    path = dice.choice([*self.known][-50:] or ["/runs/"])
                    answer = client.get(dice.choice((path, path, "/runs/?limit=5", "/test-results/?limit=5&output=minimal")))
                    if answer.status != 200 and answer.status != 503:
                        self.faults.append(f"GET {path}: {answer}")
                    self.counts["reads"] += 1
                    time.sleep(0.002)
                client.close()
            except BROKEN:
                time.sleep(0.05)

    # ---- faults -------------------------------------------------------------------------------------------------

    def kill(self):
        self.up.clear()
        self.server.kill()
        self.start()

    def term(self):
        self.up.clear()
        if (code := self.server.stop()) != 0:
            self.faults.append(f"ended with {code}: {self.server.log_tail(500)}")
        self.start()

    def start(self):
        ready_s = self.server.start()
        self.counts["slowest start, ms"] = max(self.counts["slowest start, ms"], round(ready_s * 1000))
        self.up.set()

    def freeze(self):
        self.server.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        self.server.process.send_signal(signal.SIGCONT)

    def busy_disk(self):
        """Another process syncs large blocks to the same disk."""
        until = time.monotonic() + 2
        with open(self.server.folder / "noise", "wb") as noise:
            while time.monotonic() < until:
                noise.seek(0)
                noise.write(os.urandom(1 << 20) * 8)
                noise.flush()
                os.fsync(noise.fileno())

    def refuse(self):
        self.trouble({"status": 503})

    def hang(self):
        self.trouble({"mode": "hang"})

    def away(self):
        self.agent.stop()
        time.sleep(1)
        self.agent.start()

    def trouble(self, how):
        self.agent.trouble = how
        time.sleep(1.5)
        self.agent.trouble = None

    # ---- invariants ---------------------------------------------------------------------------------------------

    def check(self, client):
        while not self.written.empty():
            writer = self.written.get()
            for record in writer.records:
                self.check_record(client, record)
            self.old.extend(writer.records)
        self.dice.shuffle(self.old)
        for record in self.old[:10]:
            self.check_record(client, record)
        del self.old[OLD_RECORDS_MAX:]
        while not self.driven.empty():
            self.check_run(client, self.driven.get())
        self.faults += self.agent.faults
        self.agent.faults = []

    def until(self, client, path, timeout_s=60):
        end = time.monotonic() + timeout_s
        while True:
            now = client.get(path).json()
            if now["status"] in TERMINAL or time.monotonic() > end:
                return now
            time.sleep(0.05)

    def check_record(self, client, record):
        path = f"/test-results/{record.id}"
        self.faults += record.faults(client.get(path).json())
        if record.finished:
            after = self.until(client, path)
            if (after["status"], after["score"]) != ("completed", 100):
                self.faults.append(f"{record.id} was finished and is {after['status']}, {after['score']}")
        self.counts["conversations checked"] += 1

    def check_run(self, client, run):
        now = self.until(client, f"/runs/{run}")
        if now["status"] not in TERMINAL:
            self.faults.append(f"run {run} never ends: {now['result']}")
        expected = list(itertools.chain(*((("tester", word), ("chatbot", f"You said: {word}")) for word in SCRIPT)))
        for row in client.get(f"/runs/{run}/test-results?limit=100").json()["data"]:
            said = [(entry["role"], entry["content"]) for entry in row["conversation"]]
            source = row["metadata"].get("error", {}).get("source")
            is_right = said == expected if row["status"] == "completed" else (
                row["status"] == "failed" and source == "agent" and said == expected[:len(said)])
            if not is_right:
                self.faults.append(f"driven {row['id']} is {row['status']}, {source}: {said}")
            self.counts["driven conversations " + row["status"]] += 1

    def prove(self, client):
        """Shows that the checks can fail: they must detect a write that never happened, and growth."""
        kept, self.faults = self.faults, []
        record = next((record for record in self.old if record.entries), None)
        if record:
            record.entries.append(("no such id", "message", "never written", None))
            self.check_record(client, record)
            del self.old[self.old.index(record)]
        noticed = [bool(self.faults) or record is None]
        self.faults = []
        self.flatness([(at, at << 20, at) for at in range(90)])
        noticed.append(len(self.faults) == 2)
        self.faults = kept
        if not all(noticed):
            self.faults.append(f"the checks notice nothing: {noticed}")

    # ---- the soak -----------------------------------------------------------------------------------------------

    def run(self, seconds, every):
        jobs = [self.write] * WRITERS + [self.read] * READERS + [self.drive]
        threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        begun = time.monotonic()
        alive = (self.freeze, self.busy_disk, self.refuse, self.hang, self.away)
        self.phase(begun + seconds / 2, every, (self.kill, self.term, self.kill, *alive))
        self.warm_up()
        samples = self.phase(time.monotonic() + seconds / 2, every, alive)
        self.over.set()
        for thread in threads:
            thread.join(30)
        client = self.server.client(timeout_s=60)
        self.check(client)
        self.prove(client)
        client.close()
        self.agent.stop()
        time.sleep(4)  # idle actors leave memory, and idle connections are closed
        self.flatness(samples)
        if (code := self.server.stop()) != 0:
            self.faults.append(f"ended with {code}")
        doctor = subprocess.run([servers.binary(), "doctor", "--data", str(self.server.data)], capture_output=True,
                                text=True, check=False)
        if doctor.returncode != 0:
            self.faults.append(f"doctor: {doctor.stdout}{doctor.stderr}")

    def phase(self, end, every, faults):
        """Causes faults in random order, each followed by checks; returns samples (seconds, bytes, descriptors)."""
        samples, begun, order = [], time.monotonic(), []
        due = begun + every
        while time.monotonic() < end and len(self.faults) < 20:
            samples.append((time.monotonic() - begun, self.server.memory(), self.descriptors()))
            time.sleep(min(0.5, every / 4))
            if time.monotonic() < due:
                continue
            order = order or self.dice.sample(faults, len(faults))
            fault = order.pop()
            fault()
            self.counts[f"fault: {fault.__name__}"] += 1
            client = self.server.client(timeout_s=60)
            self.check(client)
            client.close()
            due = max(due + every, time.monotonic() + every / 2)
        return samples

    def warm_up(self):
        """Waits until the process, which may have just started, has opened its long-lived connections."""
        most, until = 0, time.monotonic() + 10
        since = time.monotonic()
        while time.monotonic() < min(until, since + 2):
            if self.descriptors() > most:
                most, since = self.descriptors(), time.monotonic()
            time.sleep(0.1)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def flatness(self, samples):
        """Compares the last third of the samples with the second third; the first third is the warm-up."""
        third = len(samples) // 3
        if third < 2:
            return
        early, late = samples[third:2 * third], samples[-third:]
        memory = [statistics.median(row[1] for row in rows) for rows in (early, late)]
        handles = [statistics.median(row[2] for row in rows) for rows in (early, late)]
        slope = statistics.linear_regression([row[0] for row in samples[third:]], [row[1] for row in samples[third:]]).slope
        self.figures = (
            f"memory {memory[0] / 2**20:.1f} -> {memory[1] / 2**20:.1f} MiB (slope {slope * 60 / 1024:+.1f} KiB/min), "
            f"descriptors {handles[0]:.0f} -> {handles[1]:.0f}, at rest {self.descriptors()}")
        if memory[1] - memory[0] > GROWTH_BYTES_MAX + GROWTH_SHARE_MAX * memory[0]:
            self.faults.append(f"memory grows: {memory}")
        if handles[1] - handles[0] > DESCRIPTORS_MORE_MAX:
            self.faults.append(f"descriptors grow: {handles}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true")
    options.add_argument("--minutes", type=float, default=5)
    options.add_argument("--hours", type=float)
    options.add_argument("--every", type=float, default=10, help="seconds from one fault to the next")
    given = options.parse_args()
    seconds = 14 if given.smoke else given.hours * 3600 if given.hours else given.minutes * 60
    seed = int(os.environ.get("PARLEY_SEED", random.randrange(10**9)))
    print(f"seed {seed}, {seconds:.0f} s", flush=True)
    soak = Soak(seed)
    try:
        soak.run(seconds, 1 if given.smoke else given.every)
    finally:
        soak.agent.stop()
        soak.server.remove()
    print(soak.figures)
    for name, count in sorted(soak.counts.items()):
        print(f"{name}: {count:,}")
    for fault in soak.faults[:20]:
        print("FAULT", fault)
    print("held" if not soak.faults else f"{len(soak.faults)} faults")
    sys.exit(1 if soak.faults else 0)


if __name__ == "__main__":
    main()
