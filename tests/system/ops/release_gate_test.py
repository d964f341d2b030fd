#!/usr/bin/env python3
"""contrib/release_gate.py as a release engineer uses it: with the real binary and webhook agents of several qualities."""
import pathlib
import time

from support import cases, server
from support.driven import GOT
from support.fakes import base, webhook
from support.gate import GREEN, RED, UNTOLD, Gate, bad, broken, good

LESSER = {**GOT, "severity": "MAJOR"}
JUDGED = {"criteria": "is polite", "severity": "BLOCKER"}    # undecided: there is no judge


class Verdicts(Gate):
    def test_the_same_release_is_green(self):
        scenario, _ = self.suite("order", "bill")
        agent = self.release(good)
        before, after = self.tried(scenario, agent), self.tried(scenario, agent)
        self.assertEqual(self.gate(after), GREEN, self.said)
        self.assertEqual(self.beside(before, after), GREEN, self.said)
        self.assertIn("12 of 12 results passed", self.said)
        self.assertEqual({kind for _, kind, _ in self.reported()}, {"passed"})

    def test_a_dead_release_is_red_and_an_error_not_a_failure(self):
        scenario, _ = self.suite("order")
        before, after = self.tried(scenario, self.release(good)), self.tried(scenario, self.dead_release())
        self.assertEqual(after["status"], "completed")
        compared = self.ok(self.http.get(f"/runs/{before['id']}/compare/{after['id']}"))
        self.assertEqual(compared["counts"]["regressed"], 0)    # the comparison alone does not detect it
        for options in ((), ("--min-pass-rate", "0"), ("--min-pass-rate", "0", "--allow-undecided", "--allow-missing")):
            self.assertEqual(self.beside(before, after, *options), RED)
            self.assertEqual(self.gate(after, *options), RED)
        self.assertIn("coverage is 0, not 1: of 6 results 6 failed", self.said)
        self.assertIn("6 x agent: connect: ", self.said)
        self.assertEqual(self.reported(), [(f"order #{number}", "error", "agent") for number in range(1, 7)])

    def test_a_canceled_run_is_red_and_one_without_results(self):
        scenario, _ = self.suite("order")
        run = self.a_run(scenario, self.release(good, latency=30), "pending")
        self.ok(self.cancel_run(run))
        self.assertEqual(self.gate(run), RED)
        self.assertIn("`canceled`", self.said)
        self.assertEqual(self.reported(), [("order", "error", "canceled")])
        self.assertEqual(self.gate(self.tried(self.scenario(), self.release(good))), RED)
        self.assertIn("no results", self.said)

    def test_a_worsening_that_may_be_chance_is_red_unless_it_is_allowed(self):
        scenario, _ = self.suite("order")
        before, after = (self.tried(scenario, self.release(quality), 2) for quality in (good, bad))
        self.assertEqual(self.gate(after), RED)    # because of its BLOCKERs
        self.assertIn("pass rate is 0, 0 of 2; 1 is needed\n    2 x BLOCKER: contains: ", self.said)
        self.assertEqual(self.beside(before, after, "--min-pass-rate", "0"), RED)
        self.assertIn("order: passed 2 of 2, now 0; p 0.12; ", self.said)
        self.assertEqual(self.beside(before, after, "--min-pass-rate", "0", "--allow-undecided"), GREEN, self.said)
        self.assertEqual({kind for _, kind, _ in self.reported()}, {"failure"})
        self.assertEqual(self.beside(after, before, "--min-pass-rate", "0"), GREEN, self.said)    # the run improved

    def test_what_only_all_tests_together_show_is_red(self):
        scenario, _ = self.suite("a", "b")
        for _ in range(8):
            self.a_test(scenario, "say: bad", [GOT])
        before = self.tried(scenario, self.release(good), 1)
        after = self.tried(scenario, self.release(lambda turn: (bad if turn["message"] == "bad" else good)(turn)), 1)
        compared = self.ok(self.http.get(f"/runs/{before['id']}/compare/{after['id']}"))
        self.assertEqual((compared["counts"]["regressed"], compared["overall"]["change"]), (0, "regressed"))
        self.assertEqual(self.beside(before, after, "--min-pass-rate", "0.1", "--allow-undecided"), RED)
        self.assertIn("regressed:\n    all tests together: passed 10 of 10, now 2", self.said)

    def test_what_the_baseline_tried_must_be_tried_again(self):
        scenario, tests = self.suite("order", "bill")
        agent = self.release(good)
        before = self.tried(scenario, agent)
        after = self.tried(scenario, agent, testConfigs=[{"test": tests[0]["id"], "repetitions": 4}])
        self.assertEqual(self.beside(before, after), RED)
        self.assertRegex(self.said, "played in part \\(--allow-missing lets it pass\\):(\n    (bill: 0|order: 4), in the baseline 6){2}\n\\Z")
        self.assertNotIn("note: ", self.said)
        self.assertEqual(self.beside(before, after, "--allow-missing"), GREEN, self.said)
        self.assertIn("note: --allow-missing lets pass what was not played:\n", self.said)
        self.assertEqual(self.beside(after, before), GREEN, self.said)    # a new test has no counterpart in the baseline
        self.assertIn("note: without a counterpart in the baseline:\n    bill\n", self.said)

    def test_assertions_that_block_nothing_need_a_score(self):
        scenario, _ = self.suite("order", assertions=[LESSER])
        for quality, with_score in ((good, GREEN), (bad, RED)):
            run = self.tried(scenario, self.release(quality), 2)
            self.assertEqual(self.gate(run), RED)
            self.assertIn("no assertion has severity BLOCKER", self.said)
            self.assertEqual(self.gate(run, "--min-score", "90"), with_score, self.said)
        scenario, _ = self.suite("order", assertions=[GOT, {"type": "min-turns", "severity": "MAJOR", "config": {"value": 9}}])
        self.assertEqual(self.gate(self.tried(scenario, self.release(good), 2)), GREEN, self.said)
        self.assertIn("note: 2 results passed with failed assertions that are not BLOCKERs", self.said)

    def test_a_retry_that_made_up_for_an_answer_is_noted(self):
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release([bad, good]), 1)
        [result] = self.results_of(run)
        self.ok(self.retry(result), 201)
        self.ended(run)
        self.assertEqual(self.gate(run), GREEN, self.said)
        self.assertIn("note: attempts that a retry replaced, by outcome: 1 answer", self.said)
        self.assertEqual(len(self.reported()), 1)

    def test_it_waits_for_the_end(self):
        scenario, _ = self.suite("order")
        self.assertEqual(self.gate(self.a_run(scenario, self.release(good, latency=1), "pending")), GREEN, self.said)


