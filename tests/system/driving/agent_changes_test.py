#!/usr/bin/env python3
"""Agents that are changed during a conversation, or whose answers are as large as allowed, affect only their own
results (I64, D70); a check of the agent reports the same as a result (D74)."""
from support import cases
from support.driven import Driven
from support.fakes import webhook


class AgentChanges(Driven):
    def test_I64_an_agent_that_changes_its_type_during_a_run_fails_only_its_own_result(self):
        """For each new type, the result fails with the reason or continues with the new type of agent."""
        with webhook.WebhookAgent(latency=0.3) as fake:
            for now in ("EXTERNAL", "LOCAL", "GITHUB", "OPENAI", "DEMO"):
                with self.subTest(now):
                    config = {"EXTERNAL": {}, "LOCAL": {}, "DEMO": {}, "OPENAI": {"url": fake.url, "model": "m"},
                              "GITHUB": {"owner": "o", "repo": "r", "workflow": "w", "ref": "m", "apiUrl": fake.url}}[now]
                    asked = len(fake.requests)
                    agent = self.hosted(fake)
                    run = self.launched(agent, tests=3, maxConcurrentTests=1)
                    session = self.result(agent, isManual=True)
                    self.wait_for(lambda: len(fake.requests) > asked)
                    self.ok(self.http.patch(f"/agents/{agent['id']}", {"type": now, "config": config}))
                    self.entry(session, "hello", type="message", role="tester")
                    self.ended(run)
                    for result in self.results_of(run):
                        if result["status"] == "failed":
                            self.assertEqual(result["metadata"]["error"]["source"], "agent", result)
                        else:
                            self.assertEqual((now, result["status"]), ("DEMO", "completed"), result)
                    self.assertEqual(self.http.get("/readyz").status, 200)

    def test_a_retry_follows_the_current_type_of_its_agent(self):
        with webhook.WebhookAgent() as fake:
            agent = self.hosted(fake)
            [result] = self.results_of(self.ended(self.launched(agent, instruction="say: one")))
            self.ok(self.http.patch(f"/agents/{agent['id']}", {"type": "EXTERNAL"}))
            clone = self.ok(self.retry(result), 201)
            self.assertEqual(self.turn(clone)["message"], "one", "a client drives it now")
            self.ok(self.http.patch(f"/test-results/{clone['id']}", {"status": "canceled"}))
            self.ok(self.http.patch(f"/agents/{agent['id']}", {"type": "HTTP"}))
            self.assertEqual(self.settled(self.ok(self.retry(clone), 201))["score"], 100)

    def test_D73_a_runner_gets_no_work_of_an_agent_that_is_no_longer_local(self):
        beat = {"name": "runner", "unique_identifier": "changes"}
        agent = {"id": self.ok(self.http.post("/agents/local", beat))["agent_id"]}
        made = self.result(agent, testInstruction="say: one")
        self.ok(self.http.patch(f"/agents/{agent['id']}", {"type": "EXTERNAL"}))
        self.assertNotIn("test_result_ids", self.ok(self.http.post("/agents/local", beat)))
        self.ok(self.http.patch(f"/agents/{agent['id']}", {"type": "LOCAL"}))
        self.assertEqual(self.ok(self.http.post("/agents/local", beat))["test_result_ids"], [made["id"]])

    def test_I64_an_agent_may_answer_with_the_widest_metadata(self):
        for count in (999, 1000):
            wide = {f"k{number}": number for number in range(count)}
            with self.subTest(count), webhook.WebhookAgent({"message": "said", "metadata": wide}) as fake:
                [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
                self.assertEqual((result["status"], result["score"]), ("completed", 100), result["metadata"])
                self.assertEqual(len(result["conversation"][1]["metadata"]), count + 1, "with the responseTime")

    def test_D74_a_check_refuses_what_a_result_would(self):
        for actions in ([{"name": "1x", "description": "d"}], [{"name": "a", "description": "d"}] * 2, {}):
            events = [{"name": "form", "public": True, "metadata": {"actions": actions}}]
            with self.subTest(actions), webhook.WebhookAgent({"message": "said", "events": events}) as fake:
                check = self.ok(self.http.post(f"/agents/{self.hosted(fake)['id']}/check"), 200)
                self.assertEqual((check["ok"], check["status"], check["error"]["code"]), (False, 200, "wrong_shape"), check)

    def test_D74_a_check_reports_how_long_it_waited_for_an_answer(self):
        with webhook.WebhookAgent(latency=5) as fake:
            check = self.ok(self.http.post(f"/agents/{self.hosted(fake, timeoutMs=300)['id']}/check"), 200)
        self.assertFalse(check["ok"])
        self.assertGreaterEqual(check["durationMs"], 300)


if __name__ == "__main__":
    cases.main()
