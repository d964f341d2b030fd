#!/usr/bin/env python3
"""Working on a suite: watch, snapshots, tests changed since a revision, repetitions until a comparison is decided, clean."""
import json
import signal
import subprocess
import sys
import unittest

from project import ECHO, ProjectTest, suite, test_of
from support import server as servers

SHOP = "  shop: {demo: true}\n"
ORDER = "  - name: Finds order 42\n    script: |\n      say: Where is order 42?\n      say: bye\n"
# Every second conversation of this command goes wrong; the count is kept in a file.
FLAKY = """
import json, pathlib, sys
for line in sys.stdin:
    turn = json.loads(line)
    file = pathlib.Path("count")
    count = int(file.read_text()) if file.exists() else 0
    file.write_text(str(count + 1))
    print(json.dumps({"message": "good" if count % 2 else "bad"}), flush=True)
"""


class Snapshots(ProjectTest):
    def snapshot(self, script="say: Where is order 42?"):
        self.write("parley.yaml", suite(SHOP, f"  - name: Finds order 42\n    key: order\n    script: |\n      {script}\n      say: bye\n"
                                              "    snapshot: tools\n    must: [{icontains: order}]\n"))

    def test_a_missing_snapshot_is_recorded_and_demanded_afterwards(self):
        self.snapshot()
        report, ended = self.run_to_report(code=0)
        self.assertIn("wrote snapshots/order.yaml", ended.stderr)
        self.assertIn("name: lookup_order", (self.folder / "snapshots/order.yaml").read_text())
        report, _ = self.run_to_report(code=0)
        self.assertIn("snapshot", [each["id"] for each in report["results"][0]["assertions"]])
        self.snapshot("say: Where is order 7?")
        report, _ = self.run_to_report(code=1)
        [failed] = [each for each in report["results"][0]["assertions"] if each["status"] == "failed"]
        self.assertEqual((failed["id"], failed["level"]), ("snapshot", "must"))

    def test_update_shows_the_difference_and_keeps_comments(self):
        self.snapshot()
        self.run_to_report(code=0)
        file = self.folder / "snapshots/order.yaml"
        file.write_text("# kept by hand\n" + file.read_text().replace("  - name", "  # why it is called\n  - name"))
        self.snapshot("say: Where is order 7?")
        _, ended = self.run_to_report("--update", code=0)
        self.assertIn("wrote snapshots/order.yaml", ended.stderr)
        self.assertRegex(ended.stderr, r"(?m)^- .*42")
        self.assertRegex(ended.stderr, r"(?m)^\+ .*7")
        text = file.read_text()
        self.assertIn("# kept by hand", text)
        self.assertIn("# why it is called", text)
        self.run_to_report(code=0)

    def test_a_variant_has_a_file_of_its_own(self):
        self.snapshot()
        text = (self.folder / "parley.yaml").read_text()
        self.write("parley.yaml", text + "    variants: [{name: seven, script: \"say: Where is order 7?\"}]\n")
        _, ended = self.run_to_report(code=0)
        self.assertIn("wrote snapshots/order.yaml", ended.stderr)
        self.assertIn("wrote snapshots/order--seven.yaml", ended.stderr)
        self.run_to_report(code=0)

    def test_a_run_without_calls_is_a_snapshot_too(self):
        self.snapshot("say: Hello")
        self.run_to_report(code=0)
        self.assertIn("calls: []", (self.folder / "snapshots/order.yaml").read_text())
        self.run_to_report(code=0)
        self.snapshot()
        self.run_to_report(code=1)

    def test_ci_neither_records_nor_updates(self):
        self.snapshot()
        ended = self.parley("run", CI="true")
        self.assertEqual(ended.returncode, 2, ended.stdout)
        self.assertRegex(ended.stderr, r"parley\.yaml:\d+:\d+: error: snapshots/order\.yaml does not exist")
        self.assertEqual(self.parley("run", "--update", CI="true").returncode, 2)
        self.assertFalse((self.folder / "snapshots").exists())


