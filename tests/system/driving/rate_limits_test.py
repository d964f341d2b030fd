#!/usr/bin/env python3
"""Rate limits of agents and models (ADR 28): a 429, or a 503 with Retry-After, slows down calls to its origin and does not
count as an attempt. If half of the answers are such, no conversation fails; a chatbot that sometimes hangs slows down no other."""
import random
import re
import threading
import time

from support import cases
from support.driven import Driven, verdict_of
from support.fakes import model, webhook
from support.fakes.base import Reply

CONVERSATIONS = 200
CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}


class Doorkeeper:
    """Rejects a share of the calls, like an overloaded service."""

    def __init__(self, seed, status=429, share=0.5):
        self.random, self.status, self.share = random.Random(seed), status, share
        self.refused = 0

    def __call__(self, answer):
        def respond(asked):
            if self.random.random() >= self.share:
                return answer(asked)
            self.refused += 1
            return Reply({"error": {"message": "slow down"}}, self.status, {"Retry-After": "1"})
        return respond


def tester_turn(asked):
    said = sum(message["role"] == "assistant" for message in asked["messages"])
    return "Hello" if said < 2 else model.tool("end_conversation", {"reason": "tester_ended"})


class RateLimits(cases.OwnServerTest, Driven):
    def begin(self, judge_door, tester_door):
        self.judge = model.Model(judge_door(verdict_of)).start()
        self.tester = model.Model(tester_door(tester_turn)).start()
        for fake in (self.judge, self.tester):
            self.addCleanup(fake.stop)
        self.own_server("--tester-url", self.tester.base_url, "--tester-model", "t", "--judge-url", self.judge.base_url,
                        "--judge-model", "j")

    def metric(self, name):
        text = self.http.get("/metrics").body.decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])

    def test_half_of_429_from_agent_tester_and_judge_fails_nothing(self):
        doors = [Doorkeeper(seed) for seed in (1, 2, 3)]
        self.begin(doors[0], doors[1])
        with webhook.WebhookAgent(doors[2](lambda turn: {"message": "Hello you"})) as fake:
            run = self.launched(self.hosted(fake), instruction="Greet the chatbot.", assertions=[CRITERION],
                                repetitions=CONVERSATIONS, maxConcurrentTests=CONVERSATIONS)
            ended = self.ended(run, timeout_s=240)
            keys = len(fake.keys)
        self.assertEqual((ended["status"], ended["result"]["completed"], ended["result"]["passed"]),
                         ("completed", CONVERSATIONS, CONVERSATIONS), ended["result"])
        self.assertGreater(ended["result"]["warnings"]["rate_limited"], CONVERSATIONS / 2)
        self.assertEqual(keys, 2 * CONVERSATIONS, "each turn keeps its key")
        self.assertTrue(all(door.refused > CONVERSATIONS / 2 for door in doors), [door.refused for door in doors])
        self.assertEqual(self.metric("parley_call_throttled_total"), sum(door.refused for door in doors))
        self.assertGreater(self.metric("parley_call_throttled_wait_milliseconds_total"), 1000)
        log = self.server.log.read_text()
        for word in (f"calls slowed down origin={fake.url}", "model=judge", "model=tester"):
            self.assertIn(word, log)

    def test_a_503_with_retry_after_is_waited_for_and_one_without_is_not(self):
        self.begin(Doorkeeper(1, share=0), Doorkeeper(1, share=0))
        said = iter([Reply("", 503, {"Retry-After": "1"}), {"message": "said"}, {"message": "said"}])
        with webhook.WebhookAgent(lambda turn: next(said)) as fake:
            self.assertEqual(self.ended(self.launched(self.hosted(fake), assertions=[]))["result"]["completed"], 1)
        for reply in (Reply("", 503), Reply("", 429)):
            with webhook.WebhookAgent(lambda turn, reply=reply: reply) as fake:
                [result] = self.results_of(self.ended(self.launched(self.hosted(fake), assertions=[])))
                self.assertEqual((result["metadata"]["error"]["code"], len(fake.requests)), ("bad_status", 1))

    def test_a_check_shows_the_429_immediately(self):
        self.begin(Doorkeeper(1, share=0), Doorkeeper(1, share=0))
        with webhook.WebhookAgent(lambda turn: Reply("", 429, {"Retry-After": "30"})) as fake:
            began = time.monotonic()
            check = self.ok(self.http.post(f"/agents/{self.hosted(fake)['id']}/check"), 200)
        self.assertEqual((check["ok"], check["status"]), (False, 429))
        self.assertLess(time.monotonic() - began, 10)

    def test_a_chatbot_that_hangs_now_and_then_fails_alone_and_slows_no_other(self):
        self.begin(Doorkeeper(1, share=0), Doorkeeper(1, share=0))
        dice, hung, lock = random.Random(5), set(), threading.Lock()

        def latency(request):
            with lock:
                if dice.random() >= 0.1:
                    return 0
                hung.add(request.json()["testResultId"])
            return 60

        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=latency) as hanging, webhook.WebhookAgent(
                lambda turn: {"message": "said"}) as healthy:
            slow = self.launched(self.hosted(hanging, timeoutMs=5000), assertions=[], repetitions=100, maxConcurrentTests=100)
            began = time.monotonic()
            other = self.ended(self.launched(self.hosted(healthy), assertions=[], repetitions=100, maxConcurrentTests=100))
            self.assertLess(time.monotonic() - began, 15)
            self.assertEqual(other["result"]["completed"], 100)
            ended = self.ended(slow, timeout_s=60)
            results = self.results_of(slow)
        failed = {result["id"] for result in results if result["status"] == "failed"}
        self.assertTrue(failed)
        self.assertEqual(failed, hung, "each failure is one that hung")
        self.assertEqual(ended["result"]["completed"], 100 - len(hung))
        for result in results:
            if result["status"] == "failed":
                error = result["metadata"]["error"]
                self.assertEqual((result["endReason"], error["source"], error["code"]), ("agent_error", "agent", "timeout"))


if __name__ == "__main__":
    cases.main()
