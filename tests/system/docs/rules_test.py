#!/usr/bin/env python3
"""tests/proof/rules.md: each rule names existing tests."""
import pathlib
import re
import unittest

from support.test_names import google_tests, python_tests

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROW = re.compile(r"^\| (R\d+\.\d+) \| (.*?) \| (.*) \|$")
NAME = re.compile(r"`([A-Za-z0-9_]+(?:\.|::)[A-Za-z0-9_]+)`")
SECTIONS = range(2, 9)


def rows(page):
    return [ROW.match(line).groups() for line in page.splitlines() if ROW.match(line)]


def faults_of(page, known):
    """The faults of a table of rules, as texts."""
    found, table = [], rows(page)
    ids = [row[0] for row in table]
    found += [f"{one} is duplicated" for one in sorted(set(ids)) if ids.count(one) > 1]
    found += [f"no rule of section {n}" for n in SECTIONS if not any(one.startswith(f"R{n}.") for one in ids)]
    for line in page.splitlines():
        if line.startswith("| R") and not ROW.match(line):
            found.append(f"not a row: {line[:60]}")
    for one, rule, proof in table:
        names = NAME.findall(proof)
        if not rule.strip() or not names:
            found.append(f"{one} is empty")
        found += [f"{one}: there is no test {name}" for name in names if name not in known]
        if re.sub(r"[`, ]", "", proof) != "".join(names):
            found.append(f"{one}: something is no test name in: {proof}")
    return found


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (ROOT / "tests/proof/rules.md").read_text()
        cls.known = python_tests() | google_tests()

    def test_every_rule_has_tests_that_exist(self):
        self.assertGreater(len(self.known), 700)
        self.assertEqual(faults_of(self.page, self.known), [])
        self.assertGreater(len(rows(self.page)), 200)

    def test_the_check_notices_what_is_wrong(self):
        for change, fault in ((("`races_test.test_21_finish_is_accepted_once`", "`races_test.test_0`"), "there is no test"),
                              (("`state_table.test_finish_in_C`", ""), "is empty"),
                              (("| R7.7 |", "| R7.6 |"), "is duplicated")):
            self.assertIn(change[0], self.page)
            self.assertIn(fault, "; ".join(faults_of(self.page.replace(*change), self.known)))


if __name__ == "__main__":
    unittest.main()
