"""Rescoring: previews of changes, saved verdicts, history (I21, D31, D33, D41)."""
from support.cases import SystemTest

FINE = {"id": "fine", "name": "says fine", "type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
NEVER = {"id": "never", "type": "contains", "severity": "MINOR", "config": {"value": "never said"}}


class Rescoring(SystemTest):
    def rescore(self, result, **body):
        return self.http.post(f"/test-results/{result['id']}/rescore", body)

    def verdicts(self, result):
        return self.ok(self.http.get(f"/test-results/{result['id']}/verdicts"))["data"]

    def test_a_preview_lists_the_flips_and_saves_nothing(self):
        made = self.scored([FINE, NEVER])
        found = self.ok(self.rescore(made, assertions=[{**NEVER, "config": {"value": "ine"}},
                                                       {"id": "more", "type": "contains", "severity": "MAJOR", "config": {"value": "x"}}]))
        self.assertEqual([(flip["id"], flip["before"], flip["after"]) for flip in found["flips"]],
                         [("never", "failed", "passed"), ("more", None, "failed")])
        self.assertEqual((found["before"], found["after"]),
                         ({"score": 83, "overallPassed": True, "decided": True},
                          {"score": 67, "overallPassed": True, "decided": True}))
        self.assertEqual((found["saved"], found["problem"]), (False, None))
        self.assertEqual(self.get_result(made), made)
        self.assertEqual([row["version"] for row in self.verdicts(made)], [1])

    def test_a_save_replaces_the_verdict_and_keeps_the_old_one(self):
        made = self.scored([FINE, NEVER])
        found = self.ok(self.rescore(made, assertions=[{**NEVER, "config": {"value": "ine"}}], preview=False))
        self.assertTrue(found["saved"])
        after = self.get_result(made)
        self.assertEqual((after["score"], after["overallPassed"], after["status"]), (100, True, "completed"))
        self.assertEqual([(row["id"], row["passed"], row["config"]) for row in after["assertionResults"]],
                         [("fine", True, {"value": "fine"}), ("never", True, {"value": "ine"})])
        self.assertGreater(after["updatedAt"], made["updatedAt"])
        for field in ("conversation", "scoringEnqueuedAt", "endReason", "averages", "metadata"):
            self.assertEqual(after[field], made[field], field)
        newest, first = self.verdicts(made)
        self.assertEqual((newest["version"], newest["replacedAt"], newest["score"], newest["assertionResults"]),
                         (2, None, 100, after["assertionResults"]))
        self.assertEqual((first["version"], first["score"], first["assertionResults"]),
                         (1, 83, made["assertionResults"]))
        self.assertTrue(first["replacedAt"])
        # the same request again changes nothing
        self.assertFalse(self.ok(self.rescore(made, preview=False))["saved"])
        self.assertEqual(self.get_result(made), after)

    def test_the_newest_verdicts_are_kept(self):
        made = self.scored([FINE])
        for number in range(12):
            self.ok(self.rescore(made, assertions=[{**FINE, "config": {"value": str(number)}}], preview=False))
        self.assertEqual([row["version"] for row in self.verdicts(made)], list(range(13, 2, -1)))

    def test_D9_a_repeat_saves_once(self):
        made = self.scored([FINE])
        body, key = {"assertions": [{**FINE, "config": {"value": "x"}}], "preview": False}, {"Idempotency-Key": made["id"]}
        path = f"/test-results/{made['id']}/rescore"
        first = self.ok(self.http.post(path, body, key))
        self.assertTrue(first["saved"])
        again = self.http.post(path, body, key)
        self.assertEqual((self.ok(again), again.headers["idempotency-replayed"]), (first, "true"))
        # the replay shows the current record, with the last saved verdict
        last = self.ok(self.rescore(made, assertions=[FINE], preview=False))
        self.assertEqual(self.ok(self.http.post(path, body, key)), last)
        self.assertEqual([row["version"] for row in self.verdicts(made)], [3, 2, 1])

    def test_D9_a_repeat_reports_what_happened_when_assertions_were_added(self):
        made = self.scored([FINE])
        body = {"assertions": [{"type": "contains", "severity": "MAJOR", "config": {"value": "zzzz"}}], "preview": False}
        key = {"Idempotency-Key": made["id"]}
        path = f"/test-results/{made['id']}/rescore"
        first, again = (self.ok(self.http.post(path, body, key)) for _ in range(2))
        self.assertEqual((first["before"]["score"], first["after"]["score"]), (100, 63))
        self.assertEqual(again, first)
        self.assertEqual(len(self.get_result(made)["assertionResults"]), 2)

    def test_the_same_request_twice_changes_nothing_though_its_assertion_has_no_id(self):
        made = self.scored([FINE])
        wish = [{"name": "says x", "type": "contains", "config": {"value": "x"}}]
        first = self.ok(self.rescore(made, assertions=wish, preview=False))
        self.assertTrue(first["saved"])
        self.assertEqual([flip["before"] for flip in first["flips"]], [None])
        again = self.ok(self.rescore(made, assertions=wish, preview=False))
        self.assertEqual((again["saved"], again["flips"]), (False, []))
        self.assertEqual([row["version"] for row in self.verdicts(made)], [2, 1])
        # an assertion with the same name replaces the existing one and keeps its id
        flipped = self.ok(self.rescore(made, assertions=[{**wish[0], "config": {"value": "fine"}}], preview=False))
        self.assertEqual([(flip["id"], flip["before"], flip["after"]) for flip in flipped["flips"]],
                         [(first["flips"][0]["id"], "failed", "passed")])

    def test_D9_a_preview_keeps_no_key(self):
        made = self.scored([FINE])
        path, key = f"/test-results/{made['id']}/rescore", {"Idempotency-Key": made["id"]}
        for body in ({}, {"preview": True, "assertions": [NEVER]}):
            answer = self.http.post(path, body, key)
            self.assertEqual(self.ok(answer)["saved"], False)
            self.assertNotIn("idempotency-replayed", answer.headers)

    def test_without_assertions_the_test_as_it_is_now_decides(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: a", [FINE])
        run = self.a_run(scenario, agent, repetitions=2)
        results = []
        for reply in ("fine", "wrong"):
            result = self.result(agent, run=run["id"], test=test["id"])
            self.converse(result, (reply,))
            results.append(self.settled(result))
        self.assertEqual(self.run_becomes(run, "completed")["result"]["score"], 50)
        results = [self.get_result(made) for made in results]  # with the current state of their run
        self.ok(self.http.patch(f"/tests/{test['id']}", {"assertions": [{**FINE, "config": {"value": "wrong"}}]}))
        path = f"/runs/{run['id']}/rescore"
        found = self.ok(self.http.post(path + "?sortOrder=asc", {}))
        self.assertEqual((found["total"], [row["id"] for row in found["data"]]), (2, [made["id"] for made in results]))
        self.assertEqual([[(flip["before"], flip["after"]) for flip in row["flips"]] for row in found["data"]],
                         [[("passed", "failed")], [("failed", "passed")]])
        self.assertEqual([self.get_result(made) for made in results], results)
        one = self.ok(self.http.post(path + "?sortOrder=asc&limit=1&page=2", {"preview": False}))
        self.assertEqual([(row["id"], row["saved"]) for row in one["data"]], [(results[1]["id"], True)])
        self.assertEqual(self.get_run(run)["result"]["score"], 100)
        key = {"Idempotency-Key": run["id"]}
        rest = self.ok(self.http.post(path + "?sortOrder=asc", {"preview": False}, key))
        self.assertEqual([row["saved"] for row in rest["data"]], [True, False])
        again = self.http.post(path + "?sortOrder=asc", {"preview": False}, key)
        self.assertEqual((self.ok(again)["data"], again.headers["idempotency-replayed"]), (rest["data"], "true"))
        for query in ("limit=0", "page=x", "sortBy=score", "sortOrder=up"):
            self.problem(self.http.post(f"{path}?{query}", {}), 400, parameter=query.split("=")[0])
        after = self.get_run(run)
        self.assertEqual((after["status"], after["result"]["score"], after["result"]["passed"]), ("completed", 50, 1))

    def test_D33_criteria_keep_their_verdict_or_are_skipped(self):
        made = self.scored([FINE, {"id": "c", "criteria": "is polite"}])
        self.assertEqual(self.ok(self.rescore(made))["flips"], [])
        found = self.ok(self.rescore(made, assertions=[{"id": "d", "criteria": "is short"}]))
        self.assertEqual([(flip["id"], flip["after"]) for flip in found["flips"]], [("d", "skipped")])
        self.assertIn("no judge", found["flips"][0]["reason"])

    def test_only_completed_results_are_scored_again(self):
        for letter in "PRWFX":
            made = self.in_state(letter)
            for preview in (True, False):
                with self.subTest(state=letter, preview=preview):
                    self.problem(self.rescore(made, preview=preview), 409)
            self.assertEqual(self.get_result(made), made)
        retired = self.in_state("C")
        self.ok(self.retry(retired), 201)
        self.problem(self.rescore(retired, preview=False), 409)

    def test_faults_of_the_body_and_the_path(self):
        made = self.scored([FINE])
        self.problem(self.rescore(made, assertions=[{"type": "nonsense"}]), 400, "/assertions/0/type")
        self.problem(self.rescore(made, assertions=[{"type": "contains"}]), 400)
        self.problem(self.rescore(made, preview="yes"), 400, "/preview")
        self.problem(self.rescore(made, assertions=[{"id": f"a{n}", "criteria": "x"} for n in range(100)]), 400,
                     "/assertions")
        for path in ("/test-results/nope/rescore", "/runs/nope/rescore"):
            self.problem(self.http.post(path, {}), 404)
        self.problem(self.http.get("/test-results/nope/verdicts"), 404)
        self.assertEqual(self.verdicts(self.in_state("P")), [])
