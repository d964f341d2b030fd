#!/usr/bin/env python3
"""SIGTERM while something slow is under way: whoever waits is answered (I66, D91), and no work is lost or held against its
result (D51a)."""
import threading
import time

from support import cases
from support.driven import Driven, verdict_of
from support.fakes import model, webhook

CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}


class Stopping(cases.OwnServerTest, Driven):
    def test_I66_a_call_that_outlasts_the_end_of_the_server_is_answered(self):
        self.own_server()
        with webhook.WebhookAgent(latency=60) as fake:
            answers = []
            client = self.server.client(timeout_s=30)
            agent = self.hosted(fake, timeoutMs=60_000)
            asking = threading.Thread(target=lambda: answers.append(client.post(f"/agents/{agent['id']}/check")))
            asking.start()
            self.assertTrue(fake.wait(lambda now: now.in_flight == 1))
            begun = time.monotonic()
            self.assertEqual(self.server.stop(), 0)
            self.assertLess(time.monotonic() - begun, 10.5)
            asking.join()
            client.close()
        [answer] = answers
        self.assertEqual((answer.status, answer.json()["type"]), (503, "/problems/draining"))
        self.assertIn("retry-after", answer.headers)

    def test_D51a_a_server_that_is_stopped_again_and_again_loses_no_verdict(self):
        self.fake = model.Model(lambda asked: verdict_of(asked)).start()
        self.addCleanup(self.fake.stop)
        self.own_server("--judge-url", self.fake.base_url, "--judge-model", "j")
        self.fake.latency = 30
        made = [self.result(testInstruction="say: a", assertionResults=[CRITERION]) for _ in range(3)]
        for result in made:
            self.converse(result, ["hello"])
        for times in range(1, 6):
            self.assertTrue(self.fake.wait(lambda now: len(now.requests) >= 3 * times), times)
            self.server.restart()
        self.fake.latency = 0
        self.server.restart()
        self.http.close()
        self.http = self.server.client()
        for result in made:
            self.assertEqual(self.settled(result)["assertionResults"][0]["status"], "passed")


if __name__ == "__main__":
    cases.main()
