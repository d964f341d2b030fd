"""How a run starts, launches, completes and reopens, and its counters (D35, D40, D43, D44, D45)."""
import collections
import concurrent.futures
import contextlib
import itertools

from support.cases import SystemTest

PASSES = {"type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
FAILS = {"type": "contains", "severity": "BLOCKER", "config": {"value": "never said"}}


class RunLife(SystemTest):
    def setUp(self):
        self.scenario_ = self.scenario()
        self.agent_ = self.agent()

    def fresh(self, status="running", **body):
        return self.a_run(self.scenario_, body.pop("agent", self.agent_), status, **body)

    def made(self, run, test, **body):
        return self.result(self.agent_, run=run["id"], test=test["id"], **body)

    def played(self, run, test, replies=("fine",), **body):
        result = self.made(run, test, **body)
        self.converse(result, replies)
        return self.settled(result)

    def results_of(self, run):
        return self.ok(self.http.get(f"/runs/{run['id']}/test-results?limit=1000"))

    def test_D40_a_run_runs_with_its_first_running_result(self):
        test = self.a_test(self.scenario_)
        for status in ("new", "pending"):
            run = self.fresh(status)
            result = self.made(run, test)
            self.assertEqual(self.get_run(run)["status"], status)
            self.turn(result)
            self.assertEqual(self.get_run(run)["status"], "running")

    def test_R2_25_cases_of_one_test_have_the_personalities_of_its_configs_in_their_order(self):
        test = self.a_test(self.scenario_)
        hasty, calm, own = (self.create("/personalities/", name=name)["id"] for name in ("hasty", "calm", "own"))
        configs = [{"test": test["id"], "personality": hasty, "repetitions": 2}, {"test": test["id"]},
                   {"test": test["id"], "personality": calm, "repetitions": 3}]
        run = self.fresh("new", testConfigs=configs, personality=own)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            made = list(pool.map(lambda _: self.post_of_its_own(run, test), range(6)))
        made.append(self.made(run, test)["id"])
        results = self.results_of(run)["data"]
        played = [result["personality"]["id"] for result in sorted(results, key=lambda each: each["createdAt"] + each["id"])]
        self.assertEqual(collections.Counter(played), {hasty: 2, own: 1, calm: 4}, "the last config stands beyond the plan")
        self.assertEqual(len(set(made)), 7)
        chosen = self.made(run, test, personality=hasty)
        self.assertEqual(chosen["personality"]["id"], hasty)

    def test_R2_25_a_personality_that_is_missing_is_played_next(self):
        test = self.a_test(self.scenario_, "say: a")
        hasty, calm = (self.create("/personalities/", name=name)["id"] for name in ("hasty", "calm"))
        configs = [{"test": test["id"], "personality": one} for one in (hasty, calm)]
        run = self.fresh("pending", testConfigs=configs)
        first, second = self.made(run, test), self.made(run, test)
        self.assertEqual([made["personality"]["id"] for made in (first, second)], [hasty, calm])
        self.converse(first)
        self.settled(first)
        self.ok(self.http.send("DELETE", f"/test-results/{first['id']}"), 204)
        self.assertEqual(self.made(run, test)["personality"]["id"], hasty, "the one that was deleted")
        run = self.fresh("pending", testConfigs=configs)
        self.assertEqual(self.made(run, test, personality=calm)["personality"]["id"], calm)
        self.assertEqual(self.made(run, test)["personality"]["id"], hasty, "the client chose the other one itself")

    def post_of_its_own(self, run, test):
        with contextlib.closing(self.server.client()) as http:
            body = {"agent": self.agent_["id"], "run": run["id"], "test": test["id"]}
            return self.ok(http.post("/test-results/", body), 201)["id"]

    def test_D44_a_client_that_saw_the_last_result_end_finds_the_run_completed(self):
        test = self.a_test(self.scenario_, "say: a")
        for word in ("completed", "failed", "canceled"):
            for _ in range(10):
                run = self.fresh("new")
                result = self.made(run, test)
                if word == "completed":
                    self.converse(result)
                    while self.get_result(result)["status"] != "completed":
                        pass
                else:
                    self.ok(self.patch_result(result, status=word))
                self.assertEqual(self.get_run(run)["status"], "completed", word)

    def test_D40_a_result_that_never_ran_starts_no_run(self):
        test = self.a_test(self.scenario_)
        for word in ("canceled", "failed"):
            run = self.fresh("new", repetitions=2)
            self.ok(self.http.patch(f"/test-results/{self.made(run, test)['id']}", {"status": word}))
            last = self.made(run, test)
            self.assertEqual(self.get_run(run)["status"], "new")
            self.ok(self.http.patch(f"/test-results/{last['id']}", {"status": word}))
            self.run_becomes(run, "completed")

    def test_D44_a_run_completes_when_every_expected_case_has_ended(self):
        one, two = self.a_test(self.scenario_, "say: a"), self.a_test(self.scenario_, "say: b")
        self.a_test(self.scenario_, isEnabled=False)
        archived = self.a_test(self.scenario_)
        self.ok(self.http.patch(f"/tests/{archived['id']}", {"isArchived": True}))
        run = self.fresh()
        for _ in range(2):  # two results of one case do not replace the missing result of the other
            self.played(run, one)
        # a run completes a moment after its last result: when a later run has completed, this one would have completed too
        other = self.fresh(testConfigs=[{"test": two["id"]}])
        self.played(other, two)
        self.run_becomes(other, "completed")
        self.assertEqual(self.get_run(run)["status"], "running")
        self.played(run, two)
        self.run_becomes(run, "completed")

    def test_D35_surplus_results_of_one_test_do_not_count_for_another(self):
        one, _ = self.a_test(self.scenario_, "say: a"), self.a_test(self.scenario_, "say: b")
        run = self.fresh()
        for _ in range(2):
            self.played(run, one)
        shown = self.get_run(run)["result"]
        self.assertEqual((shown["total"], shown["coverage"]), (2, 2 / 3))
        self.assertLess(shown["bounds"]["low"], 1)

    def test_D44_a_client_that_saw_the_last_result_end_cannot_act_on_an_unfinished_run(self):
        """The record of the run is committed after its last result; no client may be able to act between the two commits."""
        test = self.a_test(self.scenario_, "say: a")
        for number in range(30):
            run = self.fresh()
            made = self.made(run, test)
            self.turn(made)
            self.entry(made, "fine")
            self.turn(made)
            self.ok(self.http.get(f"/test-results/{made['id']}", {"Prefer": "wait=5"}), 200)
            self.assertEqual(self.settled(made)["run"]["status"], "completed")
            if number % 3 == 0:
                self.problem(self.cancel_run(run), 400)
            elif number % 3 == 1:
                self.problem(self.patch_run(run, status="canceled"), 409)
            else:
                self.assertEqual(self.ok(self.patch_run(run, isArchived=True))["status"], "completed")

    def test_D12_a_result_that_no_other_client_changes_keeps_its_etag(self):
        test = self.a_test(self.scenario_, "say: a\nsay: b")
        for _ in range(20):
            run = self.fresh("new")
            made = self.made(run, test)
            path = f"/test-results/{made['id']}"
            self.entry(made, "the first entry starts the result and with it the run")
            shown = self.http.get(path)
            self.assertEqual(shown.json()["run"]["status"], "running")
            self.ok(self.http.patch(path, {"metadata": {"a": 1}}, {"If-Match": shown.headers["etag"]}))

    def test_D44_failed_and_canceled_results_count_as_ended(self):
        tests = [self.a_test(self.scenario_) for _ in range(2)]
        run = self.fresh()
        for test, status in zip(tests, ("failed", "canceled")):
            self.ok(self.patch_result(self.made(run, test), status=status))
        after = self.run_becomes(run, "completed")["result"]
        self.assertEqual((after["failed"], after["canceled"], after["completed"], after["total"]), (1, 1, 0, 2))
        self.assertIsNone(after["score"])
        self.assertIsNone(after["passRate"])

    def test_D44_cases_are_fixed_when_the_run_is_created(self):
        one = self.a_test(self.scenario_, "say: a")
        run = self.fresh()
        self.a_test(self.scenario_, "say: added later")
        self.played(run, one)
        self.run_becomes(run, "completed")

    def test_D44_repetitions_are_expected_each(self):
        test = self.a_test(self.scenario_, "say: a")
        run = self.fresh(repetitions=2)
        self.played(run, test)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.played(run, test)
        self.run_becomes(run, "completed")

    def test_D44_test_configs_say_what_is_expected_and_repetitions_are_ignored(self):
        named = self.a_test(self.scenario_, "say: a", isEnabled=False)
        self.a_test(self.scenario_, "say: b")
        for config, repetitions in (({"test": named["id"], "repetitions": 2}, 7), ({"test": named["id"]}, 2)):
            run = self.fresh(testConfigs=[config], repetitions=repetitions)
            self.played(run, named)
            self.assertEqual(self.get_run(run)["status"], "running")
            self.played(run, named)
            self.run_becomes(run, "completed")

    def test_D44_a_manual_result_keeps_its_run_running(self):
        test = self.a_test(self.scenario_, "say: a")
        run = self.fresh()
        result = self.made(run, test, completionMode="manual")
        self.converse(result)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.ok(self.finish(result), 202)
        self.run_becomes(run, "completed")

    def test_D44_a_result_beyond_the_expected_ones_is_waited_for(self):
        test = self.a_test(self.scenario_, "say: a")
        run = self.fresh()
        extra = self.made(run, test)
        self.played(run, test)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.converse(extra)
        self.run_becomes(run, "completed")

    def test_D44_a_run_with_no_expected_case_completes_with_its_results(self):
        run = self.fresh()
        self.assertEqual(self.get_run(run)["status"], "running")
        late = self.a_test(self.scenario_, "say: a")
        self.played(run, late)
        self.run_becomes(run, "completed")

    def test_D44_a_run_closed_early_forgets_the_missing_cases(self):
        tests = [self.a_test(self.scenario_, "say: a") for _ in range(3)]
        run = self.fresh()
        self.played(run, tests[0])
        self.assertEqual(self.ok(self.patch_run(run, status="completed"))["status"], "completed")
        again = self.made(run, tests[0])
        self.assertEqual(self.get_run(run)["status"], "running")
        self.converse(again)
        self.run_becomes(run, "completed")

    def test_D42_a_completed_run_is_reopened_by_a_new_result(self):
        test = self.a_test(self.scenario_, "say: a")
        run = self.fresh()
        self.played(run, test)
        self.run_becomes(run, "completed")
        second = self.made(run, test)
        self.assertEqual(self.get_run(run)["status"], "running")
        self.converse(second)
        self.run_becomes(run, "completed")

    def test_D43_a_pending_run_of_an_external_agent_generates_nothing(self):
        self.a_test(self.scenario_)
        run = self.fresh("pending")
        self.assertEqual(self.results_of(run)["total"], 0)
        self.assertEqual(self.get_run(run)["status"], "pending")

    def test_D43_generateResults_makes_the_results_at_the_launch(self):
        enabled = [self.a_test(self.scenario_, "say: a")["id"] for _ in range(2)]
        self.a_test(self.scenario_, isEnabled=False)
        for launch, status in itertools.product(("created", "patched"), ("pending", "running")):
            run = self.fresh(status if launch == "created" else "new", generateResults=True, repetitions=3)
            if launch == "patched":
                self.assertEqual(self.results_of(run)["total"], 0)
                self.ok(self.patch_run(run, status=status))
            self.assertEqual(self.get_run(run)["status"], status)
            rows = self.results_of(run)
            self.assertEqual(rows["total"], 6)
            self.assertEqual(sorted(row["test"]["id"] for row in rows["data"]), sorted(enabled * 3))
            self.assertEqual({row["status"] for row in rows["data"]}, {"pending"})
            self.assertEqual({row["testInstruction"] for row in rows["data"]}, {"say: a"})
            for row in rows["data"]:
                self.converse(row)
            self.run_becomes(run, "completed")

    def test_D43_a_local_agent_gets_its_results_at_the_launch_unless_told_otherwise(self):
        self.a_test(self.scenario_)
        local = self.agent(type="LOCAL")
        self.assertEqual(self.results_of(self.fresh("pending", agent=local))["total"], 1)
        self.assertEqual(self.results_of(self.fresh("pending", agent=local, generateResults=False))["total"], 0)
        self.assertEqual(self.results_of(self.fresh("running", agent=local))["total"], 0)

    def test_D43_a_named_test_runs_even_if_disabled(self):
        named = self.a_test(self.scenario_, isEnabled=False)
        self.a_test(self.scenario_)
        run = self.fresh("pending", generateResults=True, testConfigs=[{"test": named["id"], "repetitions": 2}])
        self.assertEqual([row["test"]["id"] for row in self.results_of(run)["data"]], [named["id"]] * 2)

    def test_D44_a_launch_that_yields_no_case_completes_immediately(self):
        for status in ("pending", "running"):
            after = self.run_becomes(self.fresh(status, generateResults=True), "completed")
            self.assertEqual(after["result"]["total"], 0)
        # if the client creates the results, the server cannot know that none will follow
        waiting = self.fresh("pending")
        self.assertEqual((waiting["status"], self.get_run(waiting)["status"]), ("pending", "pending"))

    def test_D35_a_run_counts_its_results(self):
        passing = self.a_test(self.scenario_, "say: a", [PASSES, {"criteria": "x", "severity": "MINOR"}])
        failing = self.a_test(self.scenario_, "say: b", [{**PASSES, "severity": "MAJOR"}, FAILS])
        undecided = self.a_test(self.scenario_, "say: c", [{"criteria": "is polite", "severity": "BLOCKER"}])
        idle = self.a_test(self.scenario_, "say: d")
        run = self.fresh()
        self.ok(self.patch_run(run, result={"note": "mine", "score": "not mine"}))
        self.played(run, passing)
        self.assertEqual(self.played(run, failing)["score"], 38)
        self.played(run, undecided)
        self.made(run, idle)
        after = self.get_run(run)["result"]
        expected = {"note": "mine", "total": 4, "pending": 1, "running": 0, "completed": 3, "failed": 0, "canceled": 0,
                    "passed": 1, "notPassed": 1, "undecided": 1, "score": 69, "passRate": 0.5}
        self.assertEqual({key: after[key] for key in expected}, expected)

    def test_D35_averages_skip_what_carries_no_number(self):
        test = self.a_test(self.scenario_, "say: a\nsay: b\nsay: c\nsay: d")
        run = self.fresh()
        result = self.made(run, test)
        for metadata in ({"responseTime": 100, "cost": 0.5}, {"responseTime": "fast", "inputTokens": 10}, {},
                         {"responseTime": 300, "inputTokens": 20, "outputTokens": None}):
            self.turn(result)
            self.entry(result, "fine", metadata=metadata)
        self.entry(result, type="tool", name="t", metadata={"responseTime": 999999})
        self.assertTrue(self.turn(result)["end_chat"])
        expected = {"responseTime": 200, "inputTokens": 15, "outputTokens": None, "cost": 0.5}
        self.assertEqual(self.settled(result)["averages"], expected)
        self.assertEqual(self.run_becomes(run, "completed")["result"]["averages"], expected)

    def test_D35_repetitions_show_how_often_a_test_passed(self):
        test = self.a_test(self.scenario_, "say: a", [PASSES])
        run = self.fresh(repetitions=3)
        for reply in ("fine", "fine", "wrong"):
            self.played(run, test, (reply,))
        row = self.run_becomes(run, "completed")["result"]["repetitions"][0]
        self.assertEqual((row["test"] if isinstance(row["test"], str) else row["test"]["id"], row["runs"],
                          row["passed"]), (test["id"], 3, 2))
        for k, value in {"1": 2 / 3, "2": 1 / 3, "3": 0}.items():
            self.assertAlmostEqual(row["passHatK"][k], value, places=9)
        self.assertAlmostEqual(row["passAtK"]["1"], 2 / 3, places=9)

    def test_D46_a_withdrawn_result_leaves_the_score(self):
        test = self.a_test(self.scenario_, "say: a", [PASSES])
        run = self.fresh(repetitions=2)
        self.played(run, test)
        bad = self.played(run, test, ("wrong",))
        self.assertEqual(self.run_becomes(run, "completed")["result"]["score"], 50)
        self.ok(self.patch_result(bad, status="canceled"))
        after = self.get_run(run)
        self.assertEqual((after["status"], after["result"]["score"], after["result"]["passRate"]),
                         ("completed", 100, 1))
