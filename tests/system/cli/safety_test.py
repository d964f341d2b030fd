#!/usr/bin/env python3
"""Things that must never happen: agent text that controls a terminal or a CI log, secrets in any output, reports that a CI system
rejects, shards that do not add up to the whole, and slow commands."""
import json
import re
import resource
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

from project import ProjectTest, suite, test_of
from support import server as servers
from terminal import run_on_terminal

HOSTILE = ("\x1b[2J\x1b]52;c;aGFybQ==\x07\x1b]0;title\x07\r::add-mask::x\n::set-output name=a::b\n\u202egnol \x9b31m \x00 "
           "##vso[task.setvariable]x ##[add-mask]y \u2066end")
SHOP = "  shop: {demo: true}\n"
# Only surefire has elements for repetitions of a case.
REPEATED_FAILURES = ["flakyFailure", "flakyError", "rerunFailure", "rerunError"]


class Hostile(ProjectTest):
    def setUp(self):
        super().setUp()
        self.environment.update(TERM="xterm")
        self.write("bot.py", f"import json, sys\nfor line in sys.stdin:\n    print(json.dumps({{'message': {HOSTILE!r}}}), flush=True)\n"
                             f"    print({HOSTILE!r}, file=sys.stderr, flush=True)\n")
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py]}}\n", test_of("Is calm", ["Hello"], "{contains: calm}")))

    def check(self, written):
        text = written if isinstance(written, bytes) else written.encode()
        for bad in (b"\x1b]", b"\x1b[2J", b"\x07", b"\x00", "\u202e".encode(), "\u2066".encode(), "\x9b".encode()):
            self.assertNotIn(bad, text)

    def test_nothing_raw_reaches_a_terminal(self):
        for words in (["run"], ["run", "-v", "--color", "always"], ["show", "last"], ["results", "last"]):
            with self.subTest(words=words):
                _, written = run_on_terminal([servers.binary(), *words], 80, self.folder, self.environment)
                self.check(written)

    def test_nothing_in_a_log_of_github_is_a_command_of_the_agent(self):
        ended = self.parley("run", "--reporter", "github", "--reporter", "line", "-v", CI="true", GITHUB_ACTIONS="true",
                            GITHUB_STEP_SUMMARY=str(self.folder / "summary.md"))
        self.check(ended.stdout + ended.stderr)
        self.assertNotRegex(ended.stdout + ended.stderr, r"##[A-Za-z]*\[")
        commands = [line for line in re.split(r"[\r\n]", ended.stdout + ended.stderr) if line.startswith("::")]
        self.assertEqual(len(commands), 1, commands)
        self.assertRegex(commands[0], r"^::error file=parley\.yaml,line=\d+,title=")
        self.assertIn("Is calm", (self.folder / "summary.md").read_text())

    def test_no_line_of_a_conversation_is_a_command_in_a_log_of_github(self):
        report, _ = self.run_to_report(code=1)
        log = {"CI": "true", "GITHUB_ACTIONS": "true"}
        shown = self.parley("show", report["results"][0]["id"], "--all", **log)
        for ended in (shown, self.parley("chat", "bot", stdin="Hello\n", **log), self.parley("agent", "check", "bot", **log)):
            with self.subTest(words=ended.args[1:]):
                self.check(ended.stdout + ended.stderr)
                self.assertNotRegex(ended.stdout + ended.stderr, r"##[A-Za-z]*\[")
                lines = re.split(r"[\r\n]", ended.stdout + ended.stderr)
                self.assertEqual([line for line in lines if line.strip().startswith("::")], [])
        self.assertIn("| ::set-output", re.sub(" +", " ", shown.stdout))

    def test_the_conversation_of_the_result_is_escaped(self):
        report, _ = self.run_to_report(code=1)
        shown = self.parley("show", report["results"][0]["id"], "--all")
        self.check(shown.stdout)
        self.assertIn("\\x1b[2J", shown.stdout)

    def test_reports_are_well_formed(self):
        names = ["junit:r.xml", "html:r.html", "md:r.md", "csv:r.csv", "json:r.json"]
        self.parley("run", *(word for name in names for word in ("--reporter", name)))
        xml.parse(self.folder / "r.xml")
        for name in ("r.xml", "r.html", "r.md", "r.csv"):
            with self.subTest(name=name):
                self.check((self.folder / name).read_bytes())


