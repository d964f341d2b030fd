#!/usr/bin/env python3
"""`parley apply` and `diff`: repeated, concurrent, killed halfway, and with drift in each direction."""
import json
import re
import signal
import sys
import time
import unittest
from contextlib import closing

from project import ECHO, ProjectTest, suite, test_of
from support import server as servers

SHOP = "  shop: {demo: true}\n"


class Apply(ProjectTest):
    def setUp(self):
        super().setUp()
        self.server = servers.Server()
        self.server.__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.environment.update(PARLEY_URL=f"http://127.0.0.1:{self.server.address[1]}", PARLEY_KEY=self.server.key)
        self.put_tests(3)

    def put_tests(self, count, *, says="Hello"):
        text = "".join(f"  # the test number {n}\n" + test_of(f"Test {n}", [says, "bye"], "{icontains: order}") for n in range(count))
        self.write("parley.yaml", suite(SHOP, text))

    def apply(self, *words, code=0):
        ended = self.parley("apply", *words)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr

    def stored(self):
        return json.loads(self.parley("ls", "tests", "--limit", "1000", "--json=id,name").stdout)

    def test_the_second_time_changes_nothing(self):
        self.assertIn("created", self.apply())
        self.assertIn("nothing to change", self.apply())
        answer = json.loads(self.apply("--json"))
        self.assertEqual((answer["created"], answer["updated"], answer["archived"]), (0, 0, 0))

    def test_a_run_names_the_models_that_the_server_lacks(self):
        models = "".join(f"{role}: {{url: 'http://127.0.0.1:9/v1', model: large, key: '${{K:-k}}'}}\n" for role in ("tester", "judge"))
        self.write("parley.yaml", suite(SHOP, test_of("Greets", ["Hello"], "{icontains: order}"), models))
        ended = self.parley("run", "--apply")
        self.assertIn("parley.yaml: warning: this server has no judge (--judge-url): criteria stay undecided\n", ended.stderr)
        self.assertIn("parley.yaml: warning: this server has no tester (--tester-url): the lines of a goal are said verbatim\n", ended.stderr)
        self.assertNotIn("large", ended.stdout)

    def test_a_run_says_what_to_do_about_edits_on_the_server(self):
        self.assertIn("to create): run `parley apply`, or add --apply", self.parley("run").stderr)
        self.apply()
        self.edit_on_the_server(name="Edited")
        words = self.parley("run").stderr
        self.assertIn("(1 edited on the server): `parley diff` shows the edits, `parley apply --adopt` writes them into the files", words)
        self.assertIn("`parley apply --force` overwrites them", self.apply(code=2))
        refused = self.parley("run", "--apply")
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("was changed elsewhere", refused.stderr)
        self.assertIn("`parley apply --force` overwrites them", refused.stderr)
        self.assertIn("Edited", [each["name"] for each in self.stored()])

    def test_the_runner_of_a_command_plays_what_others_launch(self):
        script = self.write("bot.py", ECHO)
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, {script}]}}\n", test_of("Echoes", ["hello"], "{contains: hello}")))
        self.apply()
        runner = self.start("agent", "serve", "bot")
        self.addCleanup(runner.communicate)
        self.addCleanup(runner.terminate)
        self.assertIn("serving bot as agent", runner.stderr.readline())
        with closing(self.server.client()) as http:
            agent, scenario = http.get("/agents/").json()["data"][0], http.get("/scenarios/").json()["data"][0]
            self.assertEqual(http.get("/agents/").json()["total"], 1, "the runner's agent is the suite's")
            run = http.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "pending"}).json()
            ended = http.get(f"/runs/{run['id']}", {"Prefer": "wait=20"}).json()
            self.assertEqual((ended["status"], ended["result"]["passed"]), ("completed", 1))
            self.assertEqual(self.parley("run").returncode, 0, "a command drives its own run, beside the runner")

    def test_eight_concurrent_applies_make_each_record_once(self):
        started = [self.start("apply") for _ in range(8)]
        codes = []
        for each in started:
            each.communicate(timeout=60)
            codes.append(each.returncode)
        self.assertEqual(codes, [0] * 8)
        self.assertEqual(sorted(each["name"] for each in self.stored()), [f"Test {n}" for n in range(3)])
        self.assertIn("nothing to change", self.apply())

    def test_killed_in_between_all_or_nothing_is_stored(self):
        self.put_tests(400)
        for delay in (0.02, 0.05, 0.08):
            process = self.start("apply")
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=20)
            self.assertIn(len(self.stored()), (0, 400))
        self.apply()
        self.assertEqual(len(self.stored()), 400)
        self.assertIn("nothing to change", self.apply())

    def test_what_left_the_files_is_archived_and_what_changed_is_updated(self):
        self.apply()
        self.put_tests(2, says="Good morning")
        words = self.apply()
        self.assertIn("2 updated", words)
        self.assertIn("1 archived", words)

    def test_the_plan_is_shown_as_git_shows_a_difference(self):
        self.apply()
        self.put_tests(4, says="Good morning")
        shown = self.parley("diff")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"(?m)^updated test test-0  parley\.yaml:\d+:\d+$")
        self.assertRegex(shown.stdout, r"(?m)^created test test-3  parley\.yaml:\d+:\d+$")
        self.assertIn("@@ instruction @@\n- say: Hello\n+ say: Good morning\n  say: bye\n", shown.stdout)
        self.assertEqual(self.parley("diff", "--exit-code").returncode, 1)
        self.assertIn("3 updated", self.apply())
        self.assertEqual(self.parley("diff", "--exit-code").returncode, 0)

    def edit_on_the_server(self, **fields):
        [test] = [each for each in self.stored() if each["name"] == "Test 1"]
        with closing(self.server.client()) as client:
            answer = client.patch(f"/tests/{test['id']}", fields)
        self.assertEqual(answer.status, 200, answer)

    def test_an_edit_on_the_server_is_not_lost(self):
        self.apply()
        self.edit_on_the_server(instruction="say: Good evening\nsay: bye\n", name="Test 1, edited")
        words = self.apply(code=2)
        self.assertRegex(words, r"parley\.yaml:\d+:\d+: error: test \"test-1\" was changed elsewhere")
        self.assertIn("changed elsewhere: test test-1", self.parley("diff").stdout)

    def test_force_lets_the_files_win(self):
        self.apply()
        self.edit_on_the_server(name="Test 1, edited")
        self.apply("--force")
        self.assertIn("Test 1", [each["name"] for each in self.stored()])

    def test_adopt_writes_the_edit_into_the_file_and_keeps_its_comments(self):
        self.apply()
        self.edit_on_the_server(instruction="say: Good evening\nsay: bye\n", name="Test 1: edited")
        words = self.apply("--adopt")
        self.assertIn("adopted test \"test-1\": instruction", words)
        text = (self.folder / "parley.yaml").read_text()
        self.assertIn("say: Good evening", text)
        self.assertIn("\"Test 1: edited\"", text)
        self.assertEqual(len(re.findall("# the test number", text)), 3)
        self.assertIn("nothing to change", self.apply())

    def test_an_adopted_name_keeps_the_record(self):
        self.apply()
        before = {each["id"] for each in self.stored()}
        self.edit_on_the_server(name="Another name")
        self.assertIn("adopted test \"test-1\": name", self.apply("--adopt"))
        self.assertIn("nothing to change", self.apply())
        self.assertIn("key: test-1\n", (self.folder / "parley.yaml").read_text())
        self.assertEqual({each["id"] for each in self.stored()}, before)

    def test_what_cannot_be_adopted_is_named(self):
        self.apply()
        self.edit_on_the_server(assertions=[{"type": "contains", "severity": "BLOCKER", "config": {"value": "x"}}])
        words = self.apply("--adopt", code=1)
        self.assertRegex(words, r"parley\.yaml:\d+: test \"test-1\": assertions was not adopted")


