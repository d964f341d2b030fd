"""The TestCase of the system tests: one server per file, builders of records, checks of answers."""
import contextlib
import itertools
import json
import os
import subprocess
import sys
import time
import unittest

from . import server as servers

SKIPPED = 77
CANARY = "canary-of-a-hosted-agent-4713"   # a secret that is sent with every turn and must appear in no log (I67)
TERMINAL = ("completed", "failed", "canceled")
_shared = {}
_number = itertools.count(1)


def unique(word):
    return f"{word} {os.getpid()}-{next(_number)}"


def shared_server(*options):
    """The server of this test file with these options. The first call starts it; `main` stops it."""
    if options not in _shared:
        _shared[options] = servers.Server(*options)
        _shared[options].start()
    return _shared[options]


def main():
    """Runs the tests of the calling file. Afterwards each server must still be alive and end cleanly."""
    program = unittest.main(module="__main__", exit=False, verbosity=1)
    good = program.result.wasSuccessful()
    for options, server in _shared.items():
        fault = fault_of_end(server)
        if fault:
            print(f"the server {options} {fault}:\n{server.log_tail(1500)}", file=sys.stderr)
            good = False
        server.remove()
    sys.exit(0 if good else 1)


def fault_of_end(server):
    """Stops the server as an operator does; returns what went wrong, or None."""
    if not server.is_alive():
        return f"died with {server.process.returncode}"
    try:
        code = server.stop()
    except RuntimeError as fault:
        return str(fault).partition(":")[0]
    if code:
        return f"ended with {code}"
    log = server.log.read_bytes()
    if any(secret.encode() in log for secret in (CANARY, server.key)):
        return "wrote a secret to its log"
    done = subprocess.run([servers.binary(), "doctor", "--data", str(server.data)], capture_output=True, text=True, check=False)
    return f"left what the doctor calls {done.stdout[-500:]}{done.stderr}" if done.returncode else None   # I3, I13, I53


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


