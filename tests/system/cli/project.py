"""A project folder with a suite, in which the program runs."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import server as servers

ECHO = """
import json, sys
for line in sys.stdin:
    turn = json.loads(line)
    print(json.dumps({"message": "You said: " + turn["message"]}), flush=True)
"""


def suite(agents, tests, more=""):
    return f"version: 1\nproject: coffee\n{more}agents:\n{agents}tests:\n{tests}"


def test_of(name, says, must):
    lines = "".join(f"      say: {line}\n" for line in says)
    return f"  - name: {name}\n    script: |\n{lines}    must: [{must}]\n"


class ProjectTest(unittest.TestCase):
    """Each test has a separate folder and an environment without the variables of this machine."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LANG": "C.UTF-8"}

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def parley(self, *words, timeout=60, stdin="", **more):
        environment = {**self.environment, **more}
        return subprocess.run([servers.binary(), *words], cwd=self.folder, env=environment, input=stdin, capture_output=True,
                              text=True, timeout=timeout, check=False)

    def start(self, *words, **more):
        return subprocess.Popen([servers.binary(), *words], cwd=self.folder, env={**self.environment, **more},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_to_report(self, *words, code=None, **more):
        """Runs the suite; returns (JSON report, the ended process)."""
        ended = self.parley("run", "--reporter", "json:report.json", "--reporter", "line", *words, **more)
        if code is not None:
            self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return json.loads((self.folder / "report.json").read_text()), ended