SUITE = r"""version: 1
project: coffee
agents:
  shop: {demo: true}
  web: {http: "http://127.0.0.1:9/turn", timeout: 20s, retries: 1, headers: {X-A: "b$$c"}, request: {text: "{{message}}", n: [1, null]}}
  plain: {openai: "http://127.0.0.1:9/v1", model: m, system: "Say $$5:\n  once\n", parameters: {temperature: 0.5}}
  flow: {github: owner/repo, workflow: w.yml}
  bot: {exec: [python3, bot.py], knowledge: ["We sell $$ coffee", "file: none"]}
personas:
  hasty: {description: A commuter, instruction: "Short: #sentences."}
defaults: {must: [{no-loop: {}}], could: [{max-turns: {value: 9}}]}
scenarios:
  Orders, all:
    description: "Line one\nLine two"
    agents: [shop]
    fields: {city: {type: select, options: [Oslo, Wien], default: Oslo, label: City}, n: {type: number, required: true, default: 2}}
    tests:
      - name: "Greets: all $${x} \u2028"
        key: greet
        tags: [smoke, "a: b"]
        description: "It says hello"
        max-turns: 12
        fields: {n: 5}
        script: |
          say: Hello {{city}} $${X} $$5

          say: " bye "
        history: [{role: tester, content: Hi}, {role: chatbot, content: "file:x"}]
        metadata: {a: [1, {b: null}], "c d": "$$"}
        must: [{icontains: order}, {contains: x, not: true, name: "no: x", weight: 3, id: own}, {regex: "^\\d+$$"}]
        should: [{criteria: "Is kind.\nAnd short."}, {contains-any: [a, "b, c"]}]
        variants:
          - {name: Second, fields: {city: Wien}, tags: [more], must: [{contains: Wien}], script: "say: more"}
          - {name: Third one, key: third, enabled: false, max-turns: 3, could: [{contains: z, not: true}]}
  Other:
    tests:
      - {name: G, goal: "Buy a latte.", must: [], should: [{contains: a}], enabled: false}
      - {name: Rows, script: "say: {{number}}", data: {file: rows.csv}, must: [{contains: "{{number}}"}]}
"""


