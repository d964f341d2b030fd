"""Detection of hallucinations: the chatbot's claims are traced to earlier entries (D24)."""
import threading
import time

from support.cases import SystemTest

SAYS = [{"type": "contains", "config": {"value": "a"}}]


class Claims(SystemTest):
    def detect(self, run, headers=None):
        return self.http.post(f"/runs/{run['id']}/detect-hallucinations", {}, headers)

    def detected(self, run):
        """Runs a detection and returns the run at its end; checks that its states were seen in order."""
        seen = [self.ok(self.detect(run), 200)["hallucinationStatus"]]
        until = time.monotonic() + 15
        while seen[-1] not in ("completed", "failed") and time.monotonic() < until:
            seen.append(self.get_run(run)["hallucinationStatus"])
        ranks = [("pending", "running", "completed").index(word) for word in seen]
        self.assertEqual(ranks, sorted(ranks))
        self.assertEqual(seen[-1], "completed")
        return self.get_run(run)

    def run_of(self, conversations, **agent):
        """A run with a finished result for each conversation, a list of entries (type, fields) after the only tester turn."""
        scenario, agent = self.scenario(), self.agent(**agent)
        test = self.a_test(scenario, "say: My booking is AB12CD.", SAYS)
        run = self.a_run(scenario, agent, repetitions=len(conversations))
        made = []
        for entries in conversations:
            result = self.result(agent, run=run["id"], test=test["id"])
            self.turn(result)
            for kind, fields in entries:
                self.entry(result, type=kind, **fields)
            self.assertTrue(self.turn(result)["end_chat"])
            made.append(self.settled(result))
        return self.run_becomes(run, "completed"), made

    @staticmethod
    def says(text):
        return "message", {"content": text}

    def claims(self, result):
        return [(row["text"], row["kind"], row["supported"]) for row in self.get_result(result)["claims"]]

    def test_claims_carry_their_source_or_are_unsupported(self):
        price = ("tool", {"name": "price", "metadata": {"arguments": {"guess": 77}, "result": {"total": 1250.5}}})
        run, (made,) = self.run_of([[price, self.says("AB12CD costs $1,250.50, not 77, until 2031-05-01.")]])
        self.assertEqual((run["hallucinationStatus"], made["claims"]), (None, []))
        self.detected(run)
        shown = self.get_result(made)
        tester, tool, message = [entry["id"] for entry in shown["conversation"]]
        self.assertEqual(shown["claims"], [
            {"text": "AB12CD", "entry": message, "kind": "id", "source": tester, "supported": True},
            {"text": "$1,250.50", "entry": message, "kind": "money", "source": tool, "supported": True},
            {"text": "77", "entry": message, "kind": "number", "source": None, "supported": False},
            {"text": "2031-05-01", "entry": message, "kind": "date", "source": None, "supported": False}])
        self.assertGreater(shown["updatedAt"], made["updatedAt"])
        for field in ("conversation", "assertionResults", "score", "metadata", "review"):
            self.assertEqual(shown[field], made[field], field)

    def test_the_knowledge_of_the_agent_supports_its_claims(self):
        talk = [self.says("We close at 18:30. A refund takes 14 days and costs 12 euros.")]
        told = {"metadata": {"knowledge": ["Open until 6:30 pm.", "Refunds: 14 days"]}}
        run, (made,) = self.run_of([talk], **told)
        self.detected(run)
        self.assertEqual(self.claims(made), [("18:30", "time", True), ("14", "number", True), ("12 euros", "money", False)])
        self.assertEqual([row["source"] for row in self.get_result(made)["claims"]], [None] * 3)

    def test_all_finished_results_are_looked_at_and_no_others(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: 41\nsay: 42")
        run = self.a_run(scenario, agent, repetitions=4)
        made = [self.result(agent, run=run["id"], test=test["id"]) for _ in range(4)]
        for result in made:
            self.turn(result)
            self.entry(result, "41 and 42")
        self.converse(made[0], ("43",))
        self.settled(made[0])
        self.ok(self.patch_result(made[1], status="failed"))
        self.converse(made[2], ("43",))
        self.settled(made[2])
        self.ok(self.patch_result(made[2], status="canceled"))
        before = self.get_result(made[3])
        self.detected(run)
        one = [("41", "number", True), ("42", "number", False)]
        self.assertEqual([self.claims(result) for result in made[:3]], [[*one, ("43", "number", False)], one, [*one, ("43", "number", False)]])
        self.assertEqual({**self.get_result(made[3]), "run": None}, {**before, "run": None})
        # the next detection covers a result that has ended since; the others do not change
        shown = [self.get_result(result)["updatedAt"] for result in made[:3]]
        self.converse(made[3])
        self.settled(made[3])
        self.detected(run)
        self.assertEqual(self.claims(made[3]), one)
        self.assertEqual([self.get_result(result)["updatedAt"] for result in made[:3]], shown)

    def test_a_run_of_any_status_can_be_looked_at(self):
        scenario, agent = self.scenario(), self.agent()
        for status in ("new", "running", "completed", "canceled"):
            self.detected(self.a_run(scenario, agent, status))
        canceled, (made,) = self.run_of([[self.says("a 7")]])
        self.ok(self.retry(made), 201)
        self.ok(self.cancel_run(canceled), 200)
        self.detected(canceled)
        self.assertEqual(self.claims(made), [("7", "number", False)], "the replaced result has its claims, too")

    def test_D9_concurrent_triggers_are_one_detection(self):
        run, made = self.run_of([[self.says(f"a {n}")] for n in range(20)])
        answers = []

        def trigger():
            client = self.server.client()
            answers.append(client.post(f"/runs/{run['id']}/detect-hallucinations", {}))
            client.close()
        clients = [threading.Thread(target=trigger) for _ in range(8)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        for answer in answers:
            self.assertIn(self.ok(answer, 200)["hallucinationStatus"], ("pending", "running", "completed"))
        key = {"Idempotency-Key": run["id"]}
        self.ok(self.detect(run, key), 200)
        self.detected(run)
        self.assertEqual(self.detect(run, key).headers["idempotency-replayed"], "true")
        self.assertEqual(self.get_run(run)["hallucinationStatus"], "completed")
        self.assertEqual([self.claims(result) for result in made], [[(str(n), "number", False)] for n in range(20)])

    def test_scoring_again_and_reviews_leave_claims_alone(self):
        run, (made,) = self.run_of([[self.says("a 7")]])
        self.detected(run)
        claims = self.get_result(made)["claims"]
        self.ok(self.http.post(f"/test-results/{made['id']}/rescore", {"preview": False, "assertions": [
            {"id": "x", "type": "contains", "config": {"value": "b"}}]}))
        self.ok(self.http.post(f"/test-results/{made['id']}/review", {}))
        self.assertEqual(self.get_result(made)["claims"], claims)
        clone = self.ok(self.retry(made), 201)
        self.assertEqual((clone["claims"], clone["review"]), ([], None))
        self.assertEqual(self.get_result(made)["claims"], claims)

    def test_an_unknown_run_is_404(self):
        self.problem(self.detect({"id": "nope"}), 404)
        self.problem(self.detect(self.any_agent()), 404)
