#!/usr/bin/env python3
"""The runner of contrib/local_runner.py and the workflow of contrib/github-workflow.yml, as a user runs them (D72, D73), with
the real binary; the workflow runs with the inputs that the fake GitHub received."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest.mock

from support import cases, server
from support.driven import GOT, Driven
from support.fakes import github, webhook

CONTRIB = server.ROOT / "contrib"
# A chatbot that is started for each turn, reads it as JSON and answers in plain text.
BOT = f"""{sys.executable} -c 'import json, sys; turn = json.load(sys.stdin); print("said", turn["turn"], turn["message"])'"""

# The command runs before its parent knows its process id.
SLOW_POPEN = """
import subprocess, time
begin = subprocess.Popen.__init__
def begin_slowly(self, *given, **named):
    begin(self, *given, **named)
    time.sleep(1)
subprocess.Popen.__init__ = begin_slowly
"""


class Runner(Driven):
    """contrib/local_runner.py as a process; `log` returns its output."""

    def start(self, *options, key=None):
        self.out = tempfile.TemporaryFile("w+")
        self.addCleanup(self.out.close)
        process = subprocess.Popen(
            [sys.executable, str(CONTRIB / "local_runner.py"), "--url", self.url(), "--every", "0.1", *options],
            env={**os.environ, "PARLEY_KEY": key or self.server.key}, stdout=self.out, stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_results_that_are_not_a_list_of_ids_are_a_usage_error(self):
        for given in ("zz", "7", "[7]"):
            process = self.start("--chatbot", BOT, "--results", given)
            self.assertEqual(process.wait(15), 2)
            self.assertIn("argument --results: invalid", self.log())

    def test_an_invalid_key_is_not_shown(self):
        process = self.start("--chatbot", BOT, "--results", '["unknown"]', key="secret\nword")
        self.assertEqual(process.wait(15), 2)
        self.assertIn("PARLEY_KEY must hold an API key", self.log())
        self.assertNotIn("secret", self.log())
        self.assertEqual(self.start("--chatbot", BOT, "--results", "[]", key=f"{self.server.key}\n").wait(15), 0, self.log())

    def ran(self, results, *options, chatbot=BOT):
        """The exit status of a runner for these results."""
        ids = json.dumps([cases.id_of(each) for each in results])
        return self.start("--results", ids, "--chatbot", chatbot, *options).wait(30)

    def asked_for(self, word, **body):
        """A result that passes if the chatbot says the word."""
        return self.result(testInstruction="say: one",
                           assertionResults=[{"type": "contains", "severity": "BLOCKER", "config": {"value": word}}], **body)

    def test_the_exit_status_reports_what_was_driven_and_with_verdicts_what_passed(self):
        self.assertEqual(self.ran([self.asked_for("said"), self.asked_for("unheard of")]), 0, self.log())
        self.assertEqual(self.ran([self.asked_for("said")], "--verdicts", "20"), 0, self.log())
        good, wrong = self.asked_for("said"), self.asked_for("unheard of")
        self.assertEqual(self.ran([good, wrong], "--verdicts", "20"), 1)
        self.assertRegex(self.log(), f"passed {good['id']}\nnot passed {wrong['id']}: failure: BLOCKER: contains: Expected: ")
        self.assertEqual(self.ran([wrong], "--verdicts", "20"), 1, "what has ended already was driven, and did not pass")
        undecided = self.result(testInstruction="say: one", assertionResults=[{"criteria": "is polite"}])
        self.assertEqual(self.ran([undecided], "--verdicts", "20"), 1)
        self.assertIn(f"not passed {undecided['id']}: error: judge: ", self.log())
        broken = self.asked_for("said")
        self.assertEqual(self.ran([broken], "--verdicts", "20", chatbot="exit 3"), 1)
        self.assertIn(f"not passed {broken['id']}: error: agent: runner_error: ", self.log())
        self.assertEqual(self.ran(["unknown"], "--verdicts", "20"), 1)
        self.assertIn("not passed unknown: ", self.log())

    def test_an_assertion_that_nothing_decided_has_not_passed_unless_that_is_allowed(self):
        for options, status in (((), 1), (("--allow-open-assertions",), 0)):
            judged = self.result(testInstruction="say: one", assertionResults=[GOT, {"criteria": "is polite", "severity": "MAJOR"}])
            self.assertEqual(self.ran([judged], "--verdicts", "20", *options), status, self.log())
            self.assertRegex(self.log(), f"passed {judged['id']}.*: criteria: ")

    def test_no_result_has_not_passed(self):
        self.assertEqual(self.ran([], "--verdicts", "20"), 1)
        self.assertIn("--results has no result", self.log())
        self.assertEqual(self.ran([]), 0)
        self.assertIn("--results has no result", self.log())

    def test_verdicts_that_do_not_come_in_time_have_not_passed(self):
        held = self.asked_for("said", completionMode="manual")
        self.assertEqual(self.ran([held], "--verdicts", "1"), 1)
        self.assertIn(f"not passed {held['id']}: error: running", self.log())

    def test_verdicts_need_results_and_the_gate(self):
        process = self.start("--chatbot", BOT, "--verdicts", "1")
        self.assertEqual(process.wait(15), 2)
        self.assertIn("--verdicts needs --results", self.log())
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="parley-runner-"))
        alone = shutil.copy(CONTRIB / "local_runner.py", folder)
        done = subprocess.run([sys.executable, alone, "--url", self.url(), "--chatbot", BOT, "--results", "[]", "--verdicts", "1"],
                              env={**os.environ, "PARLEY_KEY": self.server.key}, capture_output=True, text=True, timeout=15, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("parley_verdicts.py in the same folder", done.stderr)

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(15), 0, self.log())

    def log(self):
        self.out.seek(0)
        return self.out.read()

    def url(self):
        host, port = self.server.address
        return f"http://{host}:{port}"

    def local_agent(self, name):
        beat = {"name": name, "unique_identifier": name}
        return {"id": self.ok(self.http.post("/agents/local", beat))["agent_id"]}

    def test_D73_a_launched_run_is_driven_to_its_end(self):
        name = cases.unique("runner")
        run = self.launched(self.local_agent(name), 2, repetitions=2)
        process = self.start("--name", name, "--chatbot", BOT)
        run = self.ended(run, 30)
        self.stop(process)
        self.assertEqual((run["status"], run["result"]["completed"], run["result"]["score"]), ("completed", 4, 100), self.log())
        for result in self.results_of(run):
            self.assertEqual(self.words(result), [("tester", "one"), ("chatbot", "said 0 one"),
                                                  ("tester", "two"), ("chatbot", "said 1 two")])
            self.assertGreater(result["conversation"][1]["metadata"]["responseTime"], 0)

    def test_D73_work_that_was_offered_before_a_restart_is_driven_after_it(self):
        name = cases.unique("runner")
        agent = self.local_agent(name)
        made = self.result(agent, testInstruction="say: one", assertionResults=[GOT])
        self.assertEqual(self.ok(self.http.post("/agents/local", {"name": name, "unique_identifier": name}))["test_result_ids"], [made["id"]])
        process = self.start("--name", name, "--chatbot", BOT)
        self.assertEqual(self.settled(made, 30)["score"], 100)
        self.stop(process)

    def test_D71_a_url_is_called_and_answers_like_that_of_an_http_agent(self):
        def respond(turn):
            return {"message": "said", "tools": [{"name": "find", "metadata": {"n": 1}}], "events": [{"name": "thought"}],
                    "metadata": {"inputTokens": 7}}
        name = cases.unique("runner")
        made = self.result(self.local_agent(name), testInstruction="say: one\nsay: two", assertionResults=[GOT])
        with webhook.WebhookAgent(respond) as fake:
            process = self.start("--name", name, "--chatbot", fake.config["url"])
            result = self.settled(made, 30)
            self.stop(process)
            turns = fake.turns()
        self.assertEqual([entry["type"] for entry in result["conversation"]], ["message", "tool", "internal-event", "message"] * 2)
        self.assertEqual(result["averages"]["inputTokens"], 7)
        self.assertEqual([(turn["turn"], turn["message"]) for turn in turns], [(0, "one"), (1, "two")])
        self.assertEqual([entry["type"] for entry in turns[1]["conversation"]], ["message", "tool", "message"])

    def test_a_chatbot_that_breaks_fails_its_result(self):
        name = cases.unique("runner")
        made = self.result(self.local_agent(name), testInstruction="say: one", metadata={"mine": 1})
        process = self.start("--name", name, "--chatbot", "exit 3")
        result = self.settled(made, 30)
        self.stop(process)
        self.assertEqual((result["status"], result["endReason"], result["metadata"]["mine"]), ("failed", "agent_error", 1))
        self.assertIn("status 3", result["metadata"]["error"]["detail"])

    def test_a_chatbot_that_takes_too_long_leaves_no_process(self):
        name, folder = cases.unique("runner"), self.enterContext(tempfile.TemporaryDirectory(prefix="parley-runner-"))
        made = self.result(self.local_agent(name), testInstruction="say: one")
        process = self.start("--name", name, "--timeout", "0.5", "--chatbot", f"sleep 600 & echo $! > {folder}/pid; wait")
        result = self.settled(made, 30)
        self.stop(process)
        self.assertEqual((result["status"], result["endReason"]), ("failed", "agent_error"))
        self.assert_ended(int(pathlib.Path(folder, "pid").read_text()))

    def test_a_second_signal_ends_the_runner_and_the_chatbot_immediately(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            name, folder = cases.unique("runner"), self.enterContext(tempfile.TemporaryDirectory(prefix="parley-runner-"))
            self.result(self.local_agent(name), testInstruction="say: one")
            process = self.start("--name", name, "--chatbot", f"sleep 600 & echo $! > {folder}/new; mv {folder}/new {folder}/pid; wait")
            self.wait_for(pathlib.Path(folder, "pid").exists)
            process.send_signal(number)
            time.sleep(0.3)
            self.assertIsNone(process.poll(), "the first one waits for the conversation under way")
            process.send_signal(number)
            self.assertEqual(process.wait(10), -number)
            self.assert_ended(int(pathlib.Path(folder, "pid").read_text()))

    def test_a_terminal_that_is_closed_ends_the_chatbot_with_the_runner(self):
        name, folder = cases.unique("runner"), self.enterContext(tempfile.TemporaryDirectory(prefix="parley-runner-"))
        self.result(self.local_agent(name), testInstruction="say: one")
        process = self.start("--name", name, "--chatbot", f"sleep 600 & echo $! > {folder}/new; mv {folder}/new {folder}/pid; wait")
        self.wait_for(pathlib.Path(folder, "pid").exists)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(10), -signal.SIGHUP)
        self.assert_ended(int(pathlib.Path(folder, "pid").read_text()))

    def test_a_chatbot_that_is_just_starting_ends_with_the_runner_too(self):
        name, folder = cases.unique("runner"), self.enterContext(tempfile.TemporaryDirectory(prefix="parley-runner-"))
        self.result(self.local_agent(name), testInstruction="say: one")
        pathlib.Path(folder, "sitecustomize.py").write_text(SLOW_POPEN)
        self.enterContext(unittest.mock.patch.dict(os.environ, PYTHONPATH=folder))
        process = self.start("--name", name, "--chatbot", f"sleep 600 & echo $! > {folder}/new; mv {folder}/new {folder}/pid; wait")
        self.wait_for(pathlib.Path(folder, "pid").exists)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(10), -signal.SIGHUP)
        self.assert_ended(int(pathlib.Path(folder, "pid").read_text()))

    def test_under_nohup_a_closed_terminal_ends_nothing(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        name = cases.unique("runner")
        made = self.result(self.local_agent(name), testInstruction="say: one", assertionResults=[GOT])
        process = self.start("--name", name, "--chatbot", f"sleep 0.5; {BOT}")
        self.wait_for(lambda: self.get_result(made)["status"] == "running")
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.settled(made, 30)["score"], 100)
        self.stop(process)

    def assert_ended(self, process):
        # The parent has ended, and the process that adopts the chatbot takes a moment to reap it.
        for _ in range(100):
            stat = pathlib.Path(f"/proc/{process}/stat")
            if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return
            time.sleep(0.05)
        self.fail("the chatbot lives on")

    def test_an_answer_of_the_wrong_shape_is_explained(self):
        for answer, why in (({"message": "m", "metadata": "y"}, "metadata must be an object"),
                            ({"message": "m", "tools": [{"metadata": {}}]}, "tools must be a list of objects with a name"),
                            ({"message": "m", "events": 7}, "events must be a list of objects with a name")):
            name = cases.unique("runner")
            made = self.result(self.local_agent(name), testInstruction="say: one")
            with webhook.WebhookAgent(lambda turn, answer=answer: answer) as fake:
                process = self.start("--name", name, "--chatbot", fake.config["url"])
                result = self.settled(made, 30)
                self.stop(process)
            self.assertEqual(result["status"], "failed")
            self.assertIn(why, result["metadata"]["error"]["detail"])

    def test_SIGTERM_lets_the_conversation_under_way_end_and_starts_no_other(self):
        name = cases.unique("runner")
        run = self.launched(self.local_agent(name), 1, repetitions=2, instruction="say: one")
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=1) as fake:
            process = self.start("--name", name, "--chatbot", fake.config["url"], "--parallel", "1")
            fake.wait(lambda now: now.in_flight == 1)
            self.stop(process)
            self.assertEqual(len(fake.requests), 1)
        for each in self.results_of(run, status="running"):
            self.settled(each)
        self.assertEqual(sorted(result["status"] for result in self.results_of(run)), ["completed", "pending"])


class Workflow(Driven):
    options = ("--public-url", "https://parley.example")

    def test_D72_the_workflow_takes_the_inputs_of_a_dispatch_and_its_step_drives_the_results(self):
        with github.GitHub() as fake:
            agent = self.agent(type="GITHUB", secrets={"token": "token"}, config={
                "owner": "o", "repo": "r", "workflow": "parley.yml", "ref": "main", "apiUrl": fake.url})
            run = self.launched(agent, 2)
            fake.wait(lambda now: now.dispatches)
            [dispatch] = fake.dispatches
        workflow = (CONTRIB / "github-workflow.yml").read_text()
        self.assertEqual(declared_inputs(workflow), set(dispatch["inputs"]))
        self.assertEqual(dispatch["inputs"]["base_url"], "https://parley.example")
        host, port = self.server.address
        inputs = {**dispatch["inputs"], "base_url": f"http://{host}:{port}"}  # as if that name resolved to this server
        with tempfile.TemporaryDirectory() as checkout:
            os.symlink(CONTRIB / "local_runner.py", os.path.join(checkout, "local_runner.py"))
            with open(os.path.join(checkout, "bot.py"), "w", encoding="utf-8") as bot:
                bot.write('import json, sys\nprint("said", json.load(sys.stdin)["message"])\n')
            step = subprocess.run(["bash", "-e", "-c", script_of(workflow)], cwd=checkout, timeout=60, capture_output=True, text=True,
                                  env={**os.environ, **environment_of(workflow, inputs, {"PARLEY_KEY": self.server.key})})
        self.assertEqual(step.returncode, 0, step.stderr)
        run = self.ended(run)
        self.assertEqual((run["result"]["completed"], run["result"]["score"]), (2, 100))

    def test_the_workflow_is_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("there is no yaml module")
        text = (CONTRIB / "github-workflow.yml").read_text()
        workflow = yaml.safe_load(text)
        self.assertEqual(set(workflow[True]["workflow_dispatch"]["inputs"]), declared_inputs(text))  # YAML reads `on` as true
        [job] = workflow["jobs"].values()
        self.assertEqual(job["steps"][-1]["run"].strip(), script_of(text).strip())
        self.assertEqual(set(job["steps"][-1]["env"]), set(environment_of(text, {}, {})))


def block(text, key):
    """The lines after `key:` with a deeper indentation."""
    found = re.search(rf"^( *){key}:.*\n((?:\1 +.*\n|\n)+)", text, re.MULTILINE)
    return found.group(2)


def declared_inputs(workflow):
    lines = block(workflow, "inputs")
    indent = len(lines) - len(lines.lstrip())
    return set(re.findall(rf"^ {{{indent}}}(\w+):", lines, re.MULTILINE))


def script_of(workflow):
    return "\n".join(line.strip() for line in block(workflow, "run").splitlines())


def environment_of(workflow, inputs, secrets):
    """The environment that GitHub gives to the step."""
    known = {"inputs": inputs, "secrets": secrets}
    lines = re.findall(r"^ *(\w+): (.*)$", block(workflow, "env"), re.MULTILINE)
    return {name: re.sub(r"\$\{\{ (\w+)\.(\w+) \}\}", lambda use: known[use[1]].get(use[2], ""), value) for name, value in lines}


if __name__ == "__main__":
    cases.main()
