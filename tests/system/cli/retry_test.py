#!/usr/bin/env python3
"""`retry` on local data uses the commands and models of the project's suite."""
import json
import signal
import sys
import time
import unittest

from project import ProjectTest, suite, test_of
from support.driven import verdict_of
from support.fakes import base
from support.fakes.model import Model
from support.fakes.webhook import WebhookAgent

# Wrong in the first conversation, right from the second on.
LEARNING = """
import json, pathlib, sys
known = pathlib.Path("known")
answer = "4.50" if known.exists() else "five"
known.touch()
for line in sys.stdin:
    print(json.dumps({"message": answer}), flush=True)
"""
HANGING = """
import pathlib, sys, time
pathlib.Path("pid").write_text(str(__import__("os").getpid()))
for line in sys.stdin:
    time.sleep(60)
"""


class Retry(ProjectTest):
    def with_command(self, text, says=("price",), more=""):
        script = self.write("bot.py", text)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, {script}]}}\n",
                                        test_of("Knows the price", says, '{contains: "4.50"}'), more))

    def test_an_agent_that_is_a_command_plays_again(self):
        self.with_command(LEARNING)
        self.assertEqual(self.parley("run").returncode, 1)
        ended = self.parley("retry", "--verdicts", timeout=30)
        self.assertEqual((ended.returncode, ended.stdout),
                         (0, "first attempts: 0 of 1 passed, 0 %\nnow: 1 of 1 passed, 100 %\n"), ended.stderr)
        self.assertEqual(ended.stderr, "retrying 1 result\n")
        self.assertEqual(self.parley("gate").returncode, 0)

    def test_a_suite_with_another_name_is_found(self):
        self.with_command(LEARNING)
        (self.folder / "parley.yaml").rename(self.folder / "prices.parley.yaml")
        self.assertEqual(self.parley("run", "prices.parley.yaml").returncode, 1)
        self.assertIn("now: 1 of 1 passed", self.parley("retry", "--verdicts", timeout=30).stdout)

    def test_a_command_whose_suite_is_gone_is_refused(self):
        self.with_command(LEARNING)
        self.parley("run")
        (self.folder / "parley.yaml").unlink()
        ended = self.parley("retry", "--verdicts", timeout=30)
        self.assertEqual(ended.returncode, 2)
        self.assertIn('the agent "bot" is a command, and this folder has no suite that names it: play the tests again with `parley run`',
                      ended.stderr)
        self.assertEqual(json.loads(self.parley("ls", "runs", "--json=status").stdout), [{"status": "completed"}])

    def test_a_suite_with_errors_is_refused(self):
        self.with_command(LEARNING)
        self.parley("run")
        self.with_command(LEARNING, more="bogus: 1\n")
        ended = self.parley("retry", "--verdicts", timeout=30)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("unknown key", ended.stderr)

    def test_ctrl_c_cancels_what_is_played_again(self):
        self.with_command(LEARNING)
        self.parley("run")
        (self.folder / "bot.py").write_text(HANGING)
        process = self.start("retry", "--verdicts")
        self.addCleanup(process.kill)
        until = time.monotonic() + 20
        while not (self.folder / "pid").exists():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(self.parley("ls", "runs", "--json=status").stdout), [{"status": "canceled"}])

    def test_results_of_a_canceled_run_are_played_in_a_new_one(self):
        self.with_command(HANGING)
        self.assertEqual(self.parley("run", "--max-time", "1s").returncode, 3)
        run = json.loads(self.parley("ls", "runs", "--json=id").stdout)[0]["id"]
        decided = self.parley("gate")
        self.assertIn(f"to decide: parley run --errors={run}\n", decided.stdout)
        refused = self.parley("retry")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(f"was canceled, so its results cannot be retried: `parley run --errors={run}` plays them", refused.stderr)
        self.with_command(LEARNING.replace("five", "4.50"))
        self.assertEqual(self.parley("run", f"--errors={run}").returncode, 0)

    def test_the_judge_of_the_suite_decides(self):
        agent = WebhookAgent()
        judge = Model(lambda asked: verdict_of(asked) if self.is_up else base.Reply({"error": {"message": "no"}}, 400))
        for fake in (agent, judge):
            fake.start()
            self.addCleanup(fake.stop)
        for name in ("parley.yaml", "other.parley.yaml"):
            with self.subTest(name):
                self.is_up = False
                for other in self.folder.glob("*parley.yaml"):
                    other.unlink()
                self.write(name, suite(f"  shop: {{http: \"{agent.url}/turn\"}}\n",
                                       test_of("Is polite", ["hello"], "{criteria: The chatbot is polite.}"),
                                       f"judge: {{url: \"{judge.base_url}\", model: m, key: \"${{KEY:-k}}\"}}\n"))
                self.assertEqual(self.parley("run", name, "--fresh").returncode, 3)
                self.is_up = True
                self.assertIn("1 of 1 passed", self.parley("retry").stdout)

    def test_a_review_says_whose_fault_it_was(self):
        self.with_command(LEARNING)
        self.parley("run")
        result = json.loads(self.parley("results", "--json=id").stdout)[0]["id"]
        reviewed = self.parley("review", result)
        self.assertEqual((reviewed.returncode, reviewed.stdout.partition(":")[0]), (0, "valid trial, fault of agent"), reviewed.stderr)
        self.assertEqual(self.parley("review", "0123").returncode, 2)
        self.assertEqual(self.parley("review").returncode, 2)

    def test_suites_of_one_command_have_the_same_models(self):
        for name, model in (("a", "one"), ("b", "two"), ("c", None)):
            more = f"judge: {{url: 'http://127.0.0.1:9/v1', model: {model}, key: '${{K:-k}}'}}\n" if model else ""
            self.write(f"{name}.parley.yaml", suite("  shop: {demo: true}\n", test_of("Greets", ["Hello", "bye"], "{icontains: order}"), more)
                       .replace("coffee", name))
        ended = self.parley("run", ".")
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(ended.stderr, "parley run: a.parley.yaml and b.parley.yaml name different judges; use them in separate commands\n")
        self.assertEqual(self.parley("run", "a.parley.yaml", "c.parley.yaml").returncode, 0)


if __name__ == "__main__":
    unittest.main()
