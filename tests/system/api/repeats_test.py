#!/usr/bin/env python3
"""A client with a bad connection (D9, I4): a proxy cuts the connection at a random byte of the request or of the answer, the
server is killed now and then, and the client repeats every POST with its Idempotency-Key until it is answered. In the
end, every record equals the record on a second server that received the same requests over a good connection."""
import contextlib
import os
import random
import re
import socket
import threading
import time
import uuid

from support import cases, server, wire
from support.cases import OwnServerTest
from support.whole_state import state_of_all

SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
CONVERSATIONS = int(os.environ.get("PARLEY_ROUNDS", "20"))
SCRIPT = "say: one\nsay: two\nsay: three"
ASSERTION = {"type": "contains", "config": {"value": "reply"}}
CUT_EVERY = 3  # one in this many connections is cut
CRASH_EVERY = 60
SCORED_AGAIN = 1_000  # results; their new verdicts are saved in several transactions


class Proxy:
    """Forwards bytes to the server; cuts some connections after a random number of bytes in one direction."""

    def __init__(self, dice):
        self.dice, self.target, self.cuts = dice, None, 0
        self.listener = socket.create_server((server.HOST, 0), backlog=64)
        self.address = self.listener.getsockname()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            cut = None
            if self.dice.randrange(CUT_EVERY) == 0:
                cut = (self.dice.choice(("request", "answer")), self.dice.randrange(700))
            threading.Thread(target=self.serve, args=(client, cut), daemon=True).start()

    def serve(self, client, cut):
        try:
            upstream = socket.create_connection(self.target, timeout=10)
        except OSError:
            client.close()
            return
        directions = [threading.Thread(target=self.pump, args=(*ends, cut), daemon=True)
                      for ends in ((client, upstream, "request"), (upstream, client, "answer"))]
        for direction in directions:
            direction.start()
        for direction in directions:
            direction.join()
        client.close()
        upstream.close()

    def pump(self, source, sink, name, cut):
        left = cut[1] if cut and cut[0] == name else None
        try:
            while True:
                data = source.recv(65536)
                if left is not None and len(data) >= left:
                    sink.sendall(data[:left])
                    self.cuts += 1
                    break
                if left is not None:
                    left -= len(data)
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()


class Persistent:
    """A client that repeats each POST with its key over new connections until it is answered."""

    def __init__(self, test, address, key):
        self.test, self.address, self.key = test, address, key
        self.repeats = self.replays = self.requests = 0

    def post(self, path, body=None, status=201):
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        self.requests += 1
        until = time.monotonic() + 30
        while time.monotonic() < until:
            client = wire.Client(self.address, self.key, timeout_s=10)
            try:
                answer = client.post(path, body, headers)
            except (wire.Gone, wire.Cut, OSError):
                self.repeats += 1
                time.sleep(0.005)
                continue
            finally:
                client.close()
            # 409 with a repeated key: the first request is still in progress. 503: the server is stopping.
            if answer.status == 503 or (answer.status == 409 and "still in progress" in answer.json()["detail"]):
                time.sleep(0.005)
                continue
            self.test.assertEqual(answer.status, status, answer)
            self.replays += "idempotency-replayed" in answer.headers
            return answer.json()
        self.test.fail(f"never answered: {path}")
        return None

    def get(self, path):
        """The record; empty if the connection was cut."""
        client = wire.Client(self.address, self.key, timeout_s=10)
        try:
            return client.get(path).json()
        except (wire.Gone, wire.Cut, OSError):
            return {}
        finally:
            client.close()


