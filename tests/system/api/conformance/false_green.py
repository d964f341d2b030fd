"""No false green (D30, D97, D98, D99): each way to score 100 with a test that checks nothing fails, is refused, or causes a warning."""
import urllib.parse

from support.cases import SystemTest

WRONG = {"type": "contains", "config": {"value": "refund"}}


class FalseGreen(SystemTest):
    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()

    def codes(self, shown):
        for warning in shown["warnings"]:
            self.assertEqual(set(warning), {"code", "detail"})
            self.assertTrue(warning["detail"].endswith("."), warning)
        return [warning["code"] for warning in shown["warnings"]]

    def detail(self, shown, code):
        return next(warning["detail"] for warning in shown["warnings"] if warning["code"] == code)

    def played(self, instruction="say: hello", assertions=(), replies=("fine",), **body):
        result = self.result(self.agent_, testInstruction=instruction, assertionResults=list(assertions), **body)
        self.converse(result, replies)
        return self.settled(result)

    def outcome(self, shown):
        return shown["score"], shown["overallPassed"], self.codes(shown)

    # ---- way 1: an assertion without a severity ----

    def test_D30_an_assertion_is_a_blocker_unless_it_says_otherwise(self):
        made = self.a_test(self.scenario_, "say: hello", [WRONG])
        self.assertEqual((made["assertions"][0]["severity"], made["warnings"]), ("BLOCKER", []))
        self.assertEqual(self.outcome(self.played(assertions=[WRONG])), (0, False, []))

    def test_D97_a_result_that_cannot_fail_is_warned_of(self):
        """As before D97, the assertion fails and the result passes, but now with a warning."""
        major = {**WRONG, "severity": "MAJOR"}
        made = self.a_test(self.scenario_, "say: hello", [major])
        self.assertEqual(self.codes(made), ["no_blocker"])
        shown = self.played(assertions=[major, {"type": "contains", "severity": "MINOR", "config": {"value": "fine"}}])
        self.assertEqual(self.outcome(shown), (25, True, ["no_blocker"]))
        self.assertIn("2 assertions", self.detail(shown, "no_blocker"))

    # ---- way 2: no assertions at all, usually because their field is misspelled ----

    def test_D97_a_test_without_assertions_is_warned_of(self):
        made = self.a_test(self.scenario_, "say: hello")
        self.assertEqual(self.codes(made), ["no_assertions"])
        self.assertEqual(self.outcome(self.played()), (100, True, ["no_assertions"]))
        patched = self.ok(self.http.patch(f"/tests/{made['id']}", {"assertions": [WRONG]}))
        self.assertEqual(patched["warnings"], [])
        self.assertEqual(self.ok(self.http.get(f"/tests/{made['id']}")), patched)

    def test_D99_a_field_that_is_nearly_one_of_the_body_is_refused(self):
        test = {"scenario": self.scenario_["id"]}
        for path, body, key, meant in (
                ("/tests/", test, "assertion", "assertions"), ("/tests/", test, "asertions", "assertions"),
                ("/tests/", test, "assertionResults", "assertions"), ("/tests/", test, "testInstruction", "instruction"),
                ("/tests/", test, "nmae", "name"), ("/test-results/", {"agent": self.agent_["id"]}, "assertions", "assertionResults"),
                ("/test-results/", {"agent": self.agent_["id"]}, "instruction", "testInstruction"),
                ("/test-results/", {"agent": self.agent_["id"]}, "completionmode", "completionMode"),
                ("/scenarios/", {}, "descripton", "description"), ("/agents/", {"type": "EXTERNAL"}, "Name", "name")):
            with self.subTest(path=path, key=key):
                problem = self.problem(self.http.post(path, {**body, key: "x"}), 400, f"/{key}")
                self.assertIn(f"did you mean '{meant}'?", str(problem))
                lenient = self.ok(self.http.post(path, {**body, key: "x"}, headers={"Prefer": "handling=lenient"}), 201)
                self.assertNotIn("x", str(lenient.get(meant)))
        nested = {**test, "assertions": [{"type": "contains", "confg": {"value": "x"}, "config": {"value": "x"}}]}
        self.problem(self.http.post("/tests/", nested), 400, "/assertions/0/confg")
        self.problem(self.http.patch(f"/tests/{self.a_test(self.scenario_)['id']}", {"instructions": "say: x"}), 400, "/instructions")

    def test_D99_other_unknown_fields_are_ignored_and_listed(self):
        body = {"name": "x", "team": 1, "a, b": 2, "assertions": [{"type": "contains", "config": {"value": "x"}, "x-note": 1}],
                "scenario": self.scenario_["id"], "createdAt": "2020-01-01T00:00:00.000Z", "id": "mine"}
        answer = self.http.post("/tests/", body)
        self.ok(answer, 201)
        self.assertEqual(answer.headers["parley-ignored"], "/assertions/0/x-note, /team, /a%2C%20b")
        self.problem(self.http.post("/tests/", body, headers={"Prefer": "handling=strict"}), 400, "/team")
        plain = self.http.post("/tests/", {"scenario": self.scenario_["id"], "name": "x"})
        self.assertNotIn("parley-ignored", plain.headers)
        result = self.result(self.agent_)
        answer = self.http.post(f"/test-results/{result['id']}/next-message", {"please": True})
        self.assertEqual((answer.status, answer.headers["parley-ignored"]), (200, "/please"))

    # ---- way 3: a goal without a tester model ----

    def test_D97_prose_that_no_model_plays_is_warned_of(self):
        made = self.a_test(self.scenario_, "Ask for a refund and insist.", [WRONG])
        self.assertEqual(self.codes(made), ["prose_without_model"])
        shown = self.played("Ask for a refund and insist.", [{"type": "contains", "config": {"value": "fine"}}])
        self.assertEqual(self.outcome(shown), (100, True, ["prose_without_model"]))
        self.assertEqual(shown["conversation"][0]["content"], "Ask for a refund and insist.")

    # ---- way 4: a script that was not played to its end ----

    def test_D97_a_script_that_was_not_played_to_its_end_is_warned_of(self):
        fine = [{"type": "contains", "config": {"value": "fine"}}]
        script = "max turns: 2\nsay: one\nif /fine/ say: a rule is no line\nsay: two\n# no line\nsay: three"
        shown = self.played(script, fine)
        self.assertEqual(self.outcome(shown), (100, True, ["script_unfinished"]))
        self.assertIn("1 of 3 lines", self.detail(shown, "script_unfinished"))
        self.assertIn("max_turns", self.detail(shown, "script_unfinished"))
        self.assertEqual(self.outcome(self.played("say: one\nsay: two", fine)), (100, True, []))
        reached = self.played("say: one\nsay: two\nend if /fine/", fine)
        self.assertEqual((reached["endReason"], self.codes(reached)), ("goal_reached", []))

    # ---- way 5: a line that only looks like a directive ----

    def test_D97_a_line_that_resembles_a_directive_is_warned_of(self):
        fine = [{"type": "contains", "config": {"value": "fine"}}]
        for line in ("Say: hello", "say hello", "if order say: hello", "Invoke: pay {}", "End", "End if /x/", "Max turns: 3",
                     "max turns 3", "if/x/ say: y"):
            with self.subTest(line=line):
                made = self.a_test(self.scenario_, f"say: one\n{line}", fine)
                self.assertEqual(self.codes(made), ["directive_lookalike"])
                self.assertIn(f'line 2 "{line}"', self.detail(made, "directive_lookalike"))
        self.assertEqual(self.codes(self.played("say: one\nSay: two", fine)), ["directive_lookalike"])
        for line in ("saying hello", "Where is it?", "say: Say: x", "ending", "iffy", "endless"):
            self.assertEqual(self.a_test(self.scenario_, f"say: one\n{line}", fine)["warnings"], [], line)

    # ---- way 6: a placeholder without a value ----

    def test_D97_an_open_placeholder_is_warned_of(self):
        checks = [{"type": "contains", "config": {"value": "fine", "negate": False}}]
        made = self.a_test(self.scenario_, "say: order {{order}} of {{ name }}", checks, fields={"name": "Ada"})
        self.assertEqual(self.codes(made), ["unknown_placeholder"])
        self.assertIn("{{order}}", self.detail(made, "unknown_placeholder"))
        self.assertNotIn("name", self.detail(made, "unknown_placeholder"))
        result = self.result(self.agent_, test=made["id"])
        self.assertEqual(self.codes(result), ["unknown_placeholder"])
        self.converse(result)
        self.assertEqual(self.outcome(self.settled(result)), (100, True, ["unknown_placeholder"]))

    # ---- way 7: a chatbot that says nothing, and a result that decides nothing or fails ----

    def test_D97_empty_answers_are_warned_of(self):
        shown = self.played("say: one\nsay: two", [{"type": "max-turns", "config": {"value": 5}}], ("", "fine"))
        self.assertEqual(self.outcome(shown), (100, True, ["empty_answers"]))
        self.assertIn("turn 0", self.detail(shown, "empty_answers"))

    def test_D97_a_result_that_decided_nothing_is_warned_of(self):
        shown = self.played(assertions=[{"criteria": "is polite"}])
        self.assertEqual(self.outcome(shown), (0, False, ["nothing_decided"]))

    def test_D98_a_failed_result_has_not_passed(self):
        result = self.result(self.agent_, assertionResults=[])
        shown = self.ok(self.patch_result(result, status="failed"))
        self.assertEqual((shown["overallPassed"], shown["state"]), (False, "c"))

    def test_D97_manual_completion_of_a_driven_conversation_is_warned_of(self):
        shop = self.agent(type="DEMO")
        result = self.result(shop, testInstruction="say: Hello", completionMode="manual",
                             assertionResults=[{"type": "min-turns", "config": {"value": 1}}])
        self.assertEqual(self.codes(result), ["manual_ignored"])
        done = self.settled(result)
        self.assertEqual((done["status"], self.codes(done)), ("completed", ["manual_ignored"]))

    # ---- where the warnings are shown ----

    def test_D97_a_run_counts_results_by_warning(self):
        run = self.a_run(self.scenario_, self.agent_)
        bare = self.a_test(self.scenario_, "say: one")
        weak = self.a_test(self.scenario_, "say: one", [{**WRONG, "severity": "MINOR"}])
        made = [self.result(self.agent_, run=run["id"], test=test["id"]) for test in (bare, bare, weak)]
        self.assertEqual(self.get_run(run)["result"]["warnings"], {"no_assertions": 2, "no_blocker": 1})
        for result in made:
            self.converse(result, ("",))
            self.settled(result)
        self.assertEqual(self.get_run(run)["result"]["warnings"], {"no_assertions": 2, "no_blocker": 1, "empty_answers": 3})
        self.ok(self.retry(made[2]), 201)
        self.assertEqual(self.get_run(run)["result"]["warnings"], {"no_assertions": 2, "no_blocker": 1, "empty_answers": 2})
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results?output=minimal"))["data"]
        self.assertEqual([self.codes(row) for row in rows],
                         [["no_blocker"], ["no_assertions", "empty_answers"], ["no_assertions", "empty_answers"]])

    def test_D97_a_client_that_asks_for_turns_sees_them_in_a_header(self):
        result = self.result(self.agent_, testInstruction="say: {{order}}", assertionResults=[])
        answer = self.next_message(result)
        self.assertEqual(answer.headers["parley-warnings"], "no_assertions, unknown_placeholder")
        quiet = self.result(self.agent_, testInstruction="say: x", assertionResults=[WRONG])
        self.assertNotIn("parley-warnings", self.next_message(quiet).headers)

    def test_D97_a_new_verdict_has_its_own_warnings(self):
        shown = self.played(assertions=[{**WRONG, "severity": "MINOR", "name": "a"}])
        self.assertEqual(self.codes(shown), ["no_blocker"])
        body = {"assertions": [{**WRONG, "name": "a"}], "preview": False}
        self.ok(self.http.post(f"/test-results/{shown['id']}/rescore", body), 200)
        self.assertEqual(self.outcome(self.get_result(shown)), (0, False, []))

    # ---- a list that shows everything because its filter is misspelled ----

    def test_D99_an_unknown_query_parameter_is_refused(self):
        for path in ("/runs/", "/test-results/", "/tests/", f"/tests/{self.a_test(self.scenario_)['id']}"):
            for name in ("overallPased", "filter", "a b"):
                with self.subTest(path=path, name=name):
                    query = urllib.parse.urlencode({name: "x"})
                    problem = self.problem(self.http.get(f"{path}?{query}"), 400, parameter=name)
                    known = "which takes none" if path.count("/") == 2 and not path.endswith("/") else "page, limit"
                    self.assertIn(known, problem["errors"][0]["detail"])
                    self.ok(self.http.get(f"{path}?{query}", headers={"Prefer": "handling=lenient"}), 200)
        self.assertEqual(self.http.get("/healthz?x=1").status, 200)
