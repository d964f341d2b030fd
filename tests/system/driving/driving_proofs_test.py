#!/usr/bin/env python3
"""Guarantees for many concurrent driven conversations (D43, I6, I8, I34, I49): limits hold at every instant, even across
restarts; kills neither lose nor duplicate turns; cancel-run cancels all results in one transaction.

    driving_proofs_test.py           small; PARLEY_FULL=1: 500 conversations and 50 kills, 10,000 canceled at once"""
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time

from support import cases
from support.driven import Driven
from support.fakes import webhook

FULL = os.environ.get("PARLEY_FULL") == "1"
CONVERSATIONS, KILLS, KILLS_A_RUN = (500, 50, 5) if FULL else (60, 4, 4)
CANCELED = 10_000 if FULL else 300
# The promise is 200 ms for the full number. A small number only shows that the cancel does not wait for conversations.
CANCEL_S_MAX = 0.2 if FULL else 1.0
# A separate process sends the cancel: the fake agent, with thousands of connections, shares the interpreter of this one.
CANCELING = """
import json, sys, time
from support import wire
client = wire.Client(("127.0.0.1", int(sys.argv[1])), sys.argv[2], 30)
client.get("/healthz")
begun = time.monotonic()
answer = client.post(f"/runs/{sys.argv[3]}/cancel")
ended = time.monotonic()
metrics = client.get("/metrics").body.decode().splitlines()
begun_calls = [float(line.split()[1]) for line in metrics if line.startswith("parley_call_attempts_total ")]
print(json.dumps([answer.status, answer.json(), ended - begun, ended, begun_calls[0]]))
"""


class Proofs(cases.OwnServerTest, Driven):
    def again(self, is_kill=True):
        """Kills or stops the server and starts it on the same data."""
        self.http.close()
        if is_kill:
            self.server.kill()
        else:
            self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.http = self.server.client(timeout_s=120)


class Caps(Proofs):
    def test_I49_caps_of_several_runs_hold_at_every_instant_and_are_reached_even_across_restarts(self):
        caps = {"/five": 5, "/eight": 8, "/default": 7}
        self.own_server("--log-level", "warn", "--max-concurrent-tests", "7", "--max-conversations", "20")
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=0.04) as fake:
            runs = []
            for path, cap in caps.items():
                agent = self.agent(type="HTTP", config={"url": fake.url + path})
                runs.append(self.launched(agent, 6, repetitions=10, maxConcurrentTests=0 if cap == 7 else cap))
            for is_kill in (True, False, True):
                self.reached(fake, caps)
                self.again(is_kill)
                fake.wait(lambda now: now.in_flight <= 20)  # the agent has noticed that the old calls are gone
                for lane in fake.lanes.values():
                    self.assertLessEqual(lane.most, caps[self.path_of(fake, lane)])
                    lane.most = lane.now
                fake.in_flight_max = fake.in_flight
            self.reached(fake, caps)
            for run in runs:
                self.assertEqual(self.ended(run, 60)["result"]["passed"], 60)
            self.assertEqual({path: lane.most for path, lane in fake.lanes.items()}, caps)
            self.assertEqual(fake.in_flight_max, 20)

    def reached(self, fake, caps):
        self.assertTrue(fake.wait(lambda now: all(now.lanes[path].most >= cap for path, cap in caps.items()), 20),
                        dict(fake.lanes))

    @staticmethod
    def path_of(fake, lane):
        return next(path for path, one in fake.lanes.items() if one is lane)