class Secrets(ProjectTest):
    CANARY = "canary-7f3a9c-do-not-print"

    def test_a_secret_is_in_no_output_no_file_and_no_process_list(self):
        self.write("bot.py", "import glob, json, os, sys\nfor line in sys.stdin:\n    seen = []\n"
                             "    for name in glob.glob('/proc/[0-9]*/cmdline'):\n        try:\n"
                             "            seen.append(open(name, 'rb').read())\n        except OSError:\n            pass\n"
                             "    leaks = any(b'do-not-print' in each for each in seen)\n"
                             "    print(json.dumps({'message': 'leaks' if leaks else 'clean ' + os.environ['TOKEN']}), flush=True)\n"
                             "    print('log', os.environ['TOKEN'], file=sys.stderr, flush=True)\n")
        agents = (f"  bot: {{exec: [{sys.executable}, bot.py], env: [TOKEN]}}\n"
                  "  web: {http: \"http://127.0.0.1:9/turn\", secrets: {Authorization: \"Bearer ${TOKEN}\"}}\n")
        self.write("parley.yaml", suite(agents, test_of("Is clean", ["Hello"], "{contains: nothing}")))
        outputs = []
        names = ["junit:r.xml", "html:r.html", "md:r.md", "csv:r.csv", "json:r.json", "jsonl:r.jsonl"]
        words = ["run", "-vv", "--reporter", "line", *(word for name in names for word in ("--reporter", name))]
        for each in (words, ["export", "agents"], ["show", "last"], ["ls", "agents", "--json=id,name"], ["validate", "--json"],
                     ["run", "--dry-run"]):
            ended = self.parley(*each, TOKEN=self.CANARY)
            outputs.append(ended.stderr if each == words else ended.stdout + ended.stderr)
        self.assertNotIn("leaks", (self.folder / "r.json").read_text())
        for each in outputs:
            self.assertNotIn(self.CANARY, each)
        for file in self.folder.rglob("*"):
            # The agent repeated the secret in its answer, which is part of the conversation.
            if file.is_file() and file.suffix not in (".xml", ".html", ".md", ".csv", ".json", ".jsonl", ".mdb"):
                self.assertNotIn(self.CANARY.encode(), file.read_bytes(), file)


    def test_a_secret_that_is_written_in_the_file_is_in_no_output(self):
        for more in (f"judge: {{url: 'http://127.0.0.1:9/v1', model: m, key: {self.CANARY}, bogus: 1}}\n",
                     f"judge: {{url: 'http://127.0.0.1:9/v1', model: m, key: '${{{self.CANARY}}}'}}\n",
                     f"judge: {{url: 'http://me:{self.CANARY}@127.0.0.1:9/v1', model: m}}\n",
                     f"judge: {{url: 'http://127.0.0.1:9/v1', model: m, key: {self.CANARY}\n"):
            self.write("parley.yaml", suite(SHOP, test_of("Greets", ["Hello"], "{contains: order}"), more))
            self.refuses_without_canary()
        for config in (f"http: 'http://me:{self.CANARY}@127.0.0.1:9/turn'", f"http: 'http://h', secrets: {{Authorization: {self.CANARY}}}"):
            self.write("parley.yaml", suite(f"  web: {{{config}}}\n", test_of("Greets", ["Hello"], "{contains: order}")))
            self.refuses_without_canary()

    def refuses_without_canary(self):
        for words in (["validate"], ["validate", "--json"], ["validate", "--format", "github"], ["run"], ["apply", "--dry-run"]):
            ended = self.parley(*words)
            with self.subTest(words=words):
                self.assertEqual(ended.returncode, 2)
                self.assertNotIn(self.CANARY, ended.stdout + ended.stderr)
                self.assertRegex(ended.stdout + ended.stderr, r"parley\.yaml")


