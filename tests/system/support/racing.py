"""Operations started together over real sockets."""
import os
import random
import sys
import threading
import time

from .cases import SystemTest, state_of

FULL = "--full" in sys.argv
if FULL:
    sys.argv.remove("--full")
ROUNDS = int(os.environ.get("PARLEY_ROUNDS", "200" if FULL else "10"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
IDLE_S = 30  # well below the 75 s after which the server closes an idle connection
ASSERTION = {"type": "contains", "config": {"value": "fine"}}


class RacingTest(SystemTest):
    """Each test has a separate scenario, agent and test, and races over connections that are already open."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.clients = [cls.server.client() for _ in range(12)]
        cls.used = {}  # number of a client -> time of its last use
        cls.random = random.Random(SEED)
        print(f"{cls.__name__}: seed {SEED}, {ROUNDS} rounds a row", flush=True)

    @classmethod
    def tearDownClass(cls):
        for client in cls.clients:
            client.close()
        super().tearDownClass()

    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()
        self.test_ = self.a_test(self.scenario_, "say: a\nsay: b\nsay: c", [ASSERTION])

    # ---- tools ------------------------------------------------------------------------------------------------

    def race(self, *requests):
        """Sends all (method, path, body) at once, each on its own connection; returns the answers in the same order."""
        self.warm(len(requests))
        barrier = threading.Barrier(len(requests))
        answers = [None] * len(requests)

        def send(number, request, pause_s):
            barrier.wait()
            # a busy wait, so that the start times differ by less than one step of the server
            until = time.perf_counter() + pause_s
            while time.perf_counter() < until:
                pass
            answers[number] = self.clients[number].send(*request)
        threads = [threading.Thread(target=send, args=(number, request, self.random.uniform(0, 0.0006)))
                   for number, request in enumerate(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        self.assertNotIn(None, answers, "an answer never came")
        for answer in answers:
            self.assertLess(answer.status, 500, answer)
        return answers

    def warm(self, count):
        """Opens the first connections of the pool before a race, including those that were idle for long."""
        now = time.monotonic()
        for number in range(count):
            if now - self.used.get(number, 0) > IDLE_S:
                self.clients[number].close()
                self.ok(self.clients[number].get("/healthz"))
            self.used[number] = now

    def rounds(self):
        return range(ROUNDS)

    def in_run(self, letter, repetitions=2, **body):
        run = self.a_run(self.scenario_, self.agent_, repetitions=repetitions)
        return run, self.in_state(letter, agent=self.agent_, run=run["id"], test=self.test_["id"],
                                  assertionResults=[], **body)

    def operation(self, name, result, run=None):
        path = f"/test-results/{result['id']}"
        return {"NM": ("POST", path + "/next-message"), "FI": ("POST", path + "/finish"),
                "CP": ("POST", path + "/conversation", {"content": "fine"}, {"Prefer": "return=minimal"}),
                "CA": ("PATCH", path, {"status": "canceled"}), "RT": ("POST", path + "/retry"),
                "MO": ("PATCH", path, {"completionMode": "manual"}),
                "AU": ("PATCH", path, {"completionMode": "auto"}),
                "CR": ("POST", f"/runs/{run['id']}/cancel") if run else None}[name]

    def statuses(self, answers):
        return [answer.status for answer in answers]

    def ids_of(self, result):
        return [entry["id"] for entry in self.get_result(result)["conversation"]]

    def finally_(self, result):
        """The result once no work is in progress: S becomes C."""
        after = self.get_result(result)
        return self.settled(result) if state_of(after) == "S" else after
