"""Reviews: whether a result was a valid trial, the source of its fault, and the effect on scores (D24, D35)."""
from support.cases import SystemTest

FINE = {"id": "fine", "type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
NUMBERS = ("score", "passRate", "passed", "notPassed", "undecided", "coverage")


class Reviews(SystemTest):
    def review(self, result, headers=None, **body):
        return self.http.post(f"/test-results/{result['id']}/review", body, headers)

    def reviewed(self, result):
        """Sends the review and checks that the result shows it."""
        shown = self.ok(self.review(result), 200)
        self.assertEqual(self.get_result(result), shown)
        self.assertTrue(shown["review"]["reason"])
        return shown["review"]

    def outcome(self, result):
        found = self.reviewed(result)
        return found["valid"], found["faultSource"]

    def of_run(self, scripts):
        """A run with a scored result for each pair (script, reply)."""
        scenario, agent = self.scenario(), self.agent()
        tests = [self.a_test(scenario, script, [FINE]) for script, _ in scripts]
        run = self.a_run(scenario, agent)
        made = []
        for test, (_, reply) in zip(tests, scripts):
            result = self.result(agent, run=run["id"], test=test["id"])
            self.converse(result, (reply,))
            made.append(self.settled(result))
        self.run_becomes(run, "completed")
        return run, made

    def numbers(self, run):
        result = self.get_run(run)["result"]
        return {key: result[key] for key in NUMBERS}

    def test_faults_are_attributed_to_their_source(self):
        rows = [
            (self.scored([FINE], ["fine"]), (True, None)),
            (self.scored([FINE], ["wrong"]), (True, "agent")),
            (self.scored([FINE], ["wrong"], "say: a\nsay: a\nsay: a"), (False, "test")),
            (self.scored([FINE], [], "end"), (False, "client")),
            (self.scored([FINE], ["fine"], "say: for {{who}}"), (False, "test")),
            (self.scored([{"criteria": "is polite", "severity": "BLOCKER"}]), (False, "judge")),
            (self.scored([{"type": "cost", "severity": "BLOCKER", "config": {"max": 1}}]), (False, "test")),
            (self.in_state("F"), (False, "client")),
            (self.in_state("X"), (False, None))]
        for result, wanted in rows:
            with self.subTest(result=result["testInstruction"], wanted=wanted):
                self.assertEqual(self.outcome(result), wanted)

    def test_evidence_names_entries_and_the_review_names_who_found_it(self):
        result = self.scored([FINE], ["wrong"], "say: a\nsay: a\nsay: a")
        found = self.reviewed(result)
        turns = [entry["id"] for entry in result["conversation"] if entry["role"] == "tester"]
        self.assertEqual((found["evidence"], found["by"], found["judge"]), (turns, "rules", None))
        self.assertIsNone(result["review"], "before")

    def test_D35_a_void_trial_counts_nowhere_but_in_coverage_and_bounds(self):
        run, (good, _, void) = self.of_run([("say: a", "fine"), ("say: b", "wrong"), ("say: c\nsay: c\nsay: c", "wrong")])
        self.assertEqual(self.numbers(run), {"score": 33, "passRate": 1 / 3, "passed": 1, "notPassed": 2, "undecided": 0,
                                             "coverage": 1})
        self.assertEqual(self.outcome(void), (False, "test"))
        self.assertEqual(self.outcome(good), (True, None))
        self.assertEqual(self.numbers(run), {"score": 50, "passRate": 0.5, "passed": 1, "notPassed": 1, "undecided": 1,
                                             "coverage": 2 / 3})
        shown = self.get_run(run)["result"]
        self.assertEqual(shown["bounds"], {"low": 1 / 3, "high": 2 / 3})
        self.assertEqual(shown["firstAttempts"], {"total": 3, "passed": 1, "notPassed": 1, "score": 50, "passRate": 0.5})
        compared = self.ok(self.http.get(f"/runs/{run['id']}/compare/{run['id']}"))
        self.assertEqual((compared["overall"]["pairs"], compared["overall"]["open"]), (2, 1))

    def test_scoring_again_reviews_again(self):
        run, (result,) = self.of_run([("say: c\nsay: c\nsay: c", "wrong")])
        self.assertEqual(self.outcome(result), (False, "test"))
        self.assertEqual(self.numbers(run)["undecided"], 1)
        self.ok(self.http.post(f"/test-results/{result['id']}/rescore",
                               {"assertions": [{**FINE, "config": {"value": "wrong"}}], "preview": False}))
        after = self.get_result(result)
        self.assertEqual((after["review"]["valid"], after["review"]["faultSource"]), (True, None))
        self.assertEqual(self.numbers(run)["passed"], 1)
        verdicts = self.ok(self.http.get(f"/test-results/{result['id']}/verdicts"))["data"]
        self.assertEqual([row["overallPassed"] for row in verdicts], [True, False])

    def test_a_replaced_result_is_reviewed_as_what_it_was(self):
        run, (result,) = self.of_run([("say: c\nsay: c\nsay: c", "wrong")])
        clone = self.ok(self.retry(result), 201)
        shown = self.get_run(run)["result"]
        self.assertEqual((shown["retries"]["total"], shown["retries"]["answer"]), (1, 1))
        self.assertEqual(self.outcome(result), (False, "test"))
        shown = self.get_run(run)["result"]
        self.assertEqual((shown["retries"]["answer"], shown["retries"]["test"]), (0, 1))
        self.problem(self.review(clone), 409)
        self.converse(clone, ("fine",))
        self.settled(clone)
        shown = self.run_becomes(run, "completed")["result"]
        self.assertEqual((shown["passRate"], shown["firstAttempts"]["passRate"]), (1, None))

    def test_only_a_finished_result_can_be_reviewed(self):
        for letter in "PRW":
            made = self.in_state(letter)
            self.problem(self.review(made), 409)
            self.assertEqual(self.get_result(made), made)
        with self.scoring_paused():
            self.problem(self.review(self.in_state("S")), 409)

    def test_D9_a_repeat_and_a_second_review_change_nothing(self):
        made = self.scored([FINE], ["wrong"])
        key = {"Idempotency-Key": made["id"]}
        first = self.ok(self.review(made, key))
        again = self.review(made, key)
        self.assertEqual((self.ok(again), again.headers["idempotency-replayed"]), (first, "true"))
        self.assertEqual(self.ok(self.review(made)), first)

    def test_faults_of_the_body_and_the_path(self):
        made = self.scored([FINE])
        self.problem(self.review(made, model="yes"), 400, "/model")
        self.problem(self.review({"id": "nope"}), 404)
        self.problem(self.review({"id": made["agent"]["id"]}), 404)
        self.assertIsNone(self.get_result(made)["review"])