class JUnit(ProjectTest):
    """The rules of the Jenkins and surefire schemas that apply to our documents."""

    ATTRIBUTES = {
        "testsuites": {"name", "time", "tests", "failures", "errors", "disabled", "skipped"},
        "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "disabled",
                      "version", "group"},
        "testcase": {"name", "classname", "time", "file", "line", "status", "assertions", "group"},
        "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message", "type"},
        **{each: {"message", "type"} for each in REPEATED_FAILURES}, "property": {"name", "value"}, "properties": set(), "system-out": set(), "system-err": set(),
        "stackTrace": set(),
    }
    CHILDREN = {
        "testsuites": ["testsuite"], "testsuite": ["properties", "testcase", "system-out", "system-err"],
        "testcase": ["skipped", "error", "failure", "system-out", "system-err", "properties"],
        "properties": ["property"], **{each: ["stackTrace", "system-out", "system-err"] for each in REPEATED_FAILURES},
    }
    STRICT = {"jenkins": {"testcase": {"file", "line"}}, "surefire": {"testcase": {"file", "line"}}}

    def check(self, element, dialect):
        allowed = self.ATTRIBUTES[element.tag] - self.STRICT.get(dialect, {}).get(element.tag, set())
        self.assertLessEqual(set(element.attrib), allowed, element.tag)
        for child in element:
            repeated = REPEATED_FAILURES if (dialect, element.tag) == ("surefire", "testcase") else []
            self.assertIn(child.tag, self.CHILDREN.get(element.tag, []) + repeated, element.tag)
            self.check(child, dialect)

    def test_each_dialect_keeps_its_rules(self):
        gone = "  gone: {http: \"http://127.0.0.1:9/turn\"}\n"
        self.write("parley.yaml", suite(SHOP + gone, test_of("Greets", ["Hello", "bye"], "{icontains: order}")
                                        + test_of("Finds order 7", ["Where is order 7?", "bye"], "{contains: on its way}")))
        for dialect in ("gitlab", "jenkins", "surefire"):
            with self.subTest(dialect=dialect):
                self.parley("run", "--repeat", "2", "--reporter", "junit:r.xml", "--junit-dialect", dialect)
                root = xml.parse(self.folder / "r.xml").getroot()
                for each in [root] if root.tag == "testsuite" else root:
                    self.check(each, dialect)
                    cases = each.findall("testcase")
                    self.assertEqual(int(each.get("tests")), len(cases))
                    for kind in ("failure", "error", "skipped"):
                        count = sum(1 for case in cases if case.find(kind) is not None)
                        plural = {"failure": "failures", "error": "errors", "skipped": "skipped"}[kind]
                        self.assertEqual(int(each.get(plural, "0")), count, kind)
                    for case in cases:
                        self.assertTrue(case.get("classname") and case.get("name"))
                        self.assertLessEqual(len(list(case.iter())), 12)


class Shards(ProjectTest):
    def test_five_shards_joined_equal_the_whole_run(self):
        tests = "".join(test_of(f"Test {n}", [f"Where is order {n}?", "bye"], "{icontains: sent}") for n in range(12))
        self.write("parley.yaml", suite(SHOP, tests))
        whole, ended = self.run_to_report("--repeat", "2")
        parts = []
        for part in range(1, 6):
            name = f"shard-{part}.jsonl"
            self.parley("run", "--repeat", "2", "--allow-empty", "--shard", f"{part}/5", "--reporter", f"jsonl:{name}")
            parts += [name] if (self.folder / name).exists() else []
        joined = self.parley("report", *parts, "--reporter", "json:joined.json")
        self.assertEqual(joined.returncode, ended.returncode)
        report = json.loads((self.folder / "joined.json").read_text())
        outcome = lambda each: (each["test"], each["agent"], each["repetition"], each["state"], each["score"])
        self.assertEqual(sorted(map(outcome, report["results"])), sorted(map(outcome, whole["results"])))
        self.assertEqual(report["counts"], whole["counts"])
        self.assertEqual(report["decision"], whole["decision"])


class Speed(ProjectTest):
    """Budgets of CPU time, so that a busy machine does not matter."""

    def seconds(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = self.parley(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn(ended.returncode, (0, 1), ended.stderr)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_a_thousand_tests_are_checked_in_300_ms(self):
        tests = "".join(test_of(f"Test {n}", ["Hello", f"Where is order {n}?"], f"{{contains: \"{n}\"}}, {{tool-called: lookup_order}}")
                        for n in range(1000))
        self.write("parley.yaml", suite(SHOP, tests))
        self.assertLessEqual(min(self.seconds("validate") for _ in range(5)), 0.3)

    def test_one_demo_test_takes_150_ms(self):
        self.write("parley.yaml", suite(SHOP, test_of("Greets", ["Hello", "bye"], "{icontains: order}")))
        self.assertLessEqual(min(self.seconds("run", "--ephemeral") for _ in range(5)), 0.15)


class Help(ProjectTest):
    def test_man_pages_have_no_warnings(self):
        names = self.parley("__complete", "").stdout.split()
        for name in ["", "parley.yaml", *names]:
            page = self.parley("help", "--man", *([name] if name else []))
            if page.returncode != 0:
                continue
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page.stdout, capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "", name)

    def test_every_verb_is_completed(self):
        names = self.parley("__complete", "").stdout.split()
        for each in ("run", "watch", "mcp", "clean", "apply", "diff", "serve"):
            self.assertIn(each, names)


if __name__ == "__main__":
    unittest.main()
