"""Comparisons of two runs, and the statistics of a single run (D35, D104; exact tests, intervals, bounds)."""
from support.cases import SystemTest

PASSES = {"type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
UNDECIDED = {"criteria": "is polite", "severity": "BLOCKER"}


class Comparison(SystemTest):
    def setUp(self):
        self.scenario_ = self.scenario()
        self.agent_ = self.agent()

    def fresh(self, **body):
        return self.a_run(self.scenario_, self.agent_, **body)

    def played(self, run, test, outcomes, **body):
        """One scored result for each character: + passes, - fails."""
        made = []
        for letter in outcomes:
            result = self.result(self.agent_, run=run["id"], test=test["id"], **body)
            self.converse(result, ("fine" if letter == "+" else "wrong",))
            made.append(self.settled(result))
        return made

    def compared(self, before, after):
        return self.ok(self.http.get(f"/runs/{before['id']}/compare/{after['id']}"))

    def a_checked_test(self):
        return self.a_test(self.scenario_, "say: a", [PASSES])

    def test_regressed_fixed_undecided_and_unchanged_tests(self):
        names = ("worse", "better", "flaky", "same")
        tests = {name: self.a_checked_test() for name in names}
        before, after = self.fresh(), self.fresh()
        for run, outcomes in ((before, ("++++++++", "--------", "++", "+-")),
                              (after, ("--------", "++++++++", "+-", "+-"))):
            for name, letters in zip(names, outcomes):
                self.played(run, tests[name], letters)
        found = self.compared(before, after)
        rows = {row["test"]["id"]: row for row in found["tests"]}
        self.assertEqual([row["change"] for row in found["tests"]], ["regressed", "fixed", "undecided", "unchanged"])
        self.assertEqual(found["counts"], {"regressed": 1, "fixed": 1, "undecided": 1, "unchanged": 1})
        self.assertEqual((found["before"]["id"], found["after"]["id"]), (before["id"], after["id"]))
        self.assertEqual((found["level"], found["power"]), (0.05, 0.8))
        worse, flaky = rows[tests["worse"]["id"]], rows[tests["flaky"]["id"]]
        self.assertEqual({key: worse[key] for key in ("change", "trialsBefore", "trialsAfter", "pairs", "open", "passedBefore",
                                                      "passedAfter", "better", "worse", "furtherRepetitions", "personality")},
                         {"change": "regressed", "trialsBefore": 8, "trialsAfter": 8, "pairs": 8, "open": 0, "passedBefore": 8,
                          "passedAfter": 0, "better": 0, "worse": 8, "furtherRepetitions": None, "personality": None})
        self.assertAlmostEqual(worse["p"], 2 / 4 ** 8, places=12)    # both extreme tables, at a pass rate of one half
        self.assertAlmostEqual(worse["adjustedP"], 4 / 2 * 2 / 4 ** 8, places=12)
        self.assertEqual((flaky["worse"], flaky["better"]), (1, 0))
        self.assertGreater(flaky["p"], 0.2)
        self.assertGreater(flaky["furtherRepetitions"], 0)
        self.assertEqual((found["overall"]["change"], found["overall"]["pairs"], found["overall"]["worse"],
                          found["overall"]["better"]), ("undecided", 20, 9, 8))
        changed = [{"id": worse["newlyFailing"][0]["id"], "type": "contains", "name": None}]
        self.assertEqual((worse["newlyFailing"], worse["newlyPassing"]), (changed, []))
        self.assertEqual((found["newlyFailing"], found["newlyPassing"]), (1, 1))
        # in the opposite direction, worse becomes better
        back = self.compared(after, before)
        self.assertEqual({row["test"]["id"]: row["change"] for row in back["tests"]}[tests["worse"]["id"]], "fixed")
        path = f"/runs/{before['id']}/compare/{after['id']}"
        self.assertEqual(self.http.get(path, {"If-None-Match": self.http.get(path).headers["etag"]}).status, 304)

    def test_five_of_five_failures_are_seen_among_eight_tests(self):
        tests = [self.a_checked_test() for _ in range(8)]
        before, after = self.fresh(), self.fresh()
        for i, test in enumerate(tests):
            self.played(before, test, "-----" if i == 0 else "+++++")
            self.played(after, test, "+++++")
        found = self.compared(before, after)
        self.assertEqual(found["counts"], {"regressed": 0, "fixed": 1, "undecided": 0, "unchanged": 7})
        row = found["tests"][0]
        self.assertEqual((row["test"]["id"], row["change"], len(row["newlyPassing"])), (tests[0]["id"], "fixed", 1))
        self.assertAlmostEqual(row["adjustedP"], 8 * 2 / 4 ** 5, places=9)

    def test_an_assertion_that_once_held_or_was_not_decided_is_not_newly_failing(self):
        checks = [{**PASSES, "severity": "MINOR", "name": "words"}, {"type": "min-turns", "config": {"value": 1}}, UNDECIDED]
        test = self.a_test(self.scenario_, "say: a", checks[:2])
        before, after = self.fresh(), self.fresh()
        self.played(before, test, "++")
        self.played(after, test, "-+")
        row = self.compared(before, after)["tests"][0]
        self.assertEqual((row["newlyFailing"], row["newlyPassing"]), ([], []))
        again = self.fresh()
        self.played(again, test, "--")
        row = self.compared(before, again)["tests"][0]
        self.assertEqual([each["name"] for each in row["newlyFailing"]], ["words"])
        self.assertEqual(row["change"], "unchanged")    # something failed, but no BLOCKER

    def test_a_trial_without_its_counterpart_is_open_and_personalities_are_apart(self):
        test = self.a_checked_test()
        other = self.a_checked_test()
        open_ = self.a_test(self.scenario_, "say: a", [UNDECIDED])
        someone = self.create("/personalities/", name="p")
        before, after = self.fresh(), self.fresh()
        self.played(before, test, "++")
        self.played(before, test, "+", personality=someone["id"])
        self.played(before, open_, "+")
        self.played(after, test, "+")
        self.played(after, other, "+")
        self.played(after, open_, "+")
        self.played(after, test, "-", personality=someone["id"])
        rows = {(row["test"]["id"], row["personality"] and row["personality"]["id"]): (row["pairs"], row["open"],
                                                                                       row["change"])
                for row in self.compared(before, after)["tests"]}
        self.assertEqual(rows, {(test["id"], None): (1, 1, "unchanged"),
                                (test["id"], someone["id"]): (1, 0, "undecided"),
                                (other["id"], None): (0, 1, "undecided"),
                                (open_["id"], None): (0, 1, "undecided")})

    def test_a_retry_takes_the_place_of_the_result_it_replaces(self):
        test = self.a_checked_test()
        before, after = self.fresh(), self.fresh()
        self.played(before, test, "+-")
        first, _ = self.played(after, test, "--")
        clone = self.ok(self.retry(first), 201)
        self.converse(clone, ("fine",))
        self.settled(clone)
        row = self.compared(before, after)["tests"][0]
        self.assertEqual((row["pairs"], row["better"], row["worse"], row["passedAfter"]), (2, 0, 0, 1))

    def test_averages_are_shown_side_by_side(self):
        test = self.a_test(self.scenario_, "say: a", [PASSES])
        runs = []
        for cost in (0.5, 0.25):
            run = self.fresh()
            result = self.result(self.agent_, run=run["id"], test=test["id"])
            self.turn(result)
            self.entry(result, "fine", metadata={"cost": cost, "inputTokens": 10})
            self.turn(result)
            self.settled(result)
            runs.append(run)
        averages = self.compared(*runs)["averages"]
        expected = {"responseTime": None, "inputTokens": 10, "outputTokens": None}
        self.assertEqual(averages, {"before": {**expected, "cost": 0.5}, "after": {**expected, "cost": 0.25}})

    def test_runs_that_do_not_exist_are_404_and_empty_ones_compare_to_nothing(self):
        run = self.fresh()
        self.problem(self.http.get(f"/runs/{run['id']}/compare/nope"), 404)
        self.problem(self.http.get(f"/runs/nope/compare/{run['id']}"), 404)
        found = self.compared(run, run)
        self.assertEqual((found["tests"], found["overall"]["pairs"], found["overall"]["change"]),
                         ([], 0, "undecided"))

    def test_a_pass_rate_comes_with_coverage_interval_and_bounds(self):
        test = self.a_checked_test()
        run = self.fresh(repetitions=4)
        self.played(run, test, "+-")
        self.ok(self.patch_result(self.result(self.agent_, run=run["id"], test=test["id"]), status="failed"))
        found = self.get_run(run)["result"]
        # the fourth expected case has no result yet
        self.assertEqual((found["passRate"], found["total"], found["coverage"]), (0.5, 3, 0.5))
        self.assertEqual(found["bounds"], {"low": 0.25, "high": 0.75})
        # Wilson, by hand: (1/2 + z2/4 +- z sqrt(1/8 + z2/16)) / (1 + z2/2) with z = 1.959964
        self.assertAlmostEqual(found["interval"]["low"], 0.0945, places=3)
        self.assertAlmostEqual(found["interval"]["high"], 0.9055, places=3)
        empty = self.fresh(repetitions=2)
        self.result(self.agent_, run=empty["id"], test=test["id"])
        found = self.get_run(empty)["result"]
        self.assertEqual((found["coverage"], found["interval"], found["bounds"]),
                         (0, {"low": 0, "high": 1}, {"low": 0, "high": 1}))

    def test_tests_with_mixed_outcomes_are_flaky(self):
        steady, flaky = self.a_checked_test(), self.a_checked_test()
        run = self.fresh(repetitions=2)
        self.played(run, steady, "++")
        self.played(run, flaky, "+-")
        rows = self.ok(self.http.get(f"/runs/{run['id']}/repetitions"))["data"]
        self.assertEqual({row["test"]["id"]: row["flaky"] for row in rows}, {steady["id"]: False, flaky["id"]: True})
