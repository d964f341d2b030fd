#!/usr/bin/env python3
"""Runs that end early, or do not begin: no report of an earlier run is left, and what was decided is reported."""
import json
import signal
import sys
import time
import unittest

from project import ProjectTest, suite, test_of
from support import server as servers
from support.driven import verdict_of
from support.fakes import base
from support.fakes.model import Model

# Answers everything but the word "slow" at once.
UNEVEN = """
import json, sys, time
for line in sys.stdin:
    turn = json.loads(line)
    if "slow" in turn["message"]: time.sleep(20)
    print(json.dumps({"message": "You said: " + turn["message"]}), flush=True)
"""
QUICK = test_of("Quick", ["hello"], "{contains: hello}")
SLOW = test_of("Slow", ["slow"], "{contains: slow}")


class EarlyEnd(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("bot.py", UNEVEN)
        self.bot = f"  bot: {{exec: [{sys.executable}, bot.py]}}\n"
        self.write("parley.yaml", suite(self.bot, QUICK))

    def wait_for_result(self, process):
        """Returns after the first case has ended."""
        for line in process.stdout:
            if line.startswith("passed"):
                return
        self.fail("no case has ended")

    def begin(self, *words):
        process = self.start("run", "--reporter", "line", "--reporter", "jsonl:o.jsonl", "--reporter", "junit:o.xml", *words)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_no_report_of_an_earlier_run_is_left(self):
        report = ("--reporter", "jsonl:o.jsonl", "--reporter", "junit:o.xml")
        files = [self.folder / "o.jsonl", self.folder / "o.xml"]

        def check(*states):
            self.assertEqual([each.exists() for each in files], list(states))
        self.assertEqual(self.parley("run", *report).returncode, 0)
        check(True, True)
        self.assertEqual(self.parley("run", "--list", *report).returncode, 0)
        check(True, True)
        self.write("parley.yaml", suite(self.bot, QUICK, "bogus: 1\n"))
        self.assertEqual(self.parley("run", *report).returncode, 2)
        check(False, False)
        self.assertEqual(self.parley("report", "o.jsonl").returncode, 2)
        self.write("parley.yaml", suite(self.bot, QUICK))
        self.parley("run", *report)
        self.write("parley.yaml", suite(self.bot, QUICK + SLOW))
        process = self.begin()
        self.wait_for_result(process)
        process.kill()
        process.wait()
        check(False, False)

    def test_a_report_that_is_the_baseline_is_kept_until_the_new_one(self):
        self.assertEqual(self.parley("run", "--reporter", "jsonl:o.jsonl").returncode, 0)
        again = self.parley("run", "--reporter", "jsonl:o.jsonl", "--baseline", "@o.jsonl")
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)

    def test_a_file_that_the_run_reads_is_never_removed(self):
        self.write("parley.yaml", suite(self.bot, QUICK, "bogus: 1\n"))
        self.assertEqual(self.parley("run", "--reporter", "json:parley.yaml").returncode, 2)
        self.assertTrue((self.folder / "parley.yaml").exists())

    def test_what_was_decided_before_the_server_was_lost_is_reported(self):
        self.write("parley.yaml", suite(self.bot, QUICK + SLOW))
        with servers.Server() as server:
            self.environment.update(PARLEY_URL=f"http://127.0.0.1:{server.address[1]}", PARLEY_KEY=server.key)
            process = self.begin("--apply", "--timeout", "1s")
            self.wait_for_result(process)
            server.kill()
            said, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, said + errors)
        self.assertEqual(errors.count("cannot be reached"), 1, errors)
        self.assertIn("undecided: stopped by an error: 1 of 2 left", said)
        lines = [json.loads(line) for line in (self.folder / "o.jsonl").read_text().splitlines()]
        [last] = [each for each in lines if each["type"] == "report"]
        self.assertEqual((last["exit"], last["decision"], last["counts"]["passed"], last["counts"]["missing"]), (5, "undecided", 1, 1))
        self.assertIn("<testsuite ", (self.folder / "o.xml").read_text())
        self.assertEqual(self.parley("report", "o.jsonl").returncode, 3)


class OtherModels(ProjectTest):
    """A run joins the server of another command only if it has the models of the run."""

    def setUp(self):
        super().setUp()
        self.judge = Model(verdict_of)
        self.judge.start()
        self.addCleanup(self.judge.stop)
        self.write("bot.py", UNEVEN)
        self.bot = f"  bot: {{exec: [{sys.executable}, bot.py]}}\n"
        self.put("slow.yaml", "slow", "a")
        self.put("same.yaml", "hello", "a")
        self.put("other.yaml", "hello", "b")
        self.put("none.yaml", "hello", None)

    def put(self, name, says, model):
        more = f"judge: {{url: \"{self.judge.base_url}\", model: {model}, key: \"${{KEY:-k}}\"}}\n" if model else ""
        must = "{criteria: The chatbot is polite.}" if model else "{contains: hello}"
        self.write(name, suite(self.bot, test_of("Is polite", [says], must), more).replace("coffee", name.partition(".")[0]))

    def test_a_run_is_not_judged_by_the_judge_of_another_suite(self):
        first = self.start("run", "slow.yaml")
        self.addCleanup(first.communicate)
        until = time.monotonic() + 10
        while not (self.folder / ".parley/server.json").exists():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        refused = self.parley("run", "other.yaml")
        self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)
        self.assertIn(f"another parley command (process {first.pid}) runs the server of this folder, and its judge is not the judge of these files",
                      refused.stderr)
        self.assertIn("`parley run --ephemeral`", refused.stderr)
        self.assertEqual(self.parley("run", "--ephemeral", "other.yaml").returncode, 0)
        self.assertEqual(self.parley("run", "same.yaml").returncode, 0)
        self.assertEqual(self.parley("run", "none.yaml").returncode, 0, "it needs no model")
        self.assertNotIn("k\"", (self.folder / ".parley/server.json").read_text().partition('"tester"')[2])
        first.send_signal(signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
