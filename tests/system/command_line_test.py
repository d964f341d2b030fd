#!/usr/bin/env python3
"""The command line (D90): every wrong use ends with 2 and one form of message; what options and their defaults are."""
import re
import unittest

from support import command, server

DEFAULT = re.compile(r"\(([^()]*)\)\s*$")


def help_of(*words):
    """Option to what the help says of it, on one line."""
    ended = command.parley(*words, "--help")
    assert ended.returncode == 0, ended
    told = {}
    for line in ended.stdout.splitlines():
        if found := re.match(r"  (?:-h,)?--([a-z-]+)", line):
            name = found.group(1)
            told[name] = line
        elif told and line.startswith("      "):
            told[name] += " " + line.strip()
    return told


class WrongUse(unittest.TestCase):
    """Nothing of this starts a server or touches a directory."""

    def refused(self, *words, why, **options):
        ended = command.parley(*words, **options)
        with self.subTest(words=words):
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended)
            self.assertRegex(ended.stderr, r"\Aparley: [^\n]+\n\Z")
            self.assertIn(why, ended.stderr)

    def test_D90_what_is_unknown_says_what_was_probably_meant(self):
        for words, why in ((("srve",), "unknown command 'srve'; did you mean 'serve'?"),
                           (("foo",), "unknown command 'foo'; there are serve, backup, restore, doctor, audit"),
                           (("--versoin",), "unknown option '--versoin'; did you mean '--version'?"),
                           (("serve", "--liste", "x"), "unknown option '--liste'; did you mean '--listen'?"),
                           (("serve", "--max-trns=3"), "unknown option '--max-trns'; did you mean '--max-turns'?"),
                           (("serve", "somewhere"), "unexpected argument 'somewhere'; did you mean '--data somewhere'?"),
                           (("backup", "--foo"), "unknown option '--foo'"),
                           (("backup", "FILE", "--dta", "x"), "unknown option '--dta'; did you mean '--data'?"),
                           (("restore", "FILE", "--key", "x"), "unknown option '--key'; did you mean '--keys'?"),
                           (("doctor", "DIR"), "unexpected argument 'DIR'; did you mean '--data DIR'?"),
                           (("audit", "vrify"), "unknown command 'vrify'; did you mean 'verify'?"),
                           (("audit", "show", "--form", "1"), "unknown option '--form'; did you mean '--from'?"),
                           (("audit", "verify", "-v"), "unknown option '-v'")):
            self.refused(*words, why=why)

    def test_what_is_missing_doubled_or_malformed_is_told(self):
        for words, why in ((("backup",), "the FILE is missing"), (("restore", "--data", "x"), "the FILE is missing"),
                           (("audit",), "audit needs a command: verify or show"),
                           (("audit", "show", "--from", "x"), "from must be a whole number"),
                           (("audit", "show", "--from", "-1"), "from must be a whole number"),
                           (("audit", "verify", "--head", "7"), "head must be SEQ:HASH"),
                           (("serve", "--audit"), "the option '--audit' needs a value"),
                           (("doctor", "--data"), "the option '--data' needs a value"),
                           (("serve", "--audit", "on", "--audit", "off"), "'--audit' is given twice"),
                           (("doctor", "--data", "x", "--data", "y"), "'--data' is given twice"),
                           (("serve", "--audit", "yes"), "command line: audit must be on or off"),
                           (("serve", "--tester-url", "http://x/v1"), "tester-url and tester-model are needed together"),
                           (("serve", "--judge-model", "m"), "judge-url and judge-model are needed together"),
                           (("serve", "--tester", "model"), "tester model needs tester-url and tester-model")):
            self.refused(*words, why=why)
        self.refused("serve", environment={"PARLEY_AUDIT": "x"}, why="environment: audit must be on or off")
        self.assertEqual(command.parley().returncode, 2)

    def test_help_and_version_are_no_wrong_use(self):
        for words in (("--help",), ("--version",), ("serve", "--help"), ("audit", "show", "--help"), ("backup", "-h")):
            ended = command.parley(*words)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), words)
            self.assertIn("parley" if words[0] != "backup" else "FILE", ended.stdout + "parley")

    def test_every_exit_code_is_told(self):
        codes = re.findall(r"constexpr int exit_\w+\s*=\s*(\d+);", (server.ROOT / "app/exit_codes.hpp").read_text())
        self.assertEqual(sorted(codes), ["1", "2", "3", "4"])
        section = (server.ROOT / "docs/operating.md").read_text().partition("## Exit codes")[2].partition("\n## ")[0]
        self.assertEqual(re.findall(r"^\| (\d+) \|", section, re.M), ["0", *sorted(codes)])


class Defaults(unittest.TestCase):
    def test_the_interface_tells_the_defaults_that_the_help_tells(self):
        told = help_of("serve")
        section = (server.ROOT / "docs/interface.md").read_text().partition("## 13 Command line")[2].partition("\n## ")[0]
        compared = 0
        for names, values in re.findall(r"^\| (`--[^|]*(?:\\\|[^|]*)*) \| ([^|]*) \|", section, re.M):
            names = re.findall(r"--([a-z-]+)", names)
            values = [value.strip(" `").partition(" (")[0] for value in values.split(",")]
            if len(names) != len(values):
                continue
            for name, value in zip(names, values):
                if value == "none" or " " in value:   # said in words
                    continue
                found = DEFAULT.search(told[name])
                with self.subTest(option=name):
                    self.assertIsNotNone(found, told[name])
                    self.assertEqual(found.group(1), value)
                compared += 1
        self.assertGreater(compared, 20)


if __name__ == "__main__":
    unittest.main(verbosity=1)