class Revisions(ProjectTest):
    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=self.folder, check=True,
                       capture_output=True, env={**self.environment, "GIT_CONFIG_GLOBAL": "/dev/null"})

    def listed(self, *words, code=0):
        ended = self.parley("run", "--list", "--json", *words)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return [each["test"] for each in json.loads(ended.stdout)] if code == 0 else ended.stderr

    def test_tests_that_changed_since_a_revision(self):
        self.write("sub/parley.yaml", suite(SHOP, test_of("One", ["Hello"], "{icontains: order}")
                                            + "  - {name: Two, script: \"file:two.txt\", must: [{icontains: order}]}\n"))
        self.write("sub/two.txt", "say: Hello\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.assertIn("nothing is selected", self.listed("sub/parley.yaml", "--changed-since", "HEAD", code=2))
        self.write("sub/two.txt", "say: Good morning\n")
        self.assertEqual(self.listed("sub/parley.yaml", "--changed-since", "HEAD"), ["two"])
        self.git("commit", "-qam", "second")
        self.assertEqual(self.listed("sub/parley.yaml", "--changed-since", "HEAD~1"), ["two"])
        self.assertIn("no revision", self.listed("sub/parley.yaml", "--changed-since", "nowhere", code=2))
        (self.folder / ".git").rename(self.folder / "old")
        self.assertIn("not a git repository", self.listed("sub/parley.yaml", "--changed-since", "HEAD", code=2))
        (self.folder / "old").rename(self.folder / ".git")
        status = subprocess.run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=self.folder, capture_output=True, text=True,
                                check=True)
        self.assertEqual(status.stdout, "")


class UntilDecided(ProjectTest):
    def bot(self, text):
        self.write("bot.py", text)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py], concurrency: 1}}\n",
                                        test_of("Answers well", ["Hello"], "{contains: good}")))

    def test_more_repetitions_are_played_where_they_decide(self):
        self.bot("import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'message': 'good'}), flush=True)\n")
        self.parley("run", "--repeat", "8", "--reporter", "jsonl:before.jsonl")
        self.bot(FLAKY)
        report, ended = self.run_to_report("--repeat", "2", "--baseline", "@before.jsonl", "--until-decided=40", "--no-gate", code=1)
        self.assertGreater(len(report["results"]), 2, ended.stdout)
        self.assertLessEqual(len(report["results"]), 40)
        self.assertIn("not decided against the baseline", ended.stdout)
        self.assertEqual(sorted(each["repetition"] for each in report["results"]), list(range(1, len(report["results"]) + 1)))

    def test_the_baseline_counts_once_for_all_rounds(self):
        bot = "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'message': '%s'}), flush=True)\n"
        self.bot(bot % "good")
        self.parley("run", "--repeat", "3")
        self.bot(bot % "bad")
        report, ended = self.run_to_report("--repeat", "2", "--baseline", "last-green", "--until-decided=9", "--min-pass-rate", "0", code=1)
        self.assertGreater(len(report["results"]), 2, ended.stdout)
        self.assertRegex(report["reasons"][0], "^against last-green [0-9a-f-]{13}: 1 regressed$")
        self.assertEqual(len(report["reasons"]), 1)
        runs = json.loads(self.parley("ls", "runs", "--json=metadata").stdout)
        self.assertEqual([each["metadata"].get("gate") for each in runs], ["open", "red", "green"])
        shown = json.loads(self.parley("show", "last", "--json=runs,counts").stdout)
        self.assertEqual(([each["id"] for each in shown["runs"]], shown["counts"]),
                         ([each["id"] for each in report["runs"]], report["counts"]))

    def test_a_baseline_is_needed(self):
        self.bot(FLAKY)
        self.assertEqual(self.parley("run", "--until-decided").returncode, 2)