class Reports(Gate):
    def test_errors_are_distinguished_from_failures(self):
        def respond(turn):
            return {"passes": good, "fails": bad, "breaks": broken}[turn["message"]](turn)
        scenario = self.scenario()
        for name, assertion in (("passes", GOT), ("fails", GOT), ("breaks", GOT), ("judged", JUDGED)):
            test = self.a_test(scenario, f"say: {name if name != 'judged' else 'passes'}", [assertion])
            self.ok(self.http.patch(f"/tests/{test['id']}", {"name": name}))
        run = self.tried(scenario, self.release(respond), 1)
        counts = run["result"]
        self.assertEqual((counts["passed"], counts["notPassed"], counts["undecided"], counts["failed"]), (1, 1, 1, 1))
        self.assertEqual(self.gate(run), RED)
        self.assertEqual(sorted(self.reported()), [("breaks", "error", "agent"), ("fails", "failure", "BLOCKER"),
                                                   ("judged", "error", "judge"), ("passes", "passed", None)])
        self.assertIn("of 4 results 1 failed, 1 undecided", self.said)

    def test_a_trial_that_a_review_found_void_is_an_error(self):
        scenario, tests = self.suite("order", assertions=[{"type": "tool-not-called", "severity": "BLOCKER", "config": {"name": "pay"}}])
        agent = self.agent()
        run = self.a_run(scenario, agent)
        result = self.result(agent, run=run["id"], test=tests[0]["id"])
        self.converse(result)
        self.settled(result)
        empty = self.a_run(scenario, agent)
        nothing = self.result(agent, run=empty["id"], test=tests[0]["id"], testInstruction="end")
        self.converse(nothing)
        self.settled(nothing)
        self.ok(self.http.post(f"/test-results/{nothing['id']}/review", {}))
        self.assertEqual(self.gate(run), GREEN, self.said)
        self.assertEqual(self.gate(empty), RED)
        self.assertEqual(self.reported(), [("order", "error", "client")])

    def test_a_run_of_more_results_than_a_page_holds(self):
        scenario, _ = self.suite("order", "bill", assertions=[{"type": "min-turns", "severity": "BLOCKER", "config": {"value": 1}}])
        self.assertEqual(self.gate(self.tried(scenario, self.agent(type="DEMO"), 600)), GREEN, self.said)
        self.assertEqual(len(self.reported()), 1200)

    def test_any_text_can_be_reported(self):
        name = "a <b> & \"c\" \u0001 \ufffe \u00e4 \U0001f600"
        scenario, _ = self.suite(name, name, assertions=[{**GOT, "name": name}])
        self.assertEqual(self.gate(self.tried(scenario, self.release(bad), 1)), RED)
        clean = name.replace("\u0001", "\ufffd").replace("\ufffe", "\ufffd")
        self.assertEqual([row[0] for row in self.reported()], [f"{clean} #1", f"{clean} #2"])

    def test_what_a_chatbot_says_makes_no_lines_of_the_log(self):
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release(lambda turn: {"message": "no\n::error::idea\u2028\u001b[2J"}), 1)
        self.assertEqual(self.gate(run), RED)
        self.assertIn("::error::idea", self.said)
        self.assertEqual(len(self.said.splitlines()), 3, self.said)
        self.assertEqual(self.reported(), [("order", "failure", "BLOCKER")])

    def test_a_file_that_cannot_be_written_is_not_green(self):
        scenario, _ = self.suite("order")
        for quality, status in ((good, UNTOLD), (bad, RED)):
            self.file = pathlib.Path("/nowhere/gate.xml")
            self.assertEqual(self.gate(self.tried(scenario, self.release(quality), 1)), status)
            self.assertIn("cannot write --junit: ", self.said)


