#!/usr/bin/env python3
"""`parley run` end to end: decisions and exit codes, reports, selections, earlier results, limits, Ctrl-C, shared servers."""
import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
import unittest
import urllib.request
import xml.etree.ElementTree as xml

from project import ECHO, ProjectTest, suite, test_of
from support import server as servers

SHOP = "  shop: {demo: true}\n"
GREETS = test_of("Greets", ["Hello", "bye"], "{icontains: order}")
FAILS = test_of("Finds order 7", ["Where is order 7?", "bye"], "{contains: on its way}")


class Decisions(ProjectTest):
    def test_green_red_and_what_could_not_be_decided_have_codes_of_their_own(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        report, _ = self.run_to_report(code=0)
        self.assertEqual((report["decision"], report["counts"]["passed"]), ("green", 1))
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))
        report, ended = self.run_to_report(code=1)
        self.assertEqual((report["decision"], report["counts"]["failed"]), ("red", 1))
        self.assertIn("pass rate 0.50 is below 1", ended.stdout)
        self.write("parley.yaml", suite("  gone: {http: \"http://127.0.0.1:9/turn\"}\n", GREETS))
        report, _ = self.run_to_report(code=3)
        self.assertEqual(report["results"][0]["fault"]["source"], "agent")

    def test_wrong_use_and_faults_of_files_end_with_2_and_play_nothing(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        for words in (["run", "--shard", "3/2"], ["run", "--tag", "nowhere"], ["run", "--max-cost", "no"], ["run", "--nope"],
                      ["run", "missing.yaml"], ["gate", "--per-test", "x"], ["ls", "nothing"]):
            with self.subTest(words=words):
                self.assertEqual(self.parley(*words).returncode, 2)
        self.write("parley.yaml", suite(SHOP, GREETS) + "nonsense: 1\n")
        ended = self.parley("run")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("parley.yaml:", ended.stderr)

    def test_an_unreachable_server_or_a_refused_key_ends_with_5(self):
        ended = self.parley("ls", "--server", "http://127.0.0.1:9", "--timeout", "0", PARLEY_KEY="k" * 50)
        self.assertEqual(ended.returncode, 5, ended.stderr)
        with servers.Server() as server:
            url = f"http://127.0.0.1:{server.address[1]}"
            self.assertEqual(self.parley("ls", "--server", url, PARLEY_KEY="wrong" * 10).returncode, 5)

    def test_exit_zero_reports_only(self):
        self.write("parley.yaml", suite(SHOP, FAILS))
        self.run_to_report("--exit-zero", code=0)


class Reports(ProjectTest):
    def test_every_file_is_whole_and_names_the_line_of_the_test(self):
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))
        names = ["json:r.json", "jsonl:r.jsonl", "junit:out/r.xml", "md:r.md", "csv:r.csv", "html:r.html", "github"]
        ended = self.parley("run", *(word for name in names for word in ("--reporter", name)))
        self.assertEqual(ended.returncode, 1, ended.stderr)
        report = json.loads((self.folder / "r.json").read_text())
        failed = next(each for each in report["results"] if each["state"] == "failed")
        lines = (self.folder / "parley.yaml").read_text().split("\n")
        self.assertIn("Finds order 7", lines[failed["line"] - 1])
        self.assertIn(f"::error file=parley.yaml,line={failed['line']},", ended.stdout)
        kinds = [json.loads(line)["type"] for line in (self.folder / "r.jsonl").read_text().splitlines()]
        self.assertEqual(kinds, ["result", "result", "run", "report"])
        root = xml.parse(self.folder / "out/r.xml").getroot()
        self.assertEqual((root.get("tests"), root.get("failures"), root.get("errors")), ("2", "1", "0"))
        self.assertIn("failed", (self.folder / "r.md").read_text())
        html = (self.folder / "r.html").read_text()
        index = json.loads(re.search(r'id="report-index">(.*?)</script>', html, re.S)[1])
        self.assertEqual((index["run"]["result"]["total"], index["others"]), (2, []))
        for each in report["results"]:
            self.assertIn(f'id="transcript-{each["id"]}"', html)
        self.assertFalse([each.name for each in self.folder.rglob("*.tmp")])

    def test_several_suites_share_the_reports(self):
        self.write("first.parley.yaml", suite(SHOP, GREETS).replace("coffee", "first"))
        self.write("second.parley.yaml", suite(SHOP, FAILS).replace("coffee", "second"))
        names = ("json:r.json", "jsonl:r.jsonl", "junit:r.xml", "html:r.html")
        ended = self.parley("run", ".", *(word for name in names for word in ("--reporter", name)))
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["decision"], report["exit"], report["project"]), ("red", 1, "first, second"))
        self.assertEqual([(each["name"], each["state"]) for each in report["results"]],
                         [("Greets", "passed"), ("Finds order 7", "failed")])
        self.assertEqual([reason.partition(":")[0] for reason in report["reasons"]], ["second"])
        kinds = [json.loads(line)["type"] for line in (self.folder / "r.jsonl").read_text().splitlines()]
        self.assertEqual(kinds, ["result", "result", "run", "run", "report"])
        self.assertEqual(xml.parse(self.folder / "r.xml").getroot().get("tests"), "2")
        html = (self.folder / "r.html").read_text()
        for each in report["results"]:
            self.assertIn(f'id="transcript-{each["id"]}"', html)
        printed = self.parley("run", ".", "--json")
        self.assertEqual([each["state"] for each in json.loads(printed.stdout)["results"]], ["passed", "failed"])

    def test_a_selection_may_leave_out_one_of_several_suites(self):
        self.write("first.parley.yaml", suite(SHOP, GREETS).replace("coffee", "first"))
        self.write("second.parley.yaml", suite(SHOP, FAILS).replace("coffee", "second"))
        report, _ = self.run_to_report(".", "--filter", "Greets", code=0)
        self.assertEqual(report["counts"]["cases"], 1)
        listed = self.parley("run", ".", "--filter", "Greets", "--list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("1 case", listed.stdout)
        self.assertEqual(self.parley("run", ".", "--filter", "Nothing").returncode, 2)

    def test_shards_joined_are_the_whole(self):
        self.write("parley.yaml", suite(SHOP, "".join(test_of(f"Test {n}", ["Hello", "bye"], "{icontains: order}") for n in range(9))))
        files = []
        for part in (1, 2, 3):
            files.append(f"s{part}.jsonl")
            self.parley("run", "--allow-empty", "--shard", f"{part}/3", "--reporter", f"jsonl:{files[-1]}")
        files = [each for each in files if (self.folder / each).exists()]
        ended = self.parley("report", *files, "--reporter", "json:whole.json")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        whole = json.loads((self.folder / "whole.json").read_text())
        self.assertEqual(sorted(each["name"] for each in whole["results"]), [f"Test {n}" for n in range(9)])

    def test_local_results_can_be_shown_listed_compared_and_exported_later(self):
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))
        report, _ = self.run_to_report(code=1)
        self.run_to_report(code=1)
        failed = next(each for each in report["results"] if each["state"] == "failed")
        shown = self.parley("show", failed["id"])
        self.assertIn("Where is order 7?", shown.stdout)
        self.assertIn("FAIL", self.parley("show", "last").stdout)
        rows = json.loads(self.parley("ls", "runs", "--json=id,status").stdout)
        self.assertEqual([each["status"] for each in rows], ["completed", "completed"])
        self.assertIn("id\n", self.parley("ls", "runs", "--json").stdout)
        self.assertIn("2 unchanged", self.parley("compare", "last~1", "last").stdout)
        self.assertIn(f'id="transcript-{failed["id"]}"', self.parley("export", "last~1", "-f", "html").stdout)
        self.assertEqual(self.parley("gate", "last").returncode, 1)

    def test_not_passed_plays_what_did_not_pass(self):
        self.write("parley.yaml", suite(SHOP, GREETS + FAILS))
        self.run_to_report(code=1)
        report, _ = self.run_to_report("--not-passed", code=1)
        self.assertEqual([each["name"] for each in report["results"]], ["Finds order 7"])

    def test_the_local_data_are_private_and_ignore_themselves(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        self.run_to_report(code=0)
        self.assertEqual((self.folder / ".parley").stat().st_mode & 0o777, 0o700)
        self.assertEqual((self.folder / ".parley/.gitignore").read_text(), "*\n")
        self.assertFalse((self.folder / ".parley/server.json").exists())

    def test_ephemeral_and_demo_keep_nothing(self):
        self.write("parley.yaml", suite(SHOP, GREETS))
        self.assertEqual(self.parley("run", "--ephemeral").returncode, 0)
        demo = self.parley("demo")
        self.assertEqual(demo.returncode, 0, demo.stderr)
        self.assertIn("Finds order 7", demo.stdout)
        self.assertIn("parley demo --view", demo.stderr)
        self.assertFalse((self.folder / ".parley").exists())

    def test_demo_shows_its_run_in_the_page(self):
        demo = self.start("demo", "--view")
        try:
            address = next(line for line in demo.stdout if "/ui/signin?back=" in line).strip()
            with urllib.request.urlopen(address.partition("#")[0]) as page:
                self.assertEqual(page.status, 200)
        finally:
            demo.send_signal(signal.SIGINT)
            _, said = demo.communicate(timeout=20)
        self.assertEqual(demo.returncode, 0, said)


class Interrupts(ProjectTest):
    def test_ctrl_c_reports_what_is_decided_and_leaves_no_child(self):
        self.write("slow.py", "import json, sys, time\nfor line in sys.stdin:\n    time.sleep(60)\n")
        self.write("parley.yaml", suite(f"  slow: {{exec: [{sys.executable}, slow.py]}}\n", test_of("Waits", ["Hello"], "{contains: x}")))
        process = self.start("run", "--reporter", "json:report.json", "--reporter", "line")
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual((report["exit"], report["counts"]["canceled"]), (130, 1))
        left = [each for each in os.listdir("/proc") if each.isdigit() and self.is_slow(each)]
        self.assertEqual(left, [])

    def is_slow(self, process):
        try:
            with open(f"/proc/{process}/cwd/slow.py", encoding="utf-8"):
                return os.readlink(f"/proc/{process}/cwd") == str(self.folder)
        except OSError:
            return False

    def test_a_bound_in_time_ends_with_3(self):
        self.write("slow.py", "import sys, time\nfor line in sys.stdin:\n    time.sleep(60)\n")
        self.write("parley.yaml", suite(f"  slow: {{exec: [{sys.executable}, slow.py]}}\n", test_of("Waits", ["Hello"], "{contains: x}")))
        report, _ = self.run_to_report("--max-time", "1s", code=3)
        self.assertIn("stopped after", report["reasons"][0])


class ExecAgents(ProjectTest):
    def played(self, command, mode="session", **settings):
        more = "".join(f", {key}: {value}" for key, value in settings.items())
        self.write("parley.yaml", suite(f"  bot: {{exec: {json.dumps(command)}, mode: {mode}{more}}}\n",
                                        test_of("Echoes", ["Hello", "Again"], "{contains: \"You said: Again\"}")))
        return self.run_to_report()[0]["results"][0]

    def test_sessions_turns_and_pools_hold_conversations(self):
        self.write("echo.py", ECHO)
        turn = "import json, sys\nprint('You said: ' + json.load(sys.stdin)['message'])\n"
        self.write("turn.py", turn)
        bash = 'while read -r line; do m=$(printf %s "$line" | sed "s/.*\\"message\\":\\"\\([^\\"]*\\)\\".*/\\1/"); ' \
               'printf \'{"message":"You said: %s"}\\n\' "$m"; done'
        self.assertEqual(self.played([sys.executable, "echo.py"])["state"], "passed")
        self.assertEqual(self.played([sys.executable, "echo.py"], "{pool: 2}")["state"], "passed")
        self.assertEqual(self.played([sys.executable, "turn.py"], "turn")["state"], "passed")
        self.assertEqual(self.played(["bash", "-c", bash])["state"], "passed")

    def test_each_fault_is_attributed_to_the_agent(self):
        faults = {
            "exit": "import sys\nsys.stdin.readline()\nraise KeyError('order')\n",
            "not_json": "import sys\nprint('Loading model...', flush=True)\nsys.stdin.read()\n",
            "timeout": "import sys, time\ntime.sleep(60)\n",
            "wrong_shape": "import sys\nsys.stdin.readline()\nprint('{\"message\": 7}', flush=True)\nsys.stdin.read()\n",
            "too_large": "import sys\nsys.stdin.readline()\nprint('x' * 6000000, flush=True)\nsys.stdin.read()\n",
        }
        for code, text in faults.items():
            with self.subTest(code=code):
                self.write("bot.py", text)
                result = self.played([sys.executable, "bot.py"], timeout="2s")
                self.assertEqual((result["state"], result["fault"]["source"], result["fault"]["code"]), ("fault", "agent", code), result)

    def test_a_command_gets_the_variables_that_are_listed_and_no_other(self):
        self.write("bot.py", "import json, os, sys\nfor line in sys.stdin:\n"
                             "    print(json.dumps({'message': 'You said: Again ' + ' '.join(sorted(os.environ))}), flush=True)\n")
        self.environment.update(PARLEY_KEY="canary-key-of-the-server", OTHER="1", MINE="2")
        result = self.played([sys.executable, "bot.py"], env="[MINE]")
        self.assertEqual(result["state"], "passed")
        shown = self.parley("show", result["id"]).stdout
        self.assertIn("MINE", shown)
        self.assertNotIn("PARLEY_KEY", shown)
        self.assertNotIn("OTHER", shown)


class Accounts(ProjectTest):
    def test_login_keeps_a_key_that_later_commands_use(self):
        with servers.Server() as server:
            url = f"http://127.0.0.1:{server.address[1]}"
            ended = self.parley("login", url, stdin=server.key + "\n")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            kept = self.folder / "home/.config/parley/credentials"
            self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
            self.assertIn(url, self.parley("whoami", "--origin").stdout)
            self.assertEqual(self.parley("ls", "runs", "--json=id").stdout, "[]\n")
            self.assertEqual(self.parley("login", url, stdin="wrong" * 10).returncode, 5)
            self.assertEqual(self.parley("logout").returncode, 0)

    def test_ctrl_c_at_the_prompt_for_the_key_restores_the_echo(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            leader, follower = pty.openpty()
            with subprocess.Popen([servers.binary(), "login", "http://127.0.0.1:9"], cwd=self.folder, env=self.environment,
                                  stdin=follower, stdout=follower, stderr=follower) as process:
                try:
                    until = time.monotonic() + 20
                    while termios.tcgetattr(follower)[3] & termios.ECHO:
                        self.assertLess(time.monotonic(), until, "the echo stays on")
                        time.sleep(0.001)
                    process.send_signal(sent)
                    self.assertEqual(process.wait(timeout=20), 128 + sent)
                finally:
                    process.kill()  # the end of the block waits for the process without a bound
            self.assertTrue(termios.tcgetattr(follower)[3] & termios.ECHO)
            os.close(leader)
            os.close(follower)

    def test_suggested_commands_reach_the_server_of_the_run(self):
        self.write("d 8/parley.yaml", suite("  shop: {demo: true}\n", test_of("Fails", ["Hello", "bye"], "{contains: nothing}")))
        self.assertIn("cd 'd 9' && parley run", self.parley("init", "--example", "demo", "d 9").stdout)
        with servers.Server() as server:
            url = f"http://127.0.0.1:{server.address[1]}"
            self.assertEqual(self.parley("login", url, stdin=server.key + "\n").returncode, 0)
            for flags in ([], ["--server", url, "--apply"]):
                ended = self.parley("run", "--project", "d 8", *flags, "--reporter", "pretty")
                commands = re.findall(r"parley (?:show|view|run) .*?(?=      again|$)", ended.stdout, re.M)
                self.assertGreaterEqual(len(commands), 2, ended.stdout + ended.stderr)
                shown = self.parley(*shlex.split(commands[0])[1:])
                self.assertEqual(shown.returncode, 0, shown.stderr)
                self.assertIn("--project 'd 8'", commands[0])
            shutil.move(self.folder / "d 8/parley.yaml", self.folder / "parley.yaml")
            ended = self.parley("run", "--reporter", "pretty")
            command = re.search(r"parley show .* --project \.", ended.stdout)[0]
            self.assertEqual(self.parley(*command.split()[1:]).returncode, 0)
            unknown = self.parley("show", "01a2234a-0000")
            self.assertIn(f'there is no run, result or test "01a2234a-0000" on {url} (profile default;', unknown.stderr)


if __name__ == "__main__":
    unittest.main()