class Watch(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("echo.py", ECHO)

    def put_tests(self, second="Again"):
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, echo.py], watch: [\"*.py\"]}}\n",
                                        test_of("One", ["Hello"], "{contains: Hello}") + test_of("Two", [second], "{contains: Again}")))

    def watching(self):
        process = subprocess.Popen([servers.binary(), "watch", "--reporter", "line"], cwd=self.folder, env=self.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def round(self, process):
        """The lines that the command prints until it waits again."""
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("watching"):
                break
        return "".join(lines)

    def key(self, process, key):
        process.stdin.write(key)
        process.stdin.flush()

    def test_what_changed_and_what_did_not_pass_is_played_again(self):
        self.put_tests()
        process = self.watching()
        first = self.round(process)
        self.assertIn("2 of 2 decided passed", first)
        self.put_tests("Once more")
        second = self.round(process)
        self.assertIn("0 of 1 decided passed", second)
        self.assertNotIn("One #1", second)
        self.key(process, "f")
        self.assertIn("0 of 1 decided passed", self.round(process))
        self.key(process, "a")
        self.assertIn("1 of 2 decided passed", self.round(process))
        self.put_tests()
        self.assertIn("1 of 1 decided passed", self.round(process))
        self.write("echo.py", ECHO + "# changed\n")
        self.assertIn("2 of 2 decided passed", self.round(process))
        self.key(process, "q")
        self.assertEqual(process.wait(timeout=20), 0)

    def test_a_file_with_faults_is_shown_and_waited_for(self):
        self.put_tests()
        process = self.watching()
        self.round(process)
        text = (self.folder / "parley.yaml").read_text()
        self.write("parley.yaml", text + "nonsense: 1\n")
        self.assertIn("unknown key \"nonsense\"", self.round(process))
        self.write("parley.yaml", text.replace("Hello", "Hello there"))
        self.assertIn("1 of 1 decided passed", self.round(process))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)

    def test_a_file_that_is_absent_for_a_moment_stays_watched(self):
        self.put_tests()
        process = self.watching()
        self.round(process)
        (self.folder / "parley.yaml").rename(self.folder / "away")
        self.assertRegex(self.round(process), "watching [1-9]")
        text = (self.folder / "away").read_text()
        (self.folder / "away").write_text(text.replace("Hello", "Hello there"))
        (self.folder / "away").rename(self.folder / "parley.yaml")
        self.assertIn("1 of 1 decided passed", self.round(process))
        self.key(process, "q")
        self.assertEqual(process.wait(timeout=20), 0)

    def test_a_remote_model_needs_a_cost_bound(self):
        self.put_tests()
        text = (self.folder / "parley.yaml").read_text()
        self.write("parley.yaml", text + "judge: {url: \"https://models.example/v1\", model: m, key: \"${K}\"}\n")
        ended = self.parley("watch", K="x")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--max-cost", ended.stderr)


class Init(ProjectTest):
    def test_the_first_suite_has_a_test_that_passes_and_one_that_fails(self):
        self.assertEqual(self.parley("init").returncode, 0)
        self.assertIn(f"project: {self.folder.name.lower()}"[:15], (self.folder / "parley.yaml").read_text())
        report, _ = self.run_to_report(code=1)
        self.assertEqual((report["counts"]["passed"], report["counts"]["failed"]), (1, 1))

    def test_a_suite_can_be_made_of_a_file_of_another_tool(self):
        self.write("promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: [echo]\ntests:\n  - vars: {q: Hello}\n"
                                           "    assert: [{type: contains, value: Hello}]\n")
        ended = self.parley("init", "new", "--from", "promptfooconfig.yaml")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((self.folder / "new/parley.yaml").exists(), ended.stdout)
        self.assertEqual(self.parley("validate", "--project", "new").returncode, 0)


class Warnings(ProjectTest):
    def test_a_test_that_checks_less_than_it_seems_is_reported_before_and_after_the_run(self):
        self.write("parley.yaml", suite(SHOP, "  - name: Greets\n    script: |\n      say: Hello {{nme}}\n      Say: bye\n"
                                              "    must: [{min-length: 1}]\n"))
        checked = self.parley("validate")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        for text in ("No field gives a value for {{nme}}", "resembles a directive: line 2 \"Say: bye\""):
            self.assertIn(text, checked.stderr)
        self.assertEqual(self.parley("validate", "--deny-warnings").returncode, 2)
        played = self.parley("run", "--reporter", "line", "--reporter", "json:report.json")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn("warning: No field gives a value for {{nme}}", played.stdout)
        warnings = json.loads((self.folder / "report.json").read_text())["results"][0]["warnings"]
        self.assertEqual({each["code"] for each in warnings}, {"unknown_placeholder", "directive_lookalike"})
        self.assertIn("warning No field gives a value", self.parley("show", "last").stdout.replace("warning:", "warning"))
        result = json.loads(self.parley("results", "last", "--json=id").stdout)[0]["id"]
        self.assertIn("warning No field gives a value", self.parley("show", result).stdout)
        refused = self.parley("show", "last", "--turn", "1")
        self.assertEqual((refused.returncode, "--turn needs a result" in refused.stderr), (2, True))


class Clean(ProjectTest):
    def test_runs_are_deleted_by_age(self):
        self.write("parley.yaml", suite(SHOP, ORDER + "    must: [{icontains: order}]\n"))
        self.run_to_report(code=0)
        self.run_to_report(code=0)
        self.assertIn("0 runs would be deleted, 2 kept", self.parley("clean", "--older", "1d", "--dry-run").stdout)
        refused = self.parley("clean")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("give --older DURATION, such as --older 30d, or --all", refused.stderr)
        self.assertIn("2 runs deleted, 0 kept", self.parley("clean", "--all").stdout)
        self.assertEqual(self.parley("ls", "runs", "--json=id").stdout, "[]\n")


if __name__ == "__main__":
    unittest.main()
