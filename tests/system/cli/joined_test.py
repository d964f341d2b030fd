#!/usr/bin/env python3
"""Commands that use one project folder at the same time: the command that started the server waits for the others."""
import contextlib
import json
import signal
import sys
import time
import unittest
import urllib.parse

from project import ProjectTest, suite, test_of
from support import wire

SLOW = """
import json, sys, time
for line in sys.stdin:
    turn = json.loads(line)
    time.sleep(float(sys.argv[1]))
    print(json.dumps({"message": "You said: " + turn["message"]}), flush=True)
"""
WAITING = "another parley command uses the server of this one"


class Joined(ProjectTest):
    def setUp(self):
        super().setUp()
        script = self.write("slow.py", SLOW)
        agents = "".join(f"  {name}: {{exec: [{sys.executable}, {script}, '{seconds}']}}\n"
                         for name, seconds in (("quick", 0.7), ("slow", 2.5)))
        self.write("parley.yaml", suite(agents, test_of("Echoes", ["hello"], "{contains: hello}")))

    def begin(self, agent, *words):
        process = self.start("run", "--agent", agent, "--reporter", f"json:{agent}.json", "--reporter", "line", *words)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def wait_for_server(self):
        until = time.monotonic() + 10
        while not (self.folder / ".parley/server.json").exists():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def check_green(self, process, agent):
        """Checks that the run of the agent passed; returns its standard error."""
        said, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, said + errors)
        report = json.loads((self.folder / f"{agent}.json").read_text())
        self.assertEqual(report["counts"]["passed"], 1)
        return errors

    def test_a_run_that_joined_another_ends_with_its_own_verdict(self):
        first = self.begin("quick")
        self.wait_for_server()
        second = self.begin("slow")
        self.assertIn(WAITING, self.check_green(first, "quick"))
        self.check_green(second, "slow")
        self.assertEqual(self.parley("ls", "runs", "--json=status").stdout.count("completed"), 2)
        self.assertFalse((self.folder / ".parley/server.json").exists())

    def test_another_command_cancels_a_run(self):
        run = self.begin("slow")
        self.wait_for_server()
        until = time.monotonic() + 10
        while not json.loads(self.parley("ls", "runs", "--json=id").stdout):
            self.assertLess(time.monotonic(), until)
        canceled = self.parley("cancel")
        self.assertEqual((canceled.returncode, canceled.stdout.split()[0]), (0, "canceled"), canceled.stderr)
        run.communicate(timeout=30)
        self.assertEqual(run.returncode, 3)
        self.assertEqual(json.loads(self.parley("ls", "runs", "--json=status").stdout), [{"status": "canceled"}])
        self.assertEqual(self.parley("cancel").returncode, 2, "it is over")

    def test_a_page_that_is_closed_waits_for_the_run_that_joined_it(self):
        self.assertEqual(self.parley("run", "--agent", "quick").returncode, 0)
        page = self.start("view", "--no-input")
        self.addCleanup(page.kill)
        self.wait_for_server()
        run = self.begin("slow")
        time.sleep(1)
        page.send_signal(signal.SIGINT)
        self.check_green(run, "slow")
        self.assertEqual(page.wait(10), 0)
        self.assertIn(WAITING, page.communicate()[1])

    def test_a_page_that_joined_a_run_lives_until_ctrl_c(self):
        self.assertEqual(self.parley("run", "--agent", "quick").returncode, 0)
        run = self.begin("quick")
        self.wait_for_server()
        page = self.start("view", "--no-input")
        self.addCleanup(page.kill)
        self.assertIn("/ui/signin", page.stdout.readline())
        time.sleep(2)
        self.assertIsNone(page.poll())
        self.assertIsNone(run.poll(), "its server has a page")
        page.send_signal(signal.SIGINT)
        self.assertEqual(page.wait(10), 0)
        page.communicate()
        self.check_green(run, "quick")

    @contextlib.contextmanager
    def page(self):
        """Opens the page and yields a client of its server."""
        page = self.start("view", "--no-input")
        self.addCleanup(page.kill)
        self.wait_for_server()
        note = json.loads((self.folder / ".parley/server.json").read_text())
        address = urllib.parse.urlsplit(note["url"])
        with contextlib.closing(wire.Client((address.hostname, address.port), note["key"])) as http:
            yield http
        page.send_signal(signal.SIGINT)
        self.assertEqual(page.wait(10), 0)
        page.communicate()

    def run_again(self, http):
        """Repeats the newest run as the page does."""
        run = http.get("/runs/").json()["data"][0]
        again = http.post("/runs/", {"scenario": run["scenario"]["id"], "agent": run["agent"]["id"], "status": "pending"}).json()
        return http.get(f"/runs/{again['id']}", {"Prefer": "wait=15"}).json()

    def test_a_page_runs_the_commands_of_the_suite_again(self):
        self.assertEqual(self.parley("run", "--agent", "quick").returncode, 0)
        with self.page() as http:
            ended = self.run_again(http)
            self.assertEqual((ended["status"], ended["result"]["passed"]), ("completed", 1))
            self.check_green(self.begin("quick"), "quick")
            self.assertEqual(http.get("/agents/?type=LOCAL").json()["total"], 2)

    def test_a_run_of_the_page_is_retried_once(self):
        (self.folder / "slow.py").write_text(SLOW.replace("You said", "Wrong").replace('+ turn["message"]', ''))
        self.assertEqual(self.parley("run", "--agent", "quick").returncode, 1)
        with self.page() as http:
            failed = self.run_again(http)
            self.assertEqual((failed["status"], failed["result"]["passed"]), ("completed", 0))
            (self.folder / "slow.py").write_text(SLOW)
            retried = self.parley("retry", failed["id"], "--verdicts", timeout=30)
            self.assertIn("now: 1 of 1 passed", retried.stdout, retried.stderr)
            [result] = http.get(f"/runs/{failed['id']}/test-results").json()["data"]
            self.assertEqual([entry["role"] for entry in result["conversation"] if entry["type"] == "message"], ["tester", "chatbot"])

    def test_a_second_ctrl_c_ends_both(self):
        first = self.begin("quick")
        self.wait_for_server()
        second = self.begin("slow")
        self.assertIn(WAITING, first.stderr.readline())
        first.send_signal(signal.SIGINT)
        first.wait(10)
        self.assertEqual(second.wait(30), 5, second.stderr.read())


if __name__ == "__main__":
    unittest.main()
