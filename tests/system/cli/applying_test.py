#!/usr/bin/env python3
"""`parley apply` and `diff`: twice, at once, killed in between, and drift in each direction."""
import json
import re
import signal
import time
import unittest
from contextlib import closing

from project import ProjectTest, suite, test_of
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

    def test_eight_at_once_make_each_record_once(self):
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


if __name__ == "__main__":
    unittest.main()
