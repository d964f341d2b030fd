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
