"""The Python client and its pytest plugin: the example project as a user runs it, and the behavior of the client on errors."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import cases, server as servers  # noqa: E402

PACKAGE = servers.ROOT / "contrib/python"
PYTHON = "/usr/bin/python3"
sys.path.insert(0, str(PACKAGE))
from parley_client import Client, ParleyError, Server, Unreachable  # noqa: E402


def pytest_in(folder, *options, **environment):
    """Runs pytest with the plugin, as if the package were installed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PARLEY_", "PYTEST"))}
    return subprocess.run(
        [PYTHON, "-m", "pytest", "-p", "parley_client.pytest_plugin", "-p", "no:cacheprovider", "-v", *options], cwd=folder,
        env={**clean, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", "PARLEY_BINARY": servers.binary(), **environment},
        capture_output=True, text=True, check=False, timeout=90)


class ExampleProject(unittest.TestCase):
    def test_one_id_per_parley_test_and_evidence_in_the_failure(self):
        done = pytest_in(PACKAGE / "example")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("test_shop.py::test_shop[knows the price of a latte] PASSED", done.stdout)
        self.assertIn("test_shop.py::test_shop[knows the price of tea] FAILED", done.stdout)
        self.assertIn("test_shop.py::test_a_conversation_of_my_own PASSED", done.stdout)
        self.assertIn("failed BLOCKER names a price", done.stdout)
        self.assertIn("1 failed, 2 passed", done.stdout)

    def test_a_selection_is_a_whole_run(self):
        with Server(servers.binary()) as server:
            done = pytest_in(PACKAGE / "example", "-k", "latte", PARLEY_URL=server.url, PARLEY_KEY=server.key)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            runs = list(server.client().rows("/runs/"))
            self.assertEqual([run["status"] for run in runs], ["completed"])
            self.assertEqual(server.client().run(runs[0])["result"]["total"], 1)

    def test_tests_of_a_scenario_on_the_server(self):
        with Server(servers.binary()) as server, tempfile.TemporaryDirectory() as folder:
            client = server.client()
            scenario = client.create_scenario("Echo")
            for word in ("one", "two"):
                client.create_test(scenario, f"echoes {word}", f"say: {word}",
                                   [{"type": "equals", "severity": "BLOCKER", "config": {"value": word}}])
            pathlib.Path(folder, "test_echo.py").write_text(
                "import pytest\n\n\n@pytest.mark.parley(scenario='Echo')\ndef test_echo(parley_case):\n"
                "    parley_case.play(lambda turn: turn.message)\n", encoding="utf-8")
            done = pytest_in(folder, PARLEY_URL=server.url, PARLEY_KEY=server.key)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("[echoes one] PASSED", done.stdout)
            self.assertIn("[echoes two] PASSED", done.stdout)

    def test_no_server_is_left_behind(self):
        marker = f"parley-client-{os.getpid()}"
        pytest_in(PACKAGE / "example", TMPDIR=self.folder(marker))
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        self.assertFalse(re.search(marker, listed), listed)

    def folder(self, name):
        path = tempfile.mkdtemp(prefix=name)
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path


class InTrouble(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(servers.binary())
        cls.server.start()
        cls.client = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_a_refusal_names_the_faults(self):
        with self.assertRaises(ParleyError) as caught:
            self.client.create_test("no such scenario", "name", "say: x", [{"type": "contians"}])
        self.assertEqual(caught.exception.status, 400)
        self.assertIn("/assertions/0/type", str(caught.exception))

    def test_an_unreachable_server(self):
        with self.assertRaises(Unreachable):
            Client(f"http://127.0.0.1:{servers.free_port()}", "k", patience=0.3).get("/agents/")

    def test_an_exception_cancels_the_result(self):
        with self.assertRaises(ZeroDivisionError):
            with self.client.conversation(self.client.create_agent("breaks"), instruction="say: one\nsay: two") as talk:
                for _ in talk:
                    raise ZeroDivisionError
        self.assertEqual(self.client.result(talk.id)["status"], "canceled")

    def test_actions_tools_and_events_are_recorded(self):
        buttons = [{"name": "confirm", "description": "Confirm the order"}]
        with self.client.conversation(self.client.create_agent("acts"), instruction="say: one\ninvoke: confirm") as talk:
            seen = []
            for turn in talk:
                seen.append(turn.message or turn.action["name"])
                talk.event("form", public=True, actions=buttons)
                talk.tool("look_up", arguments={"id": 1}, result={"found": True})
                talk.reply("yes", cost=0.5)
        self.assertEqual(seen, ["one", "confirm"])
        kinds = [entry["type"] for entry in talk.result["conversation"]]
        self.assertEqual(kinds.count("tool"), 2)
        self.assertEqual(talk.result["averages"]["cost"], 0.5)
        self.assertTrue(talk.outcome.text)

    def test_a_blocker_without_a_verdict_is_undecided(self):
        judged = {"type": "criteria", "severity": "BLOCKER", "criteria": "The chatbot is polite."}
        passing, failing = ({"type": "contains", "severity": "BLOCKER", "config": {"value": value}} for value in ("ho", "hey"))
        for assertions, state in (([judged], "undecided"), ([judged, passing], "undecided"), ([judged, failing], "undecided"),
                                  ([passing, failing], "failed"), ([passing], "passed")):
            with self.subTest(assertions=assertions):
                agent = self.client.create_agent("unjudged")
                with self.client.conversation(agent, instruction="say: hi", assertions=assertions) as talk:
                    for _ in talk:
                        talk.reply("ho")
                self.assertEqual(talk.outcome.state, state, talk.outcome.text)

    def test_many_threads_share_a_client(self):
        agent = self.client.create_agent("busy")
        passed = []

        def one():
            with self.client.conversation(agent, instruction="say: hi", assertions=[{"type": "contains", "config": {"value": "ho"}}]) as talk:
                for _ in talk:
                    talk.reply("ho")
            passed.append(talk.outcome.passed)

        threads = [threading.Thread(target=one) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(passed, [True] * 16)

    def test_hostile_text_is_escaped_in_failures(self):
        hostile = "\x1b]52;c;aGk=\x07 \u202egnp"
        with self.client.conversation(self.client.create_agent("evil"), instruction="say: hi",
                                      assertions=[{"type": "contains", "severity": "BLOCKER", "config": {"value": "x"}},
                                                  {"type": "max-length", "severity": "BLOCKER", "config": {"value": 1}}]) as talk:
            for _ in talk:
                talk.reply(hostile)
        self.assertEqual(talk.outcome.state, "failed")
        self.assertNotIn("\x1b", talk.outcome.text)
        self.assertNotIn("\u202e", talk.outcome.text)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import pytest"], capture_output=True, check=False).returncode:
        cases.skip("python3-pytest is not installed")
    unittest.main()