class Kills(Proofs):
    TURNS = 8

    def test_I6_I8_kills_in_the_middle_lose_no_turn_and_double_none(self):
        self.own_server("--log-level", "warn", "--max-concurrent-tests", str(CONVERSATIONS))
        instruction = "\n".join(f"say: {number}" for number in range(self.TURNS))
        expected = [pair for number in range(self.TURNS) for pair in (("tester", str(number)), ("chatbot", f"said {number}"))]
        kills, asked_again = 0, 0
        with webhook.WebhookAgent(lambda turn: {"message": f"said {turn['message']}"}, latency=0.2) as fake:
            while kills < KILLS:
                fake.keys.clear()
                run = self.launched(self.hosted(fake), 5, instruction, repetitions=CONVERSATIONS // 5)
                for _ in range(min(KILLS_A_RUN, KILLS - kills)):
                    time.sleep(random.uniform(0.05, 0.35))
                    self.assertEqual(self.get_run(run)["status"], "running", "a kill is to come in the middle")
                    self.again()
                    kills += 1
                run = self.ended(run, 120)
                self.assertEqual((run["result"]["completed"], run["result"]["passed"]), (CONVERSATIONS, CONVERSATIONS))
                for result in self.results_of(run):
                    self.assertEqual(self.words(result), expected)
                    self.assertEqual((result["status"], result["endReason"]), ("completed", "tester_ended"))
                # each turn of a conversation has one Idempotency-Key
                self.assertEqual(len(fake.keys), CONVERSATIONS * self.TURNS)
                asked_again += sum(count > 1 for count in fake.keys.values())
        self.assertGreater(asked_again, 0, "some turn was asked again")
        print(f"{kills} kills in {CONVERSATIONS} conversations, {asked_again} turns asked again")


class CancelRun(Proofs):
    def test_cancel_run_reaches_all_live_results_in_one_transaction(self):
        most = str(2 * CANCELED)
        self.own_server("--log-level", "warn", "--max-concurrent-tests", most, "--max-conversations", most, "--max-calls", most)
        for latency in (600, 0.5):  # calls that hang, and short calls
            with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=latency) as fake:
                instruction = "\n".join(f"say: {number}" for number in range(30))
                run = self.launched(self.hosted(fake, timeoutMs=600_000), 10, instruction, repetitions=CANCELED // 10,
                                    maxConcurrentTests=CANCELED)
                begun = self.reach(fake, run)
                took, ended, calls, partial = self.cancel(run)
                self.assertEqual(partial, set(), "a reader never sees some of them canceled")
                self.assertLess(took, CANCEL_S_MAX)
                self.nothing_starts_any_more(fake, run, ended, calls)
            print(f"{CANCELED} live, {begun} of them with a call: canceled in {took * 1000:.0f} ms")

    def reach(self, fake, run):
        """Waits until all results are running and hold their slots; returns the number of calls in progress."""
        until = time.monotonic() + 120
        while self.get_run(run)["result"]["running"] < CANCELED:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        if fake.latency > 1:
            self.assertTrue(fake.wait(lambda now: now.in_flight == CANCELED, 120), fake.in_flight)
        return fake.in_flight

    def cancel(self, run):
        """Returns the seconds to the answer, its time, the calls begun before it, and the partial counts of canceled results
        that a reader saw."""
        over, seen = threading.Event(), set()

        def look():
            client = self.server.client()
            while not over.is_set():
                seen.add(client.get(f"/runs/{run['id']}").json()["result"]["canceled"])
                time.sleep(0.005)
            client.close()
        looking = threading.Thread(target=look)
        looking.start()
        time.sleep(0.05)
        done = subprocess.run([sys.executable, "-c", CANCELING, str(self.server.address[1]), self.server.key, run["id"]],
                              cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, timeout=60, check=True)
        status, shown, took, ended, calls = json.loads(done.stdout)
        time.sleep(0.05)
        over.set()
        looking.join()
        self.assertEqual((status, shown["status"], shown["result"]["canceled"]), (200, "canceled", CANCELED))
        return took, ended, calls, seen - {0, CANCELED}

    def nothing_starts_any_more(self, fake, run, ended, calls):
        """Checks the counter of the server and the requests that the agent has read, which were sent earlier."""
        self.assertTrue(fake.wait(lambda now: now.in_flight == 0, 30), "every call was stopped")
        time.sleep(1)
        metrics = self.http.get("/metrics").body.decode()
        self.assertIn(f"parley_call_attempts_total {int(calls)}\n", metrics, "no call began behind the answer")
        self.assertLessEqual(len(fake.requests), calls)
        if not FULL:  # with FULL, the agent reads many requests long after they were sent: it reads some thousands a second
            self.assertEqual([request for request in fake.requests if request.at > ended + 0.5], [])
        now = self.get_run(run)["result"]
        self.assertEqual((now["canceled"], now["running"], now["completed"], now["failed"]), (CANCELED, 0, 0, 0))
        rows = self.results_of(run, output="minimal")
        self.assertEqual({(row["status"], row["endReason"]) for row in rows}, {("canceled", "canceled")})
        self.assertEqual(len({row["updatedAt"] for row in rows}), 1, "one moment for all of them")


if __name__ == "__main__":
    cases.main()
