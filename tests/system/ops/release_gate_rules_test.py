#!/usr/bin/env python3
"""contrib/release_gate.py: nothing undecided or unplayed is green, unless the user allows it by name."""
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from support import cases
from support.driven import GOT
from support.fakes import base, webhook
from support.gate import GATE, GREEN, RED, UNTOLD, Gate, bad, good

JUDGED = {"criteria": "is right", "severity": "MAJOR", "weight": 100}
UNRECORDED = {"type": "cost", "severity": "MAJOR", "config": {"max": 1}}    # the agents here report no cost
ALLOWED = "--allow-open-assertions"


class Undecided(Gate):
    def tried_with(self, *assertions, quality=good, repetitions=2):
        scenario, _ = self.suite("order", assertions=assertions)
        run = self.tried(scenario, self.release(quality), repetitions)
        self.assertEqual(run["result"]["coverage"], 1, "the BLOCKER alone decides the result")
        return run

    def test_assertions_that_nothing_decided_are_red_unless_they_are_allowed(self):
        for assertion, cause, words in ((JUDGED, "judge", "criteria: "), (UNRECORDED, "test", "cost: ")):
            run = self.tried_with(GOT, assertion)
            for options in ((), ("--min-score", "90"), ("--baseline", self.tried(run["scenario"], self.release(good), 2)["id"])):
                self.assertEqual(self.gate(run, *options), RED, options)
                self.assertIn(f"assertions that nothing decided ({ALLOWED} lets them pass):\n    2 x {words}", self.said)
                self.assertEqual({row[1:] for row in self.reported()}, {("error", cause)})
                self.assertEqual(self.gate(run, *options, ALLOWED), GREEN, self.said)
                self.assertIn(f"note: {ALLOWED} lets pass what nothing decided:\n    2 x {words}", self.said)
                self.assertEqual({row[1] for row in self.reported()}, {"passed"})

    def test_they_are_red_even_if_failures_are_allowed(self):
        run = self.tried_with(GOT, JUDGED, quality=bad)
        for options, status in (((), RED), ((ALLOWED,), GREEN)):
            self.assertEqual(self.gate(run, "--min-pass-rate", "0", *options), status, self.said)
            self.assertEqual({row[1] for row in self.reported()}, {"failure"})

    def test_what_does_not_count_may_stay_open(self):
        self.assertEqual(self.gate(self.tried_with(GOT, {**JUDGED, "weight": 0})), GREEN, self.said)
        self.assertNotIn("note: ", self.said)

    def test_a_blocker_that_nothing_decided_cannot_be_allowed(self):
        scenario, _ = self.suite("order", assertions=[GOT, {**JUDGED, "severity": "BLOCKER"}])
        self.assertEqual(self.gate(self.tried(scenario, self.release(good), 1), ALLOWED, "--min-pass-rate", "0"), RED)
        self.assertIn("coverage is 0, not 1: of 1 result 1 undecided\n    1 x judge: criteria: ", self.said)

    def test_a_score_needs_an_assertion_that_counts(self):
        for assertions in ((), ({**GOT, "severity": "MAJOR", "weight": 0},)):
            scenario, tests = self.suite("order", "bill", assertions=assertions)
            agent = self.release(bad)
            self.assertEqual(self.gate(self.tried(scenario, agent, 1), "--min-score", "0"), RED)
            self.assertIn("no result has an assertion that counts", self.said)
            self.ok(self.http.patch(f"/tests/{tests[0]['id']}", {"assertions": [{**GOT, "severity": "MAJOR", "negate": True}]}))
            self.assertEqual(self.gate(self.tried(scenario, agent, 1), "--min-score", "0"), GREEN, self.said)
            self.assertIn("note: 1 result passed because it has no assertion that counts", self.said)


class JudgeAway(Gate):
    options = ("--judge-url", "http://127.0.0.1:1/v1", "--judge-model", "j", "--allow-private-agents", "true")

    def test_an_unreachable_judge_is_red(self):
        scenario, _ = self.suite("order", assertions=[GOT, JUDGED])
        run = self.tried(scenario, self.release(good), 1)
        [asserted] = [each for each in self.results_of(run)[0]["assertionResults"] if each["type"] == "criteria"]
        self.assertEqual((asserted["status"], run["result"]["score"], run["result"]["coverage"]), ("error", 100, 1))
        self.assertEqual(self.gate(run, "--min-score", "90"), RED)
        self.assertEqual(self.reported(), [("order", "error", "judge")])


