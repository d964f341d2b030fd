#!/usr/bin/env python3
"""The CI jobs of contrib/, with the variables that each CI sets: what they play, their outputs and their exit codes."""
import json
import os
import pathlib
import re
import subprocess
import unittest

from project import ProjectTest, suite, test_of
from support.server import ROOT, binary

BOT = '  bot: {exec: [python3, -c, "import json,sys\\nfor line in sys.stdin: print(json.dumps({\'message\': \'Hello\'}), flush=True)"]}\n'


class CiJobs(ProjectTest):
    def setUp(self):
        super().setUp()
        folder = self.folder / "programs"
        folder.mkdir()
        (folder / "parley").symlink_to(binary())
        self.environment["PATH"] = f"{folder}:{os.environ['PATH']}"

    def shell(self, script, **variables):
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                              env={**self.environment, "CI": "true", **variables}, capture_output=True, timeout=60, check=False)

    def write_suites(self):
        self.write("parley.yaml", suite(BOT, test_of("Greets", ["Hi"], '{contains: "Hello"}')))
        self.write("more/prices.yaml", suite(BOT, test_of("Knows a price", ["How much?"], '{contains: "4.50"}')).replace(
            "project: coffee", "project: prices"))

    def github(self, **inputs):
        """Runs the step of the action; returns (its outputs, the report, the ended process)."""
        defaults = {"PATHS": "", "ARGS": "", "BINARY": "parley", "REPORTS": "reports", "APPLY": "false", "GATE": "true"}
        ended = self.shell(f'"{ROOT}/contrib/github/run.sh"', PARLEY_URL="", PARLEY_KEY="", GITHUB_ACTIONS="true",
                           GITHUB_OUTPUT="outputs", GITHUB_STEP_SUMMARY="summary.md",
                           **{f"INPUT_{name}": inputs.get(name.lower(), value) for name, value in defaults.items()})
        outputs = self.folder / "outputs"
        given = dict(line.split("=", 1) for line in outputs.read_text().splitlines()) if outputs.exists() else {}
        report = self.folder / "reports/parley.json"
        return given, json.loads(report.read_text()) if report.exists() else None, ended

    def test_github_plays_all_paths_on_all_lines(self):
        self.write_suites()
        given, report, ended = self.github(paths="parley.yaml\nmore/prices.yaml\n", args="--repeat 2\n--max-time 5m")
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertEqual(report["counts"]["cases"], 4)
        self.assertEqual((given["passed"], float(given["pass-rate"]), float(given["score"])), ("false", 0.5, 50))
        self.assertEqual(len(given["run"].split(",")), 2)
        self.assertTrue((self.folder / given["report"]).exists())
        self.assertIn("::error file=more/prices.yaml", ended.stdout)
        self.assertIn("Knows a price", (self.folder / "summary.md").read_text())

    def test_github_finds_the_suite_itself(self):
        self.write_suites()
        given, _, ended = self.github()
        self.assertEqual((ended.returncode, given["passed"], float(given["score"])), (0, "true", 100), ended.stdout + ended.stderr)

    def test_github_averages_only_decided_cases(self):
        broken = "  broken: {exec: [/bin/false]}\n"
        self.write("parley.yaml", suite(BOT + broken, test_of("Greets", ["Hi"], '{contains: "Hello"}')))
        given, report, ended = self.github()
        self.assertEqual((ended.returncode, report["counts"]["faults"]), (3, 1), ended.stdout + ended.stderr)
        self.assertEqual((given["passed"], float(given["pass-rate"]), float(given["score"])), ("false", 1, 100))

    def test_github_reports_a_broken_suite(self):
        self.write("parley.yaml", "version: 1\nprojekt: coffee\n")
        given, _, ended = self.github()
        self.assertEqual((ended.returncode, given), (2, {}), ended.stdout + ended.stderr)

    def test_gitlab_plays_each_test_in_one_of_four_jobs(self):
        self.write_suites()
        job = (ROOT / "contrib/gitlab-ci.yml").read_text()
        script = re.search(r"  script:\n    - (.*?)\n  artifacts", job, re.S)[1].replace("\n", " ")
        codes = [self.shell(script, CI_NODE_INDEX=str(number), CI_NODE_TOTAL="4").returncode for number in range(1, 5)]
        self.assertEqual(codes, [0, 0, 0, 0])
        results = re.findall(r"<testcase ", (self.folder / "parley.xml").read_text())
        self.assertLessEqual(len(results), 1)

    def test_jenkins_plays_the_suite_and_keeps_the_code(self):
        self.write_suites()
        pipeline = (ROOT / "contrib/jenkins/Jenkinsfile").read_text()
        script = re.search(r"script: '''\n(.*?)'''", pipeline, re.S)[1].replace("\\\\", "\\")
        ended = self.shell(script)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("<testsuite", (self.folder / "parley-reports/parley.xml").read_text())
        pathlib.Path(self.folder / "parley.yaml").write_text((self.folder / "more/prices.yaml").read_text())
        self.assertEqual(self.shell(script).returncode, 1)


if __name__ == "__main__":
    unittest.main()