class Untold(Gate):
    def test_a_run_that_does_not_end_in_time(self):
        scenario, _ = self.suite("order")
        run = self.a_run(scenario, self.release(good, latency=30), "pending")
        begun = time.monotonic()
        self.assertEqual(self.gate(run, "--timeout", "1"), UNTOLD)
        self.assertLess(time.monotonic() - begun, 15)
        self.assertIn("could not tell: time-out: the run is still `running`", self.said)
        self.assertEqual(self.reported(), [("order", "error", "running")])
        self.ok(self.cancel_run(run))

    def test_a_baseline_that_cannot_be_compared(self):
        scenario, _ = self.suite("order")
        other, _ = self.suite("order")
        agent = self.release(good)
        run = self.tried(scenario, agent, 1)
        for baseline, why in ((self.tried(other, agent, 1), "another scenario"), (run, "the run itself"),
                              (self.tried(scenario, self.dead_release(), 1), "with coverage 0"),
                              (self.a_run(scenario, agent, "new"), "is `new`")):
            self.assertEqual(self.beside(baseline, run), UNTOLD)
            self.assertIn(why, self.said)

    def test_wrong_uses(self):
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release(good), 1)
        for options, why in ((("--baseline", ""), "--baseline: is empty"), (("--min-pass-rate", "nan"), "invalid number"),
                             (("--min-pass-rate", "90"), "invalid number"), (("--timeout", "inf"), "invalid number"),
                             (("--baseline", "nope"), "404")):
            self.assertEqual(self.gate(run, *options), UNTOLD, options)
            self.assertIn(why, self.said)
        for given, why in (("", "--run: is empty"), ("null", "404"), ("../agents", "404")):
            self.assertEqual(self.gate(given), UNTOLD, given)
            self.assertIn(why, self.said)
        for key in ("", "secret\nword", "secret w\u00f6rd"):
            self.assertEqual(self.gate(run, key=key), UNTOLD)
            self.assertIn("PARLEY_KEY", self.said)
            self.assertNotIn("secret", self.said)
        self.assertEqual(self.gate(run, key=f"{self.server.key}\n"), GREEN, "as secrets of a CI often end")
        self.assertEqual(self.gate(run, key="parley_wrong"), UNTOLD)
        self.assertIn("401", self.said)

    def relayed(self, run, first=(), last=None):
        """The exit status of the gate with a relay instead of the server: it answers with `first` before anything else, and merges
        `last` into the `result` of the run from its third read on, which is the one after the verdict."""
        [row] = self.results_of(run)
        tests = f"/scenarios/{run['scenario']['id']}/tests"
        known = {tests: [self.ok(self.http.get(tests))],
                 f"/runs/{run['id']}/test-results": [{"data": [row], "total": 1}],
                 f"/test-results/{row['id']}": [self.get_result(row)],
                 f"/runs/{run['id']}": [{**run, "result": {**run["result"], **(last or {})}}, run, run]}
        waiting = list(first)

        class Relay(webhook.WebhookAgent):
            async def answer(self, request):
                if waiting:
                    return waiting.pop()
                answers = known[request.path.partition("?")[0]]
                return base.Reply(answers.pop() if len(answers) > 1 else answers[0])
        with Relay() as service:
            return self.gate(run, url=service.url)

    def test_a_service_that_comes_back_is_asked_again(self):
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release(good), 1)
        away = [base.Reply(status=503), base.Reply(mode="reset"), base.Reply({"detail": "busy"}, status=429)]
        self.assertEqual(self.relayed(run, first=away), GREEN, self.said)
        self.assertEqual(self.said.count("asking again: "), 3, self.said)

    def test_a_run_that_changes_while_it_is_looked_at(self):
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release(good), 1)
        self.assertEqual(self.relayed(run, last={"passed": 0, "notPassed": 1, "passRate": 0}), UNTOLD)
        self.assertIn("the run changed while it was read", self.said)

    def test_an_unreachable_service_or_a_different_one(self):
        self.assertEqual(self.gate("some-run", "--timeout", "1", url=f"http://127.0.0.1:{server.free_port()}"), UNTOLD)
        self.assertIn("Connection refused", self.said)
        self.assertEqual(self.reported(), [])
        self.assertEqual(self.gate("some-run", url="nonsense"), UNTOLD)
        for reply in (base.Reply("<html>"), base.Reply([]), base.Reply({"status": "completed"})):
            with webhook.WebhookAgent(reply) as other:
                self.assertEqual(self.gate("some-run", url=other.url), UNTOLD)
                self.assertIn("could not tell: ", self.said)


if __name__ == "__main__":
    cases.main()