class Repeats(OwnServerTest):
    def setUp(self):
        print(f"seed {SEED}")
        self.server = server.Server()
        self.addCleanup(self.server.remove)
        self.server.start()
        self.proxy = Proxy(random.Random(SEED))
        self.addCleanup(self.proxy.close)
        self.proxy.target = self.server.address
        self.crashes = 0
        self.client = Persistent(self, self.proxy.address, self.server.key)

    @staticmethod
    def play(client, run, test, agent, number):
        """Plays one conversation: replies with tools, then the end. Some results are finished manually."""
        is_manual = number % 3 == 0
        made = client.post("/test-results/", {
            "run": run["id"], "test": test["id"], "agent": agent["id"],
            "completionMode": "manual" if is_manual else "auto"})
        path = f"/test-results/{made['id']}"
        for turn in range(4):
            said = client.post(path + "/next-message", status=200)
            if said["end_chat"]:
                break
            client.post(path + "/conversation", {"type": "tool", "name": f"tool {turn}"})
            client.post(path + "/conversation", {"content": f"reply {turn}"})
        if is_manual:
            client.post(path + "/finish", status=202)
        return made["id"]

    @staticmethod
    def directory(client):
        """Creates a record with every other POST; returns (scenario, agent)."""
        folder = client.post("/folders/", {"name": "f"})
        tag = client.post("/tags/", {"name": "t", "isSmart": True, "rule": {"match": "all", "conditions": [
            {"field": "content", "op": "contains", "value": "hi"}]}})
        configuration = client.post("/scenario-configurations/", {"name": "c", "scenarioFields": [
            {"key": "k", "label": "l", "type": "string", "required": False}]})
        scenario = client.post("/scenarios/", {"name": "s", "folders": [folder["id"]], "configuration": configuration["id"],
                                               "fields": {"k": "v"}})
        agent = client.post("/agents/", {"name": "a", "type": "EXTERNAL", "secrets": {"token": "x"}})
        client.post("/personalities/", {"name": "p", "instruction": "Be brief."})
        client.post("/run-groups/", {"name": "g"})
        client.post("/webhooks/", {"name": "w", "url": "http://127.0.0.1:9/", "isEnabled": False})
        client.post("/external-conversation-logs/", {"externalId": "e", "tags": [tag["id"]], "conversation": [{"content": "hi"}]})
        client.post("/scheduled-runs/", {"scenario": scenario["id"], "agent": agent["id"], "cron": "0 0 1 1 *"})
        user = client.post("/users/", {"name": "u", "role": "viewer"})
        client.post("/api-keys/", {"name": "k", "user": user["id"], "scopes": ["read"]})
        return scenario, agent

    def course(self, client, during_conversations):
        """The whole sequence of requests of the client."""
        scenario, agent = self.directory(client)
        test = client.post("/tests/", {"scenario": scenario["id"], "name": "t", "instruction": SCRIPT, "assertions": [ASSERTION]})
        run = client.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running",
                                     "repetitions": CONVERSATIONS})
        other = client.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running"})
        client.post(f"/runs/{other['id']}/cancel", status=200)
        beat = {"name": "runner", "unique_identifier": "runner"}
        runner = client.post("/agents/local", beat, status=200)
        client.post("/runs/", {"scenario": scenario["id"], "agent": runner["agent_id"], "status": "pending", "repetitions": 3})
        client.post("/agents/local", beat, status=200)
        with during_conversations():
            made = [self.play(client, run, test, agent, number) for number in range(CONVERSATIONS)]
        self.settle(client, made)
        for result in made[:2]:
            client.post(f"/test-results/{result}/retry")
        client.post("/labels/", {"result": made[2], "verdict": "failed", "note": "n"})
        client.post(f"/test-results/{made[2]}/rescore", {"preview": False, "assertions": [ASSERTION, ASSERTION]}, status=200)

    def test_I4_repeated_posts_have_their_effect_once_across_cuts_and_crashes(self):
        self.course(self.client, self.crashing)
        print(f"{self.client.requests} requests, {self.proxy.cuts} cuts, {self.crashes} crashes, "
              f"{self.client.repeats} repeats, {self.client.replays} replays")
        self.assertGreater(self.crashes, 0)
        self.assertGreater(self.client.repeats, 10)
        self.assertGreater(self.client.replays, 0)
        with server.Server() as twin:
            good = Persistent(self, twin.address, twin.key)
            self.course(good, contextlib.nullcontext)
            self.assertEqual(good.repeats, 0)
            expected = self.state(twin)
        found = self.state(self.server)
        for path, rows in expected.items():
            self.assertGreater(rows["total"], 0, path)
            self.assertEqual(found[path], rows, path)
        completed = [row for row in found["/test-results"]["data"] if row["status"] == "completed"]
        self.assertEqual((len(completed), {row["score"] for row in completed}), (CONVERSATIONS - 2, {100}))
        self.assertEqual({len(row["conversation"]) for row in completed}, {9})

    @staticmethod
    def state(served):
        http = served.client()
        shown = state_of_all(http)
        http.close()
        return shown

    @contextlib.contextmanager
    def crashing(self):
        is_over = threading.Event()
        thread = threading.Thread(target=self.crash_now_and_then, args=(is_over,))
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def crash_now_and_then(self, is_over):
        """kill -9 after every CRASH_EVERY requests, in the middle of a request."""
        next_crash = CRASH_EVERY
        while not is_over.wait(0.001):
            if self.client.requests < next_crash:
                continue
            next_crash = self.client.requests + CRASH_EVERY
            self.server.kill()
            self.crashes += 1
            self.server.start()
            self.proxy.target = self.server.address

    def settle(self, client, results):
        """Waits until all results are scored."""
        until = time.monotonic() + 20
        for result in results:
            while client.get(f"/test-results/{result}").get("status") != "completed":
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)

    def test_I4_a_run_scored_again_across_a_crash_has_each_new_assertion_once(self):
        self.http = self.server.client()
        self.a_test(scenario := self.scenario(), "say: one")
        run = self.a_run(scenario, self.agent(type="DEMO"), "pending", repetitions=SCORED_AGAIN)
        self.run_becomes(run, "completed", timeout_s=60)
        rows = f"/test-results/?run={run['id']}&limit=1000"
        first = self.ok(self.http.get(rows + "&output=minimal"))["data"][0]
        body = {"preview": False, "assertions": [ASSERTION, {**ASSERTION, "config": {"value": "other"}}]}
        client = Persistent(self, self.server.address, self.server.key)
        scoring = threading.Thread(target=client.post, args=(f"/runs/{run['id']}/rescore?limit=1000", body, 200))
        scoring.start()
        while not self.get_result(first)["assertionResults"]:
            time.sleep(0.001)
        self.server.kill()
        self.server.start()
        client.address = self.server.address
        scoring.join()
        self.http.close()
        self.http = self.server.client()
        counts = [len(row["assertionResults"]) for row in self.ok(self.http.get(rows))["data"]]
        self.http.close()
        self.assertEqual((len(counts), set(counts)), (SCORED_AGAIN, {2}))
        print(f"scored again: {client.repeats} repeats, {client.replays} replays")


if __name__ == "__main__":
    cases.main()
