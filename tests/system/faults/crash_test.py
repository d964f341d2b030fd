#!/usr/bin/env python3
"""kill -9 at random instants under 8 writing clients, and SIGTERM under the same load (I1, I3, I7, I66; F1, F42).

    PARLEY_ROUNDS=15 crash_test.py        rounds of kill -9; --full: 200. PARLEY_SEED repeats the instants."""
import os
import random
import sys
import threading
import time

from support import cases, ledger, server
from support.cases import SystemTest

FULL = "--full" in sys.argv
ROUNDS = int(os.environ.get("PARLEY_ROUNDS", "200" if FULL else "15"))
TERM_ROUNDS = max(3, ROUNDS // 10)
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
WRITERS = 8
LOAD_S = 0.3


class CrashTest(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.server = server.Server()
        cls.server.start()
        cls.http = cls.server.client()
        cls.random = random.Random(SEED)
        print(f"seed {SEED}, {ROUNDS} rounds")

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def begin_load(self):
        """Starts writers, which write to a new run until the server is gone; returns (run, writers, threads, faults)."""
        agent = self.agent()
        run = self.a_run(self.scenario(), agent)
        writers = [ledger.Writer(self.server.client(), agent["id"], run["id"], f"w{n}", self.random.random())
                   for n in range(WRITERS)]
        faults = []

        def work(writer):
            try:
                writer.work()
            except Exception as fault:  # any other end of a writer is a fault
                faults.append(repr(fault))
        threads = [threading.Thread(target=work, args=(writer,)) for writer in writers]
        for thread in threads:
            thread.start()
        return run, writers, threads, faults

    def end_load(self, threads, faults):
        for thread in threads:
            thread.join(30)
            self.assertFalse(thread.is_alive(), "a writer hangs on a dead server")
        self.assertEqual(faults, [])

    def restart(self):
        ready_s = self.server.start()
        self.http.close()
        type(self).http = self.server.client()
        return ready_s

    def check(self, run, writers):
        """Checks that everything acknowledged exists; returns the number of checked results."""
        faults = []
        records = [record for writer in writers for record in writer.records]
        for record in records:
            faults += record.faults(self.get_result(record.id))
        self.assertEqual(faults, [])
        for record in records:
            if record.finished:
                after = self.settled(record.id)
                self.assertEqual(after["status"], "completed", after)
                self.assertEqual(after["score"], 100, after)
        open_creations = sum(writer.creation_open for writer in writers)
        total = self.ok(self.http.get(f"/runs/{run['id']}/test-results?limit=1&output=minimal"))["total"]
        self.assertGreaterEqual(total, len(records))
        self.assertLessEqual(total, len(records) + open_creations)
        counted = self.get_run(run)["result"]
        if total:
            self.assertEqual(counted["total"], total)
            states = ("pending", "running", "completed", "failed", "canceled")
            self.assertEqual(sum(counted[state] for state in states), total)
        return len(records)

    def test_F1_nothing_acknowledged_is_lost_by_kill_9(self):
        looked_at = acknowledged = 0
        slowest = 0.0
        history = []
        for number in range(ROUNDS):
            with self.subTest(round=number, seed=SEED):
                run, writers, threads, faults = self.begin_load()
                time.sleep(self.random.uniform(0, LOAD_S))
                self.server.kill()
                self.end_load(threads, faults)
                slowest = max(slowest, self.restart())
                looked_at += self.check(run, writers)
                acknowledged += sum(writer.acknowledged for writer in writers)
                history.append((run, writers))
        # the writes of earlier rounds survive the later crashes too
        for run, writers in history[-20:]:
            self.check(run, writers)
        print(f"{ROUNDS} rounds, {acknowledged} acknowledged operations, {looked_at} results checked, "
              f"slowest start {slowest:.2f} s")
        self.assertGreater(acknowledged, ROUNDS)

    def test_F42_sigterm_under_load_exits_0_within_10_s_and_cuts_no_answer(self):
        slowest = 0.0
        for number in range(TERM_ROUNDS):
            with self.subTest(round=number, seed=SEED):
                run, writers, threads, faults = self.begin_load()
                cuts = watch_cuts(writers)
                time.sleep(self.random.uniform(0.05, LOAD_S))
                begun = time.monotonic()
                self.server.terminate()
                self.assertEqual(self.server.process.wait(10), 0, self.server.log_tail())
                slowest = max(slowest, time.monotonic() - begun)
                self.end_load(threads, faults)
                self.assertEqual(cuts, [])
                self.restart()
                self.check(run, writers)
        print(f"{TERM_ROUNDS} drains, slowest {slowest:.2f} s")


def watch_cuts(writers):
    """Returns a list that receives every answer that was cut off."""
    cuts = []
    for writer in writers:
        plain = writer.client.send

        def send(*arguments, plain=plain):
            try:
                return plain(*arguments)
            except ledger.wire.Cut as cut:
                cuts.append(f"{arguments[:2]}: {cut}")
                raise
        writer.client.send = send
    return cuts


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--full"]
    cases.main()
