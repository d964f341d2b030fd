#!/usr/bin/env python3
"""Time limits of driven conversations (D47a, D50): the deadline of a conversation, and when
a conversation counts as stuck."""
import time

from support import cases
from support.driven import Driven
from support.fakes import webhook
from support.fakes.base import Reply


class Deadline(Driven):
    options = ("--conversation-deadline", "2s")

    def test_no_attempt_starts_after_the_deadline(self):
        with webhook.WebhookAgent([Reply("busy", 503, {"Retry-After": "1"})]) as fake:
            begun = time.monotonic()
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake, retries=8))))
            self.assertLess(time.monotonic() - begun, 5)
            error = result["metadata"]["error"]
            self.assertEqual((result["status"], result["endReason"], error["code"]), ("failed", "agent_error", "bad_status"))
            self.assertIn("busy", error["detail"])
            self.assertIn(len(fake.requests), (1, 2))


class DeadlineForASlot(Driven):
    options = ("--conversation-deadline", "1s", "--max-calls", "1")

    def test_no_first_attempt_starts_after_the_deadline(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=4) as fake:
            agent = self.hosted(fake)
            first = self.result(agent, testInstruction="say: one")
            fake.wait(lambda now: now.in_flight == 1)
            begun = time.monotonic()
            second = self.settled(self.result(agent, testInstruction="say: one"))
            self.assertLess(time.monotonic() - begun, 3, "it does not wait for the slot")
            self.assertEqual((second["status"], second["endReason"], second["metadata"]["error"]["code"]),
                             ("failed", "timeout", "deadline"))
            self.assertEqual(self.settled(first)["status"], "completed")
            self.assertEqual(len(fake.requests), 1)


class Stuck(Driven):
    options = ("--stuck-after", "0s")

    def test_D50_a_conversation_that_is_being_driven_is_not_stuck(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=0.5) as fake:
            made = self.result(self.hosted(fake), testInstruction="say: one")
            fake.wait(lambda now: now.in_flight == 1)
            self.problem(self.retry(made), 400)
            self.assertEqual(self.settled(made)["status"], "completed")


if __name__ == "__main__":
    cases.main()
