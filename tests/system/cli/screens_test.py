#!/usr/bin/env python3
"""What a person sees on pseudo-terminals of 60, 80 and 200 columns. The expected screens are in screens/; PARLEY_SCREENS=write
updates them."""
import os
import pathlib
import re
import sys
import unittest

from project import ProjectTest, suite, test_of
from support import server as servers
from terminal import run_on_terminal, screen_of, without_figures

SCREENS = pathlib.Path(__file__).resolve().parent / "screens"
TESTS = (test_of("Greets", ["Hello", "bye"], "{icontains: order}")
         + test_of("Finds order 7, which has a long name that does not fit everywhere", ["Where is order 7?", "bye"],
                   "{contains: on its way, name: says where the order is}"))


class Screens(ProjectTest):
    def setUp(self):
        super().setUp()
        self.environment.update(TERM="xterm-256color")
        self.write("parley.yaml", suite("  shop: {demo: true}\n", TESTS))

    def screen(self, columns, *words, **more):
        code, written = run_on_terminal([servers.binary(), *words], columns, self.folder, {**self.environment, **more})
        return code, written, screen_of(written)

    def expect(self, name, lines):
        text = without_figures(lines)
        file = SCREENS / f"{name}.txt"
        if os.environ.get("PARLEY_SCREENS") == "write":
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self.assertEqual(text, file.read_text(encoding="utf-8"))

    def test_a_run_at_three_widths(self):
        for columns in (60, 80, 200):
            with self.subTest(columns=columns):
                code, _, lines = self.screen(columns, "run", "--ephemeral", "--concurrency", "1", NO_COLOR="1")
                self.assertEqual(code, 1)
                self.expect(f"run-{columns}", lines)
                wide = [line for line in lines if len(line) > columns and not line.startswith(("1 of 2", "red:", "open", "parley "))]
                self.assertEqual(wide, [])

    def test_a_narrow_terminal_gets_no_live_lines(self):
        _, written, _ = self.screen(39, "run", "--ephemeral", NO_COLOR="1")
        self.assertNotIn(b"\x1b[3A", written)
        _, written, _ = self.screen(40, "run", "--ephemeral", NO_COLOR="1")
        self.assertIn(b"\x1b[3A", written)

    def test_the_first_turn_of_a_live_conversation_is_turn_0(self):
        self.write("bot.py", "import json, sys, time\nfor line in sys.stdin:\n    time.sleep(2.5)\n    print(json.dumps({'message': 'x'}), flush=True)\n")
        self.write("parley.yaml", suite(f"  bot: {{exec: [{sys.executable}, bot.py]}}\n", test_of("Waits", ["Hello"], "{contains: x}")))
        _, written, _ = self.screen(80, "run", "--ephemeral", NO_COLOR="1")
        self.assertEqual(set(re.findall(rb"in turn (\d+)", written)), {b"0"})

    def test_without_utf_8_everything_is_ascii(self):
        code, written, lines = self.screen(80, "run", "--ephemeral", "--concurrency", "1", LANG="C", LC_ALL="C")
        self.assertEqual(code, 1)
        self.assertTrue(written.isascii(), written)
        self.expect("run-80-ascii", lines)

    def test_color_is_used_on_a_terminal_unless_it_is_refused(self):
        _, colored, _ = self.screen(80, "run", "--ephemeral")
        self.assertIn(b"\x1b[31m", colored)
        for words, more in ((["--color", "never"], {}), ([], {"NO_COLOR": "1"})):
            _, plain, _ = self.screen(80, "run", "--ephemeral", *words, **more)
            self.assertNotIn(b"\x1b[31m", plain)
        self.assertNotIn("\x1b", self.parley("run", "--ephemeral").stdout)
        self.assertIn("\x1b[31m", self.parley("run", "--ephemeral", CLICOLOR_FORCE="1").stdout)

    def test_show_writes_through_the_pager_that_is_set(self):
        self.parley("run")
        code, plain, _ = self.screen(80, "show", "last", PAGER="")
        self.assertEqual(code, 0)
        _, paged, _ = self.screen(80, "show", "last", PAGER="echo $LESS; sed s/^/page:/")
        self.assertEqual(paged, b"FRX\r\n" + b"".join(b"page:" + line for line in plain.splitlines(keepends=True)))
        _, without, _ = self.screen(80, "show", "last", PAGER="no-such-pager")
        self.assertTrue(without.endswith(plain), without)
        _, in_ci, _ = self.screen(80, "show", "last", PAGER="sed s/^/page:/", CI="1")
        self.assertNotIn(b"page:", in_ci)
        self.assertNotIn("page:", self.parley("show", "last", PAGER="sed s/^/page:/").stdout)

    def test_ci_gets_a_line_for_each_case(self):
        _, written, lines = self.screen(80, "run", "--ephemeral", CI="true")
        self.assertNotIn(b"\x1b[3A", written)
        self.assertTrue(any(line.startswith("passed") for line in lines), lines)

    def test_a_coding_agent_gets_one_line_for_each_failure(self):
        ended = self.parley("run", "--ephemeral", AI_AGENT="1")
        lines = ended.stdout.splitlines()
        self.assertEqual(len(lines), 2, ended.stdout)
        self.assertRegex(lines[0], r"^parley\.yaml:\d+: failed: Finds order 7")


if __name__ == "__main__":
    unittest.main()
