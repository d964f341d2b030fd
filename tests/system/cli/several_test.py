#!/usr/bin/env python3
"""Several suites in one command: one run group, bounds and names that apply to all suites, one JSON document."""
import json
import unittest

from project import ProjectTest, suite, test_of
from support import server as servers

SHOP = "  shop: {demo: true}\n"
GREETS = test_of("Greets", ["Hello", "bye"], "{icontains: order}")
FAILS = test_of("Greets", ["Hello", "bye"], "{contains: on its way}")
COSTLY = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"message": "Your order", "metadata": {"cost": 1.0}}), flush=True)
"""


class Several(ProjectTest):
    def write_suite(self, name, tests, agents=SHOP, more=""):
        self.write(f"{name}.parley.yaml", suite(agents, tests, more).replace("project: coffee", f"project: {name}"))

    def states(self, *words, code):
        report, _ = self.run_to_report(*words, code=code)
        return [(each["file"], each["state"]) for each in report["results"]]

    def test_last_is_all_suites(self):
        self.write_suite("a", GREETS)
        self.write_suite("b", FAILS)
        self.run_to_report("b.parley.yaml", "a.parley.yaml", code=1)
        decided = self.parley("gate")
        self.assertEqual(decided.returncode, 1, decided.stdout)
        self.assertIn("b: pass rate 0.00 is below 1", decided.stdout)
        self.assertIn("FAIL", self.parley("show", "last").stdout)
        self.assertEqual(json.loads(self.parley("export", "-f", "json").stdout)["decision"], "red")
        # The test with the same key in the other suite passed.
        self.assertEqual(self.states("--not-passed", "b.parley.yaml", "a.parley.yaml", code=1), [("b.parley.yaml", "failed")])

    def test_each_suite_is_decided_by_its_own_rules(self):
        self.write_suite("a", GREETS)
        self.write_suite("b", FAILS, more="gate: {min-pass-rate: 0}\n")
        self.run_to_report(".", code=0)
        self.assertEqual(self.parley("gate").returncode, 0)

    def test_the_baseline_is_the_command_before(self):
        for name in ("a", "b"):
            self.write_suite(name, GREETS)
        self.run_to_report(".", code=0)
        before = {each["scenario"]["name"]: each["id"] for each in json.loads(self.parley("ls", "runs", "--json=id,scenario").stdout)}
        self.run_to_report(".", "--baseline", "last", code=0)
        decided = self.parley("gate", "--explain")
        self.assertEqual(decided.returncode, 0, decided.stdout)
        for name in ("a", "b"):
            self.assertIn(f"{name}: against run {max(before.values())[:13]}: no test regressed", decided.stdout)
        ended = self.parley("run", ".", "--baseline", "0000")
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(len(json.loads(self.parley("ls", "runs", "--json=id").stdout)), 4)

    def test_a_cost_bounds_the_whole_command(self):
        self.write("bot.py", COSTLY)
        for name in ("a", "b", "c"):
            self.write_suite(name, test_of("Costs", ["Hello"], "{icontains: order}"), "  bot: {exec: [python3, bot.py]}\n")
        report, _ = self.run_to_report(".", "--max-cost", "1.5", code=3)
        self.assertEqual([each["state"] for each in report["results"]], ["passed", "passed"])
        self.assertEqual(report["reasons"][0], "c: stopped at $2.00 of 1.50: 1 of 1 left")
        self.assertEqual([each["status"] for each in report["runs"]], ["completed", "completed", "canceled"])
        self.assertEqual(self.parley("gate").returncode, 3)

    def test_fail_fast_ends_the_whole_command(self):
        self.write_suite("a", FAILS)
        self.write_suite("b", GREETS)
        report, _ = self.run_to_report(".", "--fail-fast", code=1)
        self.assertEqual([each["state"] for each in report["results"]], ["failed"])
        self.assertIn("b: stopped after 1 failed: 1 of 1 left", report["reasons"])

    def test_one_suite_with_the_agent_is_enough(self):
        self.write_suite("a", GREETS)
        self.write_suite("b", GREETS, "  web: {demo: true}\n")
        self.assertEqual(self.states(".", "--agent", "web", code=0), [("b.parley.yaml", "passed")])
        ended = self.parley("run", ".", "--agent", "wbe")
        self.assertEqual(ended.returncode, 2)
        self.assertIn('no suite has the agent "wbe"; did you mean "web"?', ended.stderr)

    def test_json_is_one_document(self):
        for name in ("a", "b"):
            self.write_suite(name, GREETS)
        listed = json.loads(self.parley("run", ".", "--list", "--json").stdout)
        self.assertEqual([each["file"] for each in listed], ["a.parley.yaml", "b.parley.yaml"])
        for words in (["diff"], ["apply"]):
            answers = json.loads(self.parley(*words, ".", "--json").stdout)
            self.assertEqual([each["created"] > 0 for each in answers], [True, True], answers)

    def test_two_suites_with_one_project_are_refused(self):
        self.write_suite("a", GREETS)
        self.write("b.parley.yaml", (self.folder / "a.parley.yaml").read_text())
        ended = self.parley("apply", ".")
        self.assertEqual(ended.returncode, 2)
        self.assertIn('b.parley.yaml:2:10: error: project "a" is also the project of a.parley.yaml:2:10', ended.stderr)


class SnapshotsOfSomeTests(ProjectTest):
    TESTS = "".join(f"  - {{name: {name}, key: {name}, snapshot: tools, script: \"say: Where is order 42?\\nsay: bye\"}}\n"
                    for name in ("order", "rows"))

    def test_update_keeps_the_checks_of_other_tests(self):
        self.write("parley.yaml", suite(SHOP, self.TESTS))
        self.run_to_report(code=0)
        file = self.folder / "snapshots/order.yaml"
        file.write_text(file.read_text().replace("lookup_order", "cancel_order"))
        report, _ = self.run_to_report("--update=rows", code=1)
        self.assertEqual([each["state"] for each in report["results"]], ["failed", "passed"])
        self.run_to_report("--update", code=0)
        self.assertIn("lookup_order", file.read_text())
        self.run_to_report(code=0)

    def test_a_shared_server_gets_the_snapshots_of_the_run(self):
        with servers.Server() as server:
            self.environment.update(PARLEY_URL=f"http://127.0.0.1:{server.address[1]}", PARLEY_KEY=server.key)
            self.write("parley.yaml", suite(SHOP, self.TESTS))
            for words in (["--apply"], [], ["--apply", "--update"], []):
                with self.subTest(words=words):
                    self.run_to_report(*words, code=0)


class Quiet(ProjectTest):
    def test_twice_prints_no_warning(self):
        self.write("parley.yaml", suite(SHOP + "  other: {demo: true}\n", GREETS, "matrix: {agent: shop}\n"))
        self.assertIn("warning", self.parley("validate").stderr)
        for verb in ("validate", "run"):
            ended = self.parley(verb, "-qq")
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""), verb)


if __name__ == "__main__":
    unittest.main()
