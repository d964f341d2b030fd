#!/usr/bin/env python3
"""tests/proof/rules.md: each rule names tests that exist; the faults that were drawn for some of them fit the tree."""
import importlib
import pathlib
import re
import subprocess
import sys
import unittest

SYSTEM = pathlib.Path(__file__).resolve().parent
ROOT = SYSTEM.parents[1]
ROW = re.compile(r"^\| (R\d+\.\d+) \| (.*?) \| (.*) \|$")
NAME = re.compile(r"`([A-Za-z0-9_]+(?:\.|::)[A-Za-z0-9_]+)`")
SECTIONS = range(2, 9)


def python_tests():
    """`file.test` of every test that a run would find, those made by code included."""
    found = set()
    for path in sorted(SYSTEM.rglob("*.py")):
        folder = path.parent.name
        if path.name.startswith("__") or folder == "support" or not (folder in ("conformance", "races") or
                                                                     path.name.endswith("_test.py")):
            continue
        module = importlib.import_module(path.stem if path.parent == SYSTEM else f"{folder}.{path.stem}")
        short = path.stem.removesuffix("_test") if path.stem == "state_table_test" else path.stem
        for case in vars(module).values():
            if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ in (module.__name__, "__main__"):
                found |= {f"{short}.{name}" for name in unittest.defaultTestLoader.getTestCaseNames(case)}
    return found


def google_tests():
    text = "".join(path.read_text() for path in sorted((ROOT / "tests").rglob("*_test.cpp")))
    return {f"{suite}::{name}" for suite, name in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", text, re.MULTILINE)}


def rows(page):
    return [ROW.match(line).groups() for line in page.splitlines() if ROW.match(line)]


def faults_of(page, known):
    """What is wrong with a table of rules, in words."""
    found, table = [], rows(page)
    ids = [row[0] for row in table]
    found += [f"{one} stands twice" for one in sorted(set(ids)) if ids.count(one) > 1]
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

    def test_every_drawn_rule_has_a_fault_in_its_place(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/rule_faults.py"), "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_check_notices_what_is_wrong(self):
        for change, fault in ((("`races_test.test_21_finish_is_accepted_once`", "`races_test.test_0`"), "there is no test"),
                              (("`state_table.test_finish_in_C`", ""), "is empty"),
                              (("| R7.7 |", "| R7.6 |"), "stands twice")):
            self.assertIn(change[0], self.page)
            self.assertIn(fault, "; ".join(faults_of(self.page.replace(*change), self.known)))


if __name__ == "__main__":
    unittest.main()
