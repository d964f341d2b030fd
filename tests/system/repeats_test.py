#!/usr/bin/env python3
"""A client on a bad line (D9, I4): a proxy cuts the connection at a random byte of the request or of the answer, the
server is killed now and then, and the client repeats every POST with its Idempotency-Key until it is answered. In the
end everything stands as if the line had been good."""
import os
import random
import socket
import threading
import time
import uuid

from support import cases, server, wire
from support.cases import OwnServerTest

SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
CONVERSATIONS = int(os.environ.get("PARLEY_ROUNDS", "20"))
SCRIPT = "say: one\nsay: two\nsay: three"
ASSERTION = {"type": "contains", "config": {"value": "reply"}}
CUT_EVERY = 3  # of so many connections one is cut
CRASH_EVERY = 60


class Proxy:
    """Forwards bytes to the server; cuts some connections after a random number of bytes of one direction."""

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
    """A client that repeats a POST with its key, each time over a new connection, until it is answered."""

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
            # 409 with a key that was sent before: the first request is still under way; 503: the server is stopping.
            if answer.status == 503 or (answer.status == 409 and "still in progress" in answer.json()["detail"]):
                time.sleep(0.005)
                continue
            self.test.assertEqual(answer.status, status, answer)
            self.replays += "idempotency-replayed" in answer.headers
            return answer.json()
        self.test.fail(f"never answered: {path}")
        return None


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

    def play(self, run, test, agent, number):
        """One conversation: two replies with tools, then the end; some are finished by hand, some retried."""
        is_manual = number % 3 == 0
        made = self.client.post("/test-results/", {
            "run": run["id"], "test": test["id"], "agent": agent["id"],
            "completionMode": "manual" if is_manual else "auto"})
        path = f"/test-results/{made['id']}"
        for turn in range(4):
            said = self.client.post(path + "/next-message", status=200)
            if said["end_chat"]:
                break
            self.client.post(path + "/conversation", {"type": "tool", "name": f"tool {turn}"})
            self.client.post(path + "/conversation", {"content": f"reply {turn}"})
        if is_manual:
            self.client.post(path + "/finish", status=202)
        return made["id"]

    def test_I4_repeated_posts_have_their_effect_once_across_cuts_and_crashes(self):
        agent = self.client.post("/agents/", {"name": "a", "type": "EXTERNAL"})
        scenario = self.client.post("/scenarios/", {"name": "s"})
        test = self.client.post("/tests/", {"scenario": scenario["id"], "name": "t", "instruction": SCRIPT,
                                            "assertions": [ASSERTION]})
        run = self.client.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running",
                                          "repetitions": CONVERSATIONS})
        other = self.client.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running"})
        self.client.post(f"/runs/{other['id']}/cancel", status=200)
        is_over = threading.Event()
        crashing = threading.Thread(target=self.crash_now_and_then, args=(is_over,))
        crashing.start()
        try:
            made = [self.play(run, test, agent, number) for number in range(CONVERSATIONS)]
        finally:
            is_over.set()
            crashing.join()
        self.settle(made)
        clones = [self.client.post(f"/test-results/{made[number]}/retry")["id"] for number in range(2)]
        print(f"{self.client.requests} requests, {self.proxy.cuts} cuts, {self.crashes} crashes, "
              f"{self.client.repeats} repeats, {self.client.replays} replays")
        self.assertGreater(self.crashes, 0)
        self.assertGreater(self.client.repeats, 10)
        self.assertGreater(self.client.replays, 0)
        self.check(run, other, made, clones)

    def crash_now_and_then(self, is_over):
        """kill -9 after every so many requests, in the middle of one."""
        next_crash = CRASH_EVERY
        while not is_over.wait(0.001):
            if self.client.requests < next_crash:
                continue
            next_crash = self.client.requests + CRASH_EVERY
            self.server.kill()
            self.crashes += 1
            self.server.start()
            self.proxy.target = self.server.address

    def settle(self, results):
        """Waits until all are scored, whatever crashes in between."""
        until = time.monotonic() + 20
        for result in results:
            while time.monotonic() < until:
                client = self.server.client(timeout_s=5)
                try:
                    if client.get(f"/test-results/{result}").json()["status"] == "completed":
                        break
                except (wire.Gone, wire.Cut, OSError):
                    pass
                finally:
                    client.close()
                time.sleep(0.02)

    def check(self, run, other, made, clones):
        """What a client on a good line would have left."""
        self.http = self.server.client()
        self.addCleanup(self.http.close)
        for path, total in (("/agents/", 1), ("/scenarios/", 1), ("/tests/", 1), ("/runs/", 2),
                            ("/test-results/", CONVERSATIONS + len(clones))):
            self.assertEqual(self.ok(self.http.get(path))["total"], total, path)
        self.assertEqual(self.get_run(other)["status"], "canceled")
        expected = []
        for turn, word in enumerate(("one", "two", "three")):
            expected += [("tester", word), ("chatbot", f"tool {turn}"), ("chatbot", f"reply {turn}")]
        for number, result in enumerate(made):
            after = self.settled(result)
            seen = [(entry["role"], entry["content"] or entry["name"]) for entry in after["conversation"]]
            self.assertEqual(seen, expected)
            self.assertEqual(after["status"], "canceled" if number < len(clones) else "completed")
            self.assertEqual(after["retiredBy"], clones[number] if number < len(clones) else None)
        shown = self.get_run(run)["result"]
        self.assertEqual((shown["completed"], shown["pending"], shown["score"]),
                         (CONVERSATIONS - len(clones), len(clones), 100))


if __name__ == "__main__":
    cases.main()