class SystemTest(unittest.TestCase):
    """The base class. Builders take the fields of a body and return the record from the answer."""

    maxDiff = 4000
    options = ()

    def wait_for(self, true, seconds=10):
        until = time.monotonic() + seconds
        while not true():
            self.assertLess(time.monotonic(), until, "the condition never held")
            time.sleep(0.01)

    @classmethod
    def setUpClass(cls):
        cls.server = shared_server(*cls.options)
        cls.http = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.http.close()

    # ---- checks -----------------------------------------------------------------------------------------------

    def ok(self, answer, status=None):
        """The JSON of a successful answer."""
        if status is None:
            self.assertEqual(answer.status // 100, 2, answer)
        else:
            self.assertEqual(answer.status, status, answer)
        return answer.json() if answer.body else None

    def problem(self, answer, status, pointer=None, parameter=None):
        """Checks the problem document (RFC 9457, D3) and, if given, that it names the pointer or parameter; returns it."""
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.headers.get("content-type", "").split(";")[0], "application/problem+json", answer)
        document = answer.json()
        for field in ("type", "title", "detail"):
            self.assertIsInstance(document.get(field), str, document)
            self.assertTrue(document[field], document)
        self.assertEqual(document["status"], status)
        self.assertEqual(document.get("instance"), answer.headers.get("x-request-id"), document)
        faults = document.get("errors", [])
        for fault in faults:
            self.assertTrue(fault.get("detail"), document)
            self.assertTrue("pointer" in fault or "parameter" in fault, document)
        is_of_input = document["type"] in ("/problems/invalid-body", "/problems/invalid-parameter")
        if len(faults) == 1 and is_of_input:  # the detail must name the faulty input
            self.assertIn(faults[0].get("pointer") or faults[0].get("parameter") or "the body", document["detail"])
        if pointer is not None:
            self.assertIn(pointer, [fault.get("pointer") for fault in faults], document)
        if parameter is not None:
            self.assertIn(parameter, [fault.get("parameter") for fault in faults], document)
        return document

    # ---- records ----------------------------------------------------------------------------------------------

    def create(self, path, **body):
        return self.ok(self.http.post(path, body), 201)

    def agent(self, **body):
        return self.create("/agents/", **{"name": unique("agent"), "type": "EXTERNAL", **body})

    def scenario(self, **body):
        return self.create("/scenarios/", **{"name": unique("scenario"), **body})

    def a_test(self, scenario, instruction="say: one\nsay: two\nsay: three", assertions=(), **body):
        return self.create("/tests/", scenario=scenario["id"], name=unique("test"), instruction=instruction,
                           assertions=list(assertions), **body)

    def a_run(self, scenario, agent, status="running", **body):
        """A new run. With the status running, the test creates the results itself, even for a hosted agent."""
        if status == "running" and agent.get("type", "") not in ("", "EXTERNAL"):
            body.setdefault("generateResults", False)
        return self.create("/runs/", scenario=scenario["id"], agent=agent["id"], status=status, **body)

    def result(self, agent=None, **body):
        """A result: a standalone preview, unless `run` and `test` are given."""
        agent = agent or self.any_agent()
        return self.create("/test-results/", agent=agent["id"], **body)

    def any_agent(self):
        if not hasattr(type(self), "_agent"):
            type(self)._agent = self.agent()
        return type(self)._agent

    def get_result(self, result):
        return self.ok(self.http.get(f"/test-results/{id_of(result)}"), 200)

    def get_run(self, run):
        return self.ok(self.http.get(f"/runs/{id_of(run)}"), 200)

    # ---- operations, as raw answers ---------------------------------------------------------------------------

    def next_message(self, result, **headers):
        return self.http.post(f"/test-results/{id_of(result)}/next-message", headers=headers)

    def post_entry(self, result, content=None, headers=None, **body):
        if content is not None:
            body["content"] = content
        return self.http.post(f"/test-results/{id_of(result)}/conversation", body, headers)

    def patch_entry(self, result, entry, metadata, headers=None):
        return self.http.patch(f"/test-results/{id_of(result)}/conversation/{id_of(entry)}", {"metadata": metadata},
                               headers)

    def finish(self, result):
        return self.http.post(f"/test-results/{id_of(result)}/finish")

    def patch_result(self, result, **body):
        return self.http.patch(f"/test-results/{id_of(result)}", body)

    def patch_run(self, run, **body):
        return self.http.patch(f"/runs/{id_of(run)}", body)

    def retry(self, result):
        return self.http.post(f"/test-results/{id_of(result)}/retry")

    def cancel_run(self, run):
        return self.http.post(f"/runs/{id_of(run)}/cancel")

    def pause_scoring(self, paused):
        self.ok(self.http.put("/admin/scoring", {"paused": paused}))

    @contextlib.contextmanager
    def scoring_paused(self):
        self.pause_scoring(True)
        try:
            yield
        finally:
            self.pause_scoring(False)

    # ---- longer sequences -------------------------------------------------------------------------------------

    def turn(self, result):
        """Waits for the next turn of the tester and returns it."""
        until = time.monotonic() + 15
        while True:
            answer = self.ok(self.next_message(result), 200)
            self.assertEqual(set(answer), {"message", "action", "end_chat", "ready", "message_id"})
            if answer["ready"] or time.monotonic() > until:
                return answer
            time.sleep(0.05)

    def entry(self, result, content=None, **body):
        """Records an entry; returns it."""
        answer = self.ok(self.post_entry(result, content, {"Prefer": "return=minimal"}, **body), 201)
        return answer["entry"]

    def converse(self, result, replies=("fine",)):
        """The client loop until the chat ends, repeating the last reply; returns the turns of the tester."""
        turns = []
        for number in itertools.count():
            turn = self.turn(result)
            if turn["end_chat"]:
                return turns
            turns.append(turn)
            self.entry(result, replies[min(number, len(replies) - 1)])

    def settled(self, result, timeout_s=15):
        """The result once it is terminal."""
        until = time.monotonic() + timeout_s
        while True:
            answer = self.get_result(result)
            if answer["status"] in TERMINAL or time.monotonic() > until:
                self.assertIn(answer["status"], TERMINAL, answer)
                return answer
            time.sleep(0.01)

    def run_becomes(self, run, status, timeout_s=10):
        until = time.monotonic() + timeout_s
        while True:
            answer = self.get_run(run)
            if answer["status"] == status or time.monotonic() > until:
                self.assertEqual(answer["status"], status, answer)
                return answer
            time.sleep(0.01)

    def scored(self, assertions, replies=("fine",), instruction="say: one", **body):
        """A scored preview of one conversation with these assertions."""
        result = self.result(testInstruction=instruction, assertionResults=list(assertions), **body)
        self.converse(result, replies)
        return self.settled(result)

    # ---- results in each state of the table ----------------------------------------------------------------------------

    def in_state(self, letter, manual=None, **body):
        """A fresh result in state P, R, W, S, C, F or X. For S, scoring must be paused."""
        manual = letter == "W" if manual is None else manual
        body.setdefault("assertionResults", [{"type": "contains", "config": {"value": "fine"}}])
        if "test" not in body:
            body.setdefault("testInstruction", "say: one\nsay: two")
        made = self.result(completionMode="manual" if manual else "auto", **body)
        if letter == "P":
            return made
        if letter == "F":
            self.ok(self.patch_result(made, status="failed"), 200)
        elif letter == "X":
            self.ok(self.patch_result(made, status="canceled"), 200)
        elif letter == "R":
            self.turn(made)
            self.entry(made, "fine")
        else:
            self.converse(made)
            if manual and letter != "W":
                self.ok(self.finish(made), 202)
            if letter == "C":
                self.settled(made)
        return self.get_result(made)


class OwnServerTest(SystemTest):
    """Each test has a separate server, which it may stop, kill or damage."""

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def own_server(self, *options, **environment):
        """Starts a server that is removed after the test."""
        if hasattr(self, "http"):
            self.http.close()
        self.server = servers.Server(*options)
        self.server.environment = environment
        self.addCleanup(self.server.remove)
        self.server.start()
        self.http = self.server.client()
        self.addCleanup(lambda: self.http.close())
        type(self)._agent = self.agent()  # this server does not know the agent of an earlier one


def id_of(record):
    return record["id"] if isinstance(record, dict) else record


def state_of(result):
    """The letter of the state in the state table."""
    status = result["status"]
    if status != "running":
        return {"pending": "P", "completed": "C", "failed": "F", "canceled": "X"}[status]
    if result["scoringEnqueuedAt"]:
        return "S"
    return "W" if result["isEnded"] else "R"


def dumps(value):
    """Compact JSON, whose bytes are what limits count (D53)."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
