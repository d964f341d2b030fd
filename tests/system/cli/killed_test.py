#!/usr/bin/env python3
"""After a killed run: later commands read its data without calling an agent, and the run does not continue. A closed terminal."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from project import ProjectTest, suite, test_of
from support import server as servers
from support.fakes.webhook import WebhookAgent


class Killed(ProjectTest):
    def setUp(self):
        super().setUp()
        self.agent = WebhookAgent(latency=0.5)
        self.agent.start()
        self.addCleanup(self.agent.stop)
        says = [f"message {number}" for number in range(40)]
        self.write("parley.yaml", suite(f"  shop: {{http: \"{self.agent.url}/turn\"}}\n",
                                        test_of("Talks long", says, "{contains: message}")))

    def kill_a_run(self):
        process = self.start("run")
        try:
            until = time.monotonic() + 20
            while len(self.agent.requests) < 2:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.01)
        finally:
            process.kill()
            process.communicate()
        time.sleep(0.6)   # the turn in progress ends
        return len(self.agent.requests)

    def test_commands_that_read_call_no_agent(self):
        calls = self.kill_a_run()
        for words in (["results"], ["show", "last"], ["gate"], ["export", "last", "-f", "json"], ["ls"]):
            with self.subTest(words):
                ended = self.parley(*words)
                self.assertIn(ended.returncode, (0, 3), ended.stderr)
                self.assertEqual(len(self.agent.requests), calls)

    def test_the_run_is_shown_as_canceled(self):
        self.kill_a_run()
        self.assertEqual(json.loads(self.parley("ls", "runs", "--json=status").stdout), [{"status": "canceled"}])
        self.assertIn("canceled", self.parley("show", "last").stdout)

    def test_the_next_run_plays_only_its_own_conversations(self):
        self.kill_a_run()
        self.write("parley.yaml", suite(f"  shop: {{http: \"{self.agent.url}/turn\"}}\n",
                                        test_of("Talks shortly", ["one", "two", "three"], "{contains: three}")))
        self.agent.requests.clear()
        self.assertEqual(self.parley("run").returncode, 0)
        said = [turn["message"] for turn in self.agent.turns()]
        self.assertEqual([each for each in said if not each.startswith("message")], ["one", "two", "three"])
        self.assertLessEqual(len(said), 4, "at most the turn that was owed when the server started")
        self.assertEqual([row["status"] for row in json.loads(self.parley("ls", "runs", "--json=status").stdout)],
                         ["completed", "canceled"])


HANGING = """
import os, pathlib, sys, time
sys.stdin.readline()
pathlib.Path("pid").write_text(str(os.getpid()))
time.sleep(600)
"""


class Closed(ProjectTest):
    def setUp(self):
        super().setUp()
        script = self.write("bot.py", HANGING)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, {script}]}}\n", test_of("Hangs", ["hello"], "{contains: x}")))

    def started(self, **options):
        """A run whose agent hangs, and the agent's process."""
        process = subprocess.Popen([servers.binary(), "run"], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        pid = self.folder / "pid"
        until = time.monotonic() + 20
        while not (pid.exists() and pid.read_text()):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return process, int(pid.read_text())

    def test_a_closed_terminal_ends_the_run_and_its_agent(self):
        process, agent = self.started()
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(20), 129)
        self.assertFalse(pathlib.Path(f"/proc/{agent}").exists())
        self.assertEqual(json.loads(self.parley("ls", "runs", "--json=status").stdout), [{"status": "canceled"}])

    def test_nohup_goes_on_without_the_terminal(self):
        process, _ = self.started(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), 143)


if __name__ == "__main__":
    unittest.main()
