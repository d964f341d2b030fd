#!/usr/bin/env python3
"""Two thousand recorded conversations, uploaded in batches, judged by a model and filtered by the saved verdicts (D107)."""
import concurrent.futures
import json
import time

from support import cases
from support.cases import unique
from support.driven import Driven, verdict_of
from support.fakes import model

LOGS = 2_000
CRITERION = {"type": "criteria", "criteria": "The chatbot is polite.", "severity": "BLOCKER"}


class LogJudging(cases.OwnServerTest, Driven):
    def begin(self, script):
        fake = model.Model(script).start()
        self.addCleanup(fake.stop)
        self.own_server("--fsync", "off", "--judge-url", fake.base_url, "--judge-model", "j")
        return fake

    def log(self, number, content):
        return {"externalId": f"{number} {unique('log')}", "conversation": [{"role": "user", "content": "Where is my order?"},
                                                                           {"role": "chatbot", "content": content}]}

    def uploaded(self, logs):
        lines = "".join(json.dumps(each) + "\n" for each in logs).encode()
        found = self.ok(self.http.post("/external-conversation-logs/batch", lines, {"Content-Type": "application/x-ndjson"}))
        self.assertEqual(found["failed"], 0)
        return [row["id"] for row in found["outcomes"]]

    def test_two_thousand_logs_are_uploaded_judged_and_filtered(self):
        def judge(asked):
            return verdict_of(asked, "failed" if "go away" in asked["messages"][-1]["content"] else "passed")

        fake = self.begin(judge)
        begun = time.monotonic()
        ids = [id_ for start in range(0, LOGS, 500)
               for id_ in self.uploaded([self.log(i, "Please go away." if i % 4 == 0 else "It is on its way.")
                                         for i in range(start, start + 500)])]
        uploaded = time.monotonic()

        def scored(part):
            client = self.server.client(timeout_s=60)
            for id_ in part:
                answer = client.post(f"/external-conversation-logs/{id_}/score",
                                     {"assertions": [CRITERION], "judge": True, "save": True})
                assert answer.status == 200, answer
            client.close()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(scored, [ids[i::8] for i in range(8)]))
        judged = time.monotonic()
        self.assertEqual(len(fake.requests), LOGS)
        for query, total in (("overallPassed=false", LOGS // 4), ("overallPassed=true", LOGS - LOGS // 4), ("minScore=100", 1_500)):
            self.assertEqual(self.ok(self.http.get(f"/external-conversation-logs/?limit=1&{query}"))["total"], total, query)
        filtered = time.monotonic()
        print(f"{LOGS} logs uploaded in {uploaded - begun:.2f} s, judged and saved in {judged - uploaded:.2f} s, "
              f"three filters in {filtered - judged:.2f} s")
        self.assertLess(uploaded - begun, 20)
        [row] = self.ok(self.http.get(f"/external-conversation-logs/{ids[0]}"))["assertionResults"]
        self.assertEqual((row["status"], row["judge"]["model"]), ("failed", "j"))

    def test_a_void_answer_is_asked_again_and_then_an_error(self):
        fake = self.begin(["nonsense"])
        [log] = self.uploaded([self.log(1, "It is on its way.")])
        found = self.ok(self.http.post(f"/external-conversation-logs/{log}/score", {"assertions": [CRITERION, CRITERION], "judge": True}))
        self.assertEqual([row["status"] for row in found["assertionResults"]], ["error", "error"])
        self.assertFalse(found["decided"])
        self.assertEqual(len(fake.requests), 4)
        found = self.ok(self.http.post(f"/external-conversation-logs/{log}/score", {"assertions": [CRITERION]}))
        self.assertEqual((found["assertionResults"][0]["status"], len(fake.requests)), ("skipped", 4))


if __name__ == "__main__":
    cases.main()
