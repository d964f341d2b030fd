"""Operations started together over real sockets."""
import os
import random
import threading
import time

from .cases import SystemTest, state_of

ROUNDS = int(os.environ.get("PARLEY_ROUNDS", "20"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
ASSERTION = {"type": "contains", "config": {"value": "fine"}}


class RacingTest(SystemTest):
    """A scenario, an agent and a test of its own for each test; races over connections that are open already."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.clients = [cls.server.client() for _ in range(12)]
        cls.random = random.Random(SEED)
        print(f"seed {SEED}")

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
        """Sends all (method, path, body) at once, each on its own connection; the answers in the same order."""
        barrier = threading.Barrier(len(requests))
        answers = [None] * len(requests)

        def send(number, request, pause_s):
            barrier.wait()
            # a busy wait: starts differ by less than a step of the server
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
        """Once nothing is in flight any more: S becomes C."""
        after = self.get_result(result)
        return self.settled(result) if state_of(after) == "S" else after