class ExportedSuite(ProjectTest):
    """Tests of a server exported as a suite file: the file is valid, and applying it changes nothing."""

    def setUp(self):
        super().setUp()
        self.server = servers.Server()
        self.server.__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.environment.update(PARLEY_URL=f"http://127.0.0.1:{self.server.address[1]}", PARLEY_KEY=self.server.key)

    def exported(self, *words):
        ended = self.parley("export", "tests", "-f", "yaml", "-o", "out/parley.yaml", *words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stderr

    def test_applying_an_exported_suite_changes_nothing(self):
        self.write("parley.yaml", SUITE)
        self.write("rows.csv", "number\n1\n2\n")
        self.assertEqual(self.parley("apply").returncode, 0)
        (self.folder / "out").mkdir()
        self.assertIn("the server does not know the command", self.exported())
        valid = self.parley("validate", "out")
        self.assertEqual(valid.returncode, 0, valid.stderr)
        answer = json.loads(self.parley("apply", "out", "--json").stdout)
        self.assertEqual({key: answer[key] for key in ("created", "updated", "archived", "changedElsewhere", "changes")},
                         {"created": 0, "updated": 0, "archived": 0, "changedElsewhere": [], "changes": []})
        self.assertEqual(answer["unchanged"], 15)
        first = (self.folder / "out/parley.yaml").read_text()
        self.exported("--suite", "coffee")
        self.assertEqual((self.folder / "out/parley.yaml").read_text(), first)

    def test_an_export_replaces_a_suite_only_by_force(self):
        text = suite(SHOP, test_of("Mine", ["Hello"], "{icontains: order}")) + "# by hand\n"
        self.write("parley.yaml", text)
        self.assertEqual(self.parley("apply").returncode, 0)
        for words in (("tests", "-f", "yaml"), ("tests", "-f", "json"), ("agents",)):
            ended = self.parley("export", *words, "-o", "parley.yaml", "--report", "lost.jsonl")
            self.assertEqual(ended.returncode, 2, words)
            self.assertEqual(ended.stderr, "parley export: parley.yaml: the file exists with other content; "
                                           "--force replaces it\n")
            self.assertEqual((self.folder / "parley.yaml").read_text(), text)
        self.assertFalse((self.folder / "lost.jsonl").exists())
        self.write("agents.json", "[]")
        self.assertEqual(self.parley("export", "agents", "-o", "agents.json").returncode, 0)
        self.assertIn("shop", (self.folder / "agents.json").read_text())
        ended = self.parley("export", "tests", "-f", "yaml", "-o", "parley.yaml", "--force")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertNotIn("by hand", (self.folder / "parley.yaml").read_text())
        self.assertEqual(self.parley("export", "tests", "-f", "yaml", "-o", "parley.yaml").returncode, 0)

    def test_tests_of_the_page_become_a_suite(self):
        with closing(self.server.client()) as client:
            agent = client.post("/agents/", {"name": "shop", "type": "DEMO"}).json()["id"]
            scenario = client.post("/scenarios/", {"name": "Page", "agents": [agent]}).json()["id"]
            for text in ("say: Hello\nsay: bye", "Ask for a latte."):
                made = client.post("/tests/", {"name": "Same name", "scenario": scenario, "instruction": text,
                                               "assertions": [{"type": "contains", "config": {"value": "$x"}}]})
                self.assertEqual(made.status, 201, made)
        (self.folder / "out").mkdir()
        self.exported()
        ended = self.parley("validate", "out", "--json")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        listed = json.loads(self.parley("run", "out", "--list", "--json").stdout)
        self.assertEqual([(each["test"], each["agent"]) for each in listed], [("same-name", "shop"), ("same-name-2", "shop")])
        self.write("parley.yaml", suite(SHOP, test_of("Mine", ["Hello"], "{icontains: order}")))
        self.assertEqual(self.parley("apply").returncode, 0)
        ended = self.parley("export", "tests", "-f", "yaml")
        self.assertEqual(ended.returncode, 2)
        self.assertIn('add --suite with one of "", "coffee"', ended.stderr)
        self.exported("--suite", "coffee", "--force")
        self.assertIn("Mine", (self.folder / "out/parley.yaml").read_text())
        for words in (("--suite", ""), ("--suite=",)):
            ended = self.parley("export", "tests", "-f", "yaml", *words)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("Same name", ended.stdout)
            self.assertNotIn("Mine", ended.stdout)
        self.assertEqual(self.parley("export", "tests", "-f", "").returncode, 2)
        self.assertEqual(self.parley("export", "tests", "-f", "yaml", "--suite", "tea").returncode, 2)


if __name__ == "__main__":
    unittest.main()