class Unplayed(Gate):
    def setUp(self):
        super().setUp()
        self.client = self.agent()
        self.scenario_of_all, self.tests = self.suite("order", "bill")

    def started(self, **body):
        return self.a_run(self.scenario_of_all, self.client, **body)

    def play(self, run, test, words="said"):
        return self.play_result(self.result(self.client, run=run["id"], test=test["id"]), words)

    def play_result(self, result, words="said"):
        self.ok(self.next_message(result))
        self.ok(self.post_entry(result, words))
        self.ok(self.next_message(result))
        return self.settled(result)

    def closed(self, run):
        self.ok(self.patch_run(run, status="completed"))
        self.assertEqual(self.get_run(run)["result"]["coverage"], 1, "the server forgot the cases that are missing (D44)")
        return run

    def assert_in_part(self, run, *lines, options=()):
        self.assertEqual(self.gate(run, *options), RED)
        told = "".join(f"    {line}\n" for line in lines)
        self.assertIn(f"  played in part (--allow-missing lets it pass):\n{told}", self.said)
        self.assertEqual(self.gate(run, *options, "--allow-missing"), GREEN, self.said)
        self.assertIn(f"  note: --allow-missing lets pass what was not played:\n{told}", self.said)

    def test_a_run_that_its_client_closed_early(self):
        run = self.started()
        self.play(run, self.tests[0])
        self.assert_in_part(self.closed(run), "bill: 0 of 1")

    def test_fewer_repetitions_than_the_run_promised(self):
        run = self.started(repetitions=3)
        for test in (*self.tests, self.tests[1]):
            self.play(run, test)
        self.assert_in_part(self.closed(run), "order: 1 of 3", "bill: 2 of 3")

    def test_fewer_than_its_configs_promised(self):
        order, bill = self.tests
        self.ok(self.http.patch(f"/tests/{bill['id']}", {"isEnabled": False}))
        run = self.started(repetitions=2, testConfigs=[{"test": bill["id"]}, {"test": bill["id"], "repetitions": 3}])
        self.play(run, bill)
        self.assert_in_part(self.closed(run), "bill: 1 of 5")
        run = self.started(testConfigs=[{"test": bill["id"]}])
        self.play(run, bill)
        self.assertEqual(self.gate(run), GREEN, self.said)
        run = self.started()
        self.play(run, order)
        self.assertEqual(self.gate(run), GREEN, "a disabled test is not promised")

    def test_each_personality_that_its_configs_name(self):
        order, bill = [test["id"] for test in self.tests]
        calm, hasty, shy = [self.ok(self.http.post("/personalities/", {"name": name, "description": "x"}), 201)["id"]
                            for name in ("calm", "hasty", "shy")]

        def played(configs, *personalities):
            """A run with these testConfigs for one test, which the client played with these personalities."""
            run = self.started(testConfigs=[{"test": order, **each} for each in configs])
            for personality in personalities:
                self.play_result(self.result(self.client, run=run["id"], test=order, personality=personality))
            self.assertEqual(self.ended(run)["result"]["coverage"], 1, "the server counts by test (D44)")
            return run

        both = [{"personality": calm}, {"personality": hasty}]
        self.assertEqual(self.gate(played(both, hasty, calm)), GREEN, self.said)
        self.assert_in_part(played(both, calm, calm), "order as hasty: 0 of 1")
        self.assert_in_part(played(both, shy, shy), "order as calm: 0 of 1", "order as hasty: 0 of 1")
        twice = [{"personality": calm}, {"personality": hasty, "repetitions": 2}, {"personality": calm}]
        self.assertEqual(self.gate(played(twice, calm, hasty, hasty, calm)), GREEN, self.said)
        self.assert_in_part(played(twice, calm, calm, hasty, calm), "order as hasty: 1 of 2")

        with_any = [{}, {"personality": calm}, {}]
        for rest in ((calm, calm), (hasty, shy), (calm, shy)):    # a case without a named personality may be played with any
            self.assertEqual(self.gate(played(with_any, calm, *rest)), GREEN, self.said)
        self.assert_in_part(played(with_any, hasty, shy, shy), "order as calm: 0 of 1")

        run = self.started(testConfigs=[{"test": order}, {"test": order, "personality": calm}, {"test": bill, "personality": shy}])
        self.play_result(self.result(self.client, run=run["id"], test=order, personality=calm))
        self.assert_in_part(self.closed(run), "order as anybody: 0 of 1", "bill as shy: 0 of 1")

    def test_what_a_personality_was_not_played_as_often_as_in_the_baseline(self):
        order = self.tests[0]["id"]
        calm, hasty = [self.ok(self.http.post("/personalities/", {"name": name, "description": "x"}), 201)["id"]
                       for name in ("calm", "hasty")]
        before, after = [self.started(testConfigs=[{"test": order, "personality": calm},
                                                   {"test": order, "personality": hasty, "repetitions": times}]) for times in (2, 1)]
        for personality in (calm, hasty, hasty):
            self.play_result(self.result(self.client, run=before["id"], test=order, personality=personality))
        self.play_result(self.result(self.client, run=after["id"], test=order, personality=hasty))
        self.assertEqual(self.beside(before, self.closed(after)), RED)
        self.assertIn("lets it pass):\n    order as calm: 0 of 1\n    order as hasty: 1, in the baseline 2\n", self.said)

    def test_a_canceled_run_whose_bad_result_was_retried_until_it_was_good(self):
        run = self.started()
        wrong = self.play(run, self.tests[0], "no idea")
        self.ok(self.patch_run(run, status="canceled"))
        self.play_result(self.ok(self.retry(wrong), 201))
        self.assertEqual(self.ended(run)["result"]["coverage"], 1)
        self.assert_in_part(run, "bill: 0 of 1")

    def test_a_test_that_was_created_after_the_results_is_noted(self):
        run = self.started()
        _, bill = [self.play(run, test) for test in self.tests]
        time.sleep(0.002)    # times are reported in milliseconds
        late = self.a_test(self.scenario_of_all, "say: one", [GOT])
        self.play_result(self.ok(self.retry(bill), 201))    # a retry is not a further result
        self.assertEqual(self.gate(run), GREEN, self.said)
        self.assertIn(f"note: tests that were created after this run's results and were not played:\n    {late['name']}\n", self.said)

    def test_fewer_than_the_baseline_tried(self):
        before, after = self.started(repetitions=2), self.started()
        for test in self.tests:
            self.play(after, test)
            for _ in range(2):
                self.play(before, test)
        self.assertEqual(self.gate(after), GREEN, self.said)
        self.assertEqual(self.beside(after, before), GREEN, self.said)
        self.assertEqual(self.beside(before, after), RED)
        self.assertRegex(self.said, r"played in part \(--allow-missing lets it pass\):(\n    (order|bill): 1, in the baseline 2){2}\n")
        self.assertEqual(self.beside(before, after, "--allow-missing"), GREEN, self.said)


