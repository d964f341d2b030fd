"""contrib/release_gate.py as a process: releases of several qualities, their runs, and the decisions of the gate."""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from . import cases, server
from .driven import GOT, Driven
from .fakes import base, webhook

GATE = server.ROOT / "contrib/release_gate.py"
GREEN, RED, UNTOLD = 0, 1, 2


def good(turn):
    return {"message": f"said {turn['message']}"}


def bad(turn):
    return {"message": "no idea"}


def broken(turn):
    return base.Reply({"message": "out of order"}, status=500)


class Gate(Driven):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="parley-gate-"))
        self.file = pathlib.Path(folder, "gate.xml")

    def url(self):
        host, port = self.server.address
        return f"http://{host}:{port}"

    def release(self, respond, **options):
        """A webhook agent with this behavior, which answers until the test ends."""
        return self.hosted(self.enterContext(webhook.WebhookAgent(respond, **options)))

    def dead_release(self):
        return self.agent(type="HTTP", config={"url": f"http://127.0.0.1:{server.free_port()}/turn"})

    def suite(self, *names, assertions=(GOT,)):
        """A scenario and its tests, which have these names."""
        scenario = self.scenario()
        tests = [self.a_test(scenario, "say: one", assertions) for _ in names]
        for test, name in zip(tests, names):
            self.ok(self.http.patch(f"/tests/{test['id']}", {"name": name}))
        return scenario, tests

    def tried(self, scenario, agent, repetitions=6, **body):
        """An ended run of the release."""
        return self.ended(self.a_run(scenario, agent, "pending", repetitions=repetitions, **body))

    def gate(self, run, *options, url=None, key=None):
        """Runs the gate and returns its exit status; `said` keeps its output."""
        done = subprocess.run(
            [sys.executable, str(GATE), "--url", url or self.url(), "--run", cases.id_of(run), "--junit", str(self.file), *options],
            env={**os.environ, "PARLEY_KEY": self.server.key if key is None else key}, timeout=60, check=False,
            capture_output=True, text=True)
        self.said = done.stdout + done.stderr
        self.assertNotIn("Traceback", self.said)
        self.assertNotIn(self.server.key, self.said)
        return done.returncode

    def beside(self, before, after, *options):
        return self.gate(after, "--baseline", before["id"], *options)

    def reported(self):
        """Checks the JUnit file and returns (name, kind, type) of its testcases."""
        root = xml.parse(self.file).getroot()
        [suite] = root
        self.assertEqual((root.tag, suite.tag), ("testsuites", "testsuite"))
        found = []
        for case in suite.findall("testcase"):
            told = [each for each in case if each.tag in ("failure", "error")]
            found.append((case.get("name"), told[0].tag if told else "passed", told[0].get("type") if told else None))
        counts = tuple(int(suite.get(key)) for key in ("tests", "failures", "errors"))
        self.assertEqual(counts, (len(found), sum(kind == "failure" for _, kind, _ in found), sum(kind == "error" for _, kind, _ in found)))
        self.assertEqual(len({name for name, _, _ in found}), len(found))
        return found
