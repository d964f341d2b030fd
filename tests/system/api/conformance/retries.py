"""Retry and lineage (D50; I38-I43)."""
from support.cases import SystemTest, unique

PASSES = {"type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}


class Retries(SystemTest):
    def setUp(self):
        self.scenario_ = self.scenario()
        self.agent_ = self.agent()
        self.test_ = self.a_test(self.scenario_, "say: a", [PASSES])

    def run_with(self, letter, **body):
        """A run with one expected case, and its result in the given state."""
        run = self.a_run(self.scenario_, self.agent_, **body)
        return run, self.in_state(letter, agent=self.agent_, run=run["id"], test=self.test_["id"],
                                  assertionResults=[])

    def test_I38_a_finished_result_is_cloned_and_canceled(self):
        for letter in "CFX":
            with self.subTest(state=letter):
                run, made = self.run_with(letter)
                answer = self.retry(made)
                clone = self.ok(answer, 201)
                self.assertTrue(answer.headers["location"].endswith(clone["id"]))
                self.assertNotEqual(clone["id"], made["id"])
                self.assertEqual((clone["status"], clone["conversation"], clone["score"], clone["isEnded"],
                                  clone["scoringEnqueuedAt"], clone["endReason"], clone["overallPassed"]),
                                 ("pending", [], 0, False, None, None, True))
                self.assertEqual(clone["metadata"]["previous_test_result_id"], made["id"])
                for field in ("test", "agent", "personality", "testInstruction", "testCreatedAt", "completionMode"):
                    self.assertEqual(clone[field], made[field], field)
                self.assertEqual(clone["run"]["id"], run["id"])
                self.assertEqual([row["status"] for row in clone["assertionResults"]], ["pending"])
                self.assertEqual(clone["assertionResults"][0]["id"], made["assertionResults"][0]["id"])
                original = self.get_result(made)
                self.assertEqual((original["status"], original["retiredBy"]), ("canceled", clone["id"]))
                for field in ("conversation", "assertionResults", "endReason", "score", "scoringEnqueuedAt"):
                    self.assertEqual(original[field], made[field], field)

    def test_I42_the_clone_runs_the_identical_case(self):
        _, made = self.run_with("C")
        self.ok(self.http.patch(f"/tests/{self.test_['id']}", {"instruction": "say: changed", "assertions": [],
                                                               "isArchived": True}))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual(clone["testInstruction"], "say: a")
        self.converse(clone)
        after = self.settled(clone)
        self.assertEqual([row["status"] for row in after["assertionResults"]], ["passed"])

    def test_D50_what_a_clone_inherits(self):
        made = self.result(testInstruction="say: a", completionMode="manual", isManual=False,
                           externalLinks=[{"url": "u"}], metadata={"mine": 1}, assertionResults=[PASSES])
        self.ok(self.patch_result(made, status="canceled"))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual((clone["completionMode"], clone["isManual"], clone["externalLinks"]),
                         ("manual", False, [{"url": "u"}]))
        self.assertNotIn("mine", clone["metadata"])
        session = self.result(isManual=True)
        self.ok(self.patch_result(session, status="canceled"))
        self.assertTrue(self.ok(self.retry(session), 201)["isManual"])

    def test_D50_a_retry_is_refused_while_one_is_in_flight(self):
        _, made = self.run_with("C")
        clone = self.ok(self.retry(made), 201)
        self.problem(self.retry(made), 400)
        self.turn(clone)
        self.problem(self.retry(made), 400)
        self.problem(self.retry(clone), 400)
        self.assertEqual(self.get_result(made)["retiredBy"], clone["id"])

    def test_I43_a_clone_is_retried_in_its_turn(self):
        run, made = self.run_with("C")
        lineage = [made]
        for _ in range(3):
            clone = self.ok(self.retry(lineage[-1]), 201)
            self.assertEqual(clone["metadata"]["previous_test_result_id"], lineage[-1]["id"])
            self.converse(clone)
            lineage.append(self.settled(clone))
        after = self.run_becomes(run, "completed")["result"]
        self.assertEqual((after["total"], after["completed"]), (1, 1))

    def test_D50_retrying_the_original_again_retires_the_older_clone(self):
        run, made = self.run_with("C")
        first = self.ok(self.retry(made), 201)
        self.converse(first)
        self.settled(first)
        second = self.ok(self.retry(made), 201)
        self.assertEqual(self.get_result(first)["status"], "canceled")
        self.assertEqual([self.get_result(r)["retiredBy"] for r in (made, first)], [second["id"]] * 2)
        self.assertEqual(self.get_run(run)["result"]["total"], 1)
        self.problem(self.retry(first), 400)

    def test_a_pending_or_running_result_is_not_retried_unless_it_is_stuck(self):
        for letter in "PRW":
            made = self.in_state(letter)
            self.problem(self.retry(made), 400)
            self.assertEqual(self.get_result(made), made)
        session = self.result(isManual=True)
        self.problem(self.retry(session), 400)
        self.assertEqual(self.get_result(session), session)
        with self.scoring_paused():
            self.problem(self.retry(self.in_state("S")), 400)

    def test_I41_a_finished_run_is_reopened(self):
        run, made = self.run_with("C")
        self.run_becomes(run, "completed")
        clone = self.ok(self.retry(made), 201)
        after = self.get_run(run)
        self.assertEqual(after["status"], "running")
        self.assertEqual((after["result"]["total"], after["result"]["score"]), (1, None))
        self.converse(clone)
        self.assertEqual(self.run_becomes(run, "completed")["result"]["score"], 100)

    def test_I41_a_run_that_its_client_failed_is_reopened(self):
        run, made = self.run_with("C", repetitions=2)
        self.ok(self.patch_run(run, status="failed"))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.converse(clone)
        # its client closed the run early, so it no longer waits for the missing case
        self.run_becomes(run, "completed")

    def test_D50_a_run_canceled_by_hand_refuses_and_one_canceled_by_patch_is_reopened(self):
        run, made = self.run_with("C", repetitions=2)
        self.ok(self.cancel_run(run))
        self.problem(self.retry(made), 400)
        self.assertEqual(self.get_result(made)["status"], "completed")
        run, made = self.run_with("C", repetitions=2)
        self.ok(self.patch_run(run, status="canceled"))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.converse(clone)
        self.run_becomes(run, "completed")

    def test_D50_an_original_that_cancel_run_canceled_is_not_retried(self):
        run, made = self.run_with("P")
        self.ok(self.cancel_run(run))
        self.problem(self.retry(made), 400)

    def test_a_preview_is_retried(self):
        made = self.in_state("C")
        clone = self.ok(self.retry(made), 201)
        self.assertIsNone(clone["run"])
        self.assertEqual(clone["testInstruction"], made["testInstruction"])
        self.assertEqual([row["status"] for row in clone["assertionResults"]], ["pending"])

    def test_I17_a_retired_result_is_final(self):
        _, made = self.run_with("C")
        self.ok(self.retry(made), 201)
        before = self.get_result(made)
        self.problem(self.patch_result(made, status="completed"), 409)
        self.problem(self.patch_result(made, status="running"), 409)
        self.problem(self.post_entry(made, "late"), 409)
        self.problem(self.finish(made), 400)
        self.assertEqual(self.get_result(made), before)


class StuckRetries(SystemTest):
    """With --stuck-after 0s, every result without a live driver counts as stuck (D50)."""
    options = ("--stuck-after", "0s")

    def test_D50_a_stuck_result_is_retried_and_stays_canceled(self):
        for letter in "PR":
            with self.subTest(state=letter):
                made = self.in_state(letter)
                clone = self.ok(self.retry(made), 201)
                after = self.get_result(made)
                self.assertEqual((after["status"], after["isEnded"], after["endReason"], after["retiredBy"]),
                                 ("canceled", True, "canceled", clone["id"]))
                self.assertEqual(clone["status"], "pending")

    def test_D50_what_a_runner_holds_and_has_not_started_is_not_stuck(self):
        beat = {"name": "r", "unique_identifier": unique("runner")}
        agent = {"id": self.ok(self.http.post("/agents/local", beat))["agent_id"]}
        made = self.result(agent, testInstruction="say: a")
        self.assertEqual(self.ok(self.http.post("/agents/local", beat))["test_result_ids"], [made["id"]])
        self.problem(self.retry(made), 400)
        self.turn(made)
        self.ok(self.retry(made), 201)

    def test_D50_a_manual_result_that_waits_is_never_stuck(self):
        self.problem(self.retry(self.in_state("W")), 400)

    def test_D50_a_result_that_is_being_scored_is_not_stuck(self):
        with self.scoring_paused():
            self.problem(self.retry(self.in_state("S")), 400)

    def test_D50_a_tester_turn_that_waits_for_its_answer_is_not_activity(self):
        made = self.result(testInstruction="say: a")
        self.turn(made)
        self.ok(self.retry(made), 201)

    def test_D50_what_a_runner_holds_is_not_stuck(self):
        beat = {"name": "runner", "unique_identifier": unique("runner")}
        agent = self.ok(self.http.post("/agents/local", beat))["agent_id"]
        scenario = self.scenario()
        self.a_test(scenario)
        self.create("/runs/", scenario=scenario["id"], agent=agent, status="pending")
        held, = self.ok(self.http.post("/agents/local", beat))["test_result_ids"]
        self.problem(self.retry(held), 400)
        self.assertEqual(self.get_result(held)["status"], "pending")
        self.turn(held)  # the result has started, so no lease holds it
        self.ok(self.retry(held), 201)

    def test_a_stuck_clone_is_in_flight_for_its_original(self):
        made = self.in_state("C")
        clone = self.ok(self.retry(made), 201)
        self.problem(self.retry(made), 400)
        self.ok(self.retry(clone), 201)
