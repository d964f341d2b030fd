#!/usr/bin/env python3
"""The importers' output for real third-party files is usable: each suite is valid, a second import stores nothing, and the
tests play against the DEMO agent without test faults. PARLEY_UNITS limits the number of played suites (default 200: all)."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

import imports
from support import cases, command

STORED = re.compile(r"stored: (\d+) new, (\d+) changed, (\d+) unchanged")
PLAYED_MAX = int(os.environ.get("PARLEY_UNITS", "200"))
PROGRAM = imports.PROGRAM[:-1]


class StoredImports(cases.OwnServerTest):
    def setUp(self):
        self.own_server("--fsync", "off")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def parley(self, *arguments, timeout=120):
        host, port = self.server.address
        return subprocess.run([*PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, errors="replace", check=False,
                              timeout=timeout, env={**command.clean_environment(), "HOME": str(self.folder),
                                                    "PARLEY_URL": f"http://{host}:{port}", "PARLEY_KEY": self.server.key})

    def test_a_second_import_stores_nothing(self):
        seen = 0
        for number, (unit, kind, paths) in enumerate(imports.units()):
            with self.subTest(unit=unit["unit"]):
                arguments = ("import", "--from", kind, *paths, "--into", f"unit-{number}")
                first = self.parley(*arguments)
                if unit.get("refused"):
                    self.assertEqual(first.returncode, 2, first.stdout)
                    continue
                self.assertEqual(first.returncode, 0, first.stderr)
                stored = STORED.search(first.stdout)
                self.assertTrue(stored, first.stdout)
                again = STORED.search(self.parley(*arguments).stdout)
                self.assertEqual((again.group(1), again.group(2)), ("0", "0"), first.stdout)
                self.assertEqual(int(again.group(3)), sum(int(stored.group(i)) for i in (1, 2, 3)))
                seen += 1
        self.assertGreater(seen, 30)

    def test_each_suite_is_valid_and_plays_against_demo(self):
        played = 0
        for number, (unit, kind, paths) in enumerate(imports.units()):
            out = self.folder / str(number)
            out.mkdir()
            self.assertEqual(imports.convert(kind, paths, out).returncode, 2 if unit.get("refused") else 0, unit["unit"])
            for suite in sorted(out.glob("*.parley.yaml")):
                with self.subTest(unit=unit["unit"]):
                    valid = self.parley("validate", str(suite))
                    self.assertEqual(valid.returncode, 0, valid.stdout + valid.stderr)
                    if played == PLAYED_MAX:
                        continue
                    played += 1
                    report = out / "report.json"
                    run = self.parley("run", str(suite), "--apply", "--allow-empty", "--agent", "demo", "--reporter", f"json:{report}")
                    self.assertIn(run.returncode, (0, 1, 3), run.stderr)
                    faults = re.findall(r'"source": ?"test"', report.read_text())
                    self.assertEqual(faults, [], run.stdout[-2000:])
        self.assertGreater(played, 5)


if __name__ == "__main__":
    imports.need_folder()
    cases.main()