class OnItsOwn(unittest.TestCase):
    def test_without_its_other_file_it_is_undecided(self):
        with tempfile.TemporaryDirectory(prefix="parley-gate-") as folder:
            alone = shutil.copy(GATE, folder)
            done = subprocess.run([sys.executable, alone], capture_output=True, text=True, timeout=15, check=False)
        self.assertEqual((done.returncode, done.stdout), (UNTOLD, ""))
        self.assertIn("parley_verdicts.py must be in the folder of", done.stderr)


class Slow(Gate):
    def test_reading_has_an_end_of_its_own(self):
        """A server that takes 0.3 s for each of 60 results, eight at once."""
        scenario, _ = self.suite("order")
        run = self.tried(scenario, self.release(good), 60)
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results?output=minimal&limit=1000&sortOrder=asc"))
        whole = self.get_result(rows["data"][0])
        asked = []

        def respond(request):
            path = request.path.partition("?")[0]
            asked.append(path)
            return rows if path.endswith("/test-results") else whole if path.startswith("/test-results/") else run

        class Relay(webhook.WebhookAgent):
            async def answer(self, request):
                return base.Reply(respond(request))
        with Relay(latency=0.3) as service:
            begun = time.monotonic()
            self.assertEqual(self.gate(run, "--read-timeout", "1", url=service.url), UNTOLD)
            self.assertLess(time.monotonic() - begun, 5)
        self.assertIn("time-out: the results of the run could not be read within --read-timeout", self.said)
        self.assertLess(len(asked), 50)


if __name__ == "__main__":
    cases.main()
