#!/usr/bin/env python3
"""Kills before and after, and errors in, every system call by which the server writes, answers or calls others
(I1, I3-I8, I14; F2, F3, F7, F8, F41), also during recovery. The client repeats unanswered requests with their
Idempotency-Key; in the end every record equals that of an undisturbed server: nothing lost, nothing duplicated.

    PARLEY_ROUNDS=16 PARLEY_SEED=... failpoints_test.py   one failure per round; the kinds take turns"""
import array
import contextlib
import errno
import itertools
import os
import pathlib
import random
import time
import uuid

from support import cases, server, wire
from support.cases import OwnServerTest
from support.fakes.webhook import WebhookAgent
from support.whole_state import state_of_all

ROUNDS = int(os.environ.get("PARLEY_ROUNDS", "16"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
SHIM = pathlib.Path(os.environ.get("PARLEY_FAILPOINTS", server.ROOT / "build/release/tests/failpoints/libparley_failpoints.so"))

PLACES = ("store.write", "store.sync", "store.meta", "file.open", "file.read", "file.write", "file.sync", "file.rename",
          "directory.sync", "client.accept", "client.read", "client.answer", "call.connect", "call.send", "call.read")
# The errors that a call may return. The server must survive them or end cleanly.
ERRORS = {"store.write": (errno.EIO, errno.ENOSPC, errno.EFBIG), "store.sync": (errno.EIO, errno.ENOSPC),
          "store.meta": (errno.EIO, errno.ENOSPC), "file.open": (errno.EMFILE, errno.EACCES, errno.EIO),
          "file.read": (errno.EIO, errno.EINTR), "file.write": (errno.ENOSPC, errno.EIO, errno.EINTR),
          "file.sync": (errno.EIO, errno.ENOSPC), "file.rename": (errno.EIO, errno.ENOSPC), "directory.sync": (errno.EIO,),
          "client.accept": (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ECONNABORTED, errno.EINTR),
          "client.read": (errno.ECONNRESET, errno.EINTR), "client.answer": (errno.EPIPE, errno.ECONNRESET, errno.EINTR),
          "call.connect": (errno.ECONNREFUSED, errno.ETIMEDOUT, errno.ENETUNREACH)}
# No errors for call.send and call.read: a request that has been sent to an agent is not repeated (F18), so its result must fail.
SHORT = ("store.write", "store.meta", "file.write", "client.answer", "call.send")
KINDS = [(place, when, 0) for place in PLACES for when in ("before", "after")]
KINDS += [(place, "error", code) for place, codes in ERRORS.items() for code in codes]
KINDS += [(place, "short", 0) for place in SHORT]
SCRIPT = "say: one\nsay: two"
ASSERTION = {"type": "contains", "config": {"value": "said"}}


class Failing:
    """A server that fails at one point in one of its lives, and is restarted whenever it dies."""

    def __init__(self, test, plan=None, life=1, has_keys=True):
        self.test, self.plan, self.life, self.has_keys = test, plan, life, has_keys
        self.server = server.Server("--allow-private-agents", "true")
        self.counts = self.server.folder / "counts"
        self.lives, self.deaths = 0, []

    def start(self):
        for _ in range(3):
            self.lives += 1
            self.server.environment = {"LD_PRELOAD": str(SHIM), "PARLEY_FAIL_DIRECTORY": str(self.server.data),
                                       "PARLEY_FAIL_COUNTS": str(self.counts) + str(self.lives)}
            if self.plan and self.lives == self.life:
                self.server.environment["PARLEY_FAIL_AT"] = ":".join(str(part) for part in self.plan)
            try:
                return self.server.start()
            except RuntimeError:
                if self.server.is_alive():
                    raise
                self.deaths.append(self.server.process.returncode)
        raise AssertionError("the server does not start any more:\n" + self.server.log_tail())

    def revive(self):
        """Restarts the server if it has died."""
        if self.server.process.poll() is None:
            return
        self.deaths.append(self.server.process.returncode)
        self.start()

    def passed(self, life):
        counts = array.array("I")
        counts.frombytes(pathlib.Path(str(self.counts) + str(life)).read_bytes())
        return dict(zip(PLACES, counts))

    def get(self, path):
        return self.answer_to("GET", path)

    def send(self, method, path, body=None, statuses=(200, 201, 202)):
        answer = self.answer_to(method, path, body)
        self.test.assertIn(answer.status, statuses, (method, path, answer))
        return answer.json()

    def answer_to(self, method, path, body=None):
        """Repeats the request with its key until it is answered."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" and self.has_keys else {}
        until = time.monotonic() + 30
        while time.monotonic() < until:
            client = self.server.client(timeout_s=10)
            try:
                answer = client.send(method, path, body, headers)
            except (wire.Gone, wire.Cut, OSError):
                self.revive()
                continue
            finally:
                client.close()
            is_under_way = answer.status == 409 and "still in progress" in answer.json()["detail"]
            if answer.status not in (500, 503) and not is_under_way:
                return answer
            time.sleep(0.01)
        self.test.fail(f"never answered: {method} {path}")
        return None


def play(failing, agent_url):
    """Plays every kind of client request: conversations with automatic and manual ends, a retry, a cancel, and a run that the
    server drives. The server is killed in the middle."""
    post = lambda path, body=None: failing.send("POST", path, body)
    scenario = post("/scenarios/", {"name": "s"})
    agent = post("/agents/", {"name": "a", "type": "EXTERNAL", "secrets": {"token": "x"}})
    test = post("/tests/", {"scenario": scenario["id"], "name": "t", "instruction": SCRIPT, "assertions": [ASSERTION]})
    run = post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running"})
    paths = []
    for number in range(3):
        made = post("/test-results/", {"run": run["id"], "test": test["id"], "agent": agent["id"],
                                       "completionMode": "manual" if number == 1 else "auto"})
        paths.append(f"/test-results/{made['id']}")
    for path in paths[:2]:
        converse(post, path)
    post(paths[1] + "/finish")
    settled(failing, paths[0])
    settled(failing, paths[1])
    post("/labels/", {"result": paths[1].split("/")[-1], "verdict": "failed"})
    post("/webhooks/", {"url": agent_url, "isEnabled": False})
    post(paths[0] + "/retry")
    hosted = post("/agents/", {"name": "h", "type": "HTTP", "config": {"url": agent_url}})
    driven = post("/runs/", {"scenario": scenario["id"], "agent": hosted["id"], "status": "pending"})
    failing.server.kill()
    failing.revive()
    converse(post, paths[2])
    settled(failing, paths[2])
    ended(failing, f"/runs/{driven['id']}")
    failing.send("POST", f"/runs/{run['id']}/cancel")


def converse(post, path):
    for turn in range(3):
        if post(path + "/next-message")["end_chat"]:
            return
        post(path + "/conversation", {"type": "tool", "name": f"tool {turn}"})
        post(path + "/conversation", {"content": f"said {turn}"})


def settled(failing, path):
    return ended(failing, path)


def ended(failing, path):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        now = failing.send("GET", path)
        if now["status"] in cases.TERMINAL:
            return now
        time.sleep(0.01)
    raise AssertionError(f"{path} does not end: {now}")


def plain(value):
    """The value without fields that depend only on time."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in ("responseTime", "averageResponseTime")}
    return [plain(one) for one in value] if isinstance(value, list) else value


class Failpoints(OwnServerTest):
    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}, {ROUNDS} rounds")
        cls.agent = WebhookAgent(lambda turn: {"message": f"You said: {turn.get('message')}"})
        cls.agent.start()
        cls.addClassCleanup(cls.agent.stop)

    def round(self, plan, life, has_keys=True):
        """(the final state, how often each place was passed in each life, the exit codes)."""
        failing = Failing(self, plan, life, has_keys)
        self.addCleanup(failing.server.remove)
        failing.start()
        play(failing, self.agent.config["url"])
        passed = [failing.passed(number) for number in range(1, failing.lives + 1)]
        state = plain(state_of_all(failing))
        failing.server.stop()
        failing.server.remove()
        return state, passed, failing.deaths

    def test_F2_a_failure_at_any_place_loses_and_doubles_nothing(self):
        expected, passed, deaths = self.round(None, 0)
        self.assertEqual(deaths, [-9])
        for place in PLACES:
            self.assertGreater(passed[0][place] + passed[1][place], 0, place)
        dice = random.Random(SEED)
        fired = died = 0
        kinds = list(KINDS)
        dice.shuffle(kinds)
        for number, (place, when, code) in zip(range(ROUNDS), itertools.cycle(kinds)):
            lives = [life for life in (1, 2) if passed[life - 1][place]]
            life = dice.choice(lives)
            plan = (place, when, dice.randint(1, passed[life - 1][place]), code)
            with self.subTest(plan=plan, life=life, round=number, seed=SEED):
                state, counts, deaths = self.round(plan, life)
                fired += counts[life - 1][place] >= plan[2]
                died += len(deaths) - 1
                self.assertTrue(set(deaths) <= {-9, 1, 3}, deaths)   # killed, or ended with a message
                for path, records in expected.items():
                    self.assertEqual(state[path], records, path)
        print(f"{fired} of {ROUNDS} points were reached, the server died at {died}; {len(KINDS)} kinds of failure")
        self.assertGreater(fired, ROUNDS * 3 // 4)

    def test_F7_a_commit_that_cannot_be_synced_ends_the_server_and_is_not_acknowledged(self):
        """After a failed sync, the content of the disk is unknown, so no write may be acknowledged. ENOSPC for the meta page,
        which a copy-on-write file system may return, is just as final: LMDB accepts no more writes."""
        for place, code in (("store.sync", errno.EIO), ("store.meta", errno.EIO), ("store.meta", errno.ENOSPC)):
            with self.subTest(place=place, code=code):
                first = Failing(self)
                self.addCleanup(first.server.remove)
                first.start()
                first.server.stop()
                failing = Failing(self, (place, "error", first.passed(1)[place] + 5, code), 1)
                self.addCleanup(failing.server.remove)
                failing.start()
                told = []
                client = failing.server.client(timeout_s=5)
                self.addCleanup(client.close)
                with contextlib.suppress(wire.Gone, wire.Cut, OSError):
                    for number in range(20):
                        answer = client.post("/folders/", {"name": f"folder {number}"})
                        if answer.status != 201:
                            self.problem(answer, 503)
                            break
                        told.append(answer.json()["id"])
                self.assertEqual(failing.server.process.wait(5), 3, "it ends, with the exit code of a broken store")
                self.assertLess(len(told), 20)
                failing.revive()
                kept = [one["id"] for one in failing.get("/folders/?limit=100").json()["data"]]
                self.assertEqual(set(told) - set(kept), set(), "what was told is there")
                self.assertLessEqual(len(kept), len(told) + 1)

    def test_the_rig_finds_what_is_done_twice(self):
        # The server dies before it sends the answer to the first POST (the first answer is that of /readyz), and the client
        # repeats the POST without a key.
        state, _, deaths = self.round(("client.answer", "before", 2, 0), 1, has_keys=False)
        self.assertEqual(len(deaths), 2)
        self.assertEqual(len(state["/scenarios"]["data"]), 2)


if __name__ == "__main__":
    cases.main()
