#!/usr/bin/env python3
"""A cluster under load while its nodes and PostgreSQL fail: no acknowledged write is lost, no write takes effect twice, every
stale read is marked, and all nodes have the same records in the end.

    soak_test.py           about 40 s; PARLEY_SOAK=600: another number of seconds; PARLEY_SEED: the order of the faults"""
import os
import random
import re
import statistics
import subprocess
import time
import unittest

from support import whole_state
from support.driven import Driven
from support.fakes import webhook
from support.fakes.events import Receiver
from support.nemesis import KeyedWriter, Nemesis, PlainWriter, Register, check_outcome
from support.nodes import KEYS, Cluster
from support.server import binary

SOAK_S = float(os.environ.get("PARLEY_SOAK", "30"))
SEED = int(os.environ.get("PARLEY_SEED", str(random.randrange(1 << 30))))
KINDS = ("kill_leader", "kill_follower", "restart_leader_at_once", "stop_leader", "pause_leader", "pause_follower",
         "restart_database", "lose_directory", "switch_over")
ONLY = os.environ.get("PARLEY_FAULTS", "").split() or KINDS
TURNS = 6
INSTRUCTION = "\n".join(f"say: {number}" for number in range(TURNS))
WORDS = [pair for number in range(TURNS) for pair in (("tester", str(number)), ("chatbot", f"said {number}"))]


class Soak(Driven):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(3, "--allow-private-agents", "true", "--log-keep", "1MiB")
        cls.addClassCleanup(cls.cluster.remove)
        cls.cluster.start()

    @classmethod
    def tearDownClass(cls):
        pass

    def setUp(self):
        self.http = self.cluster.leader().client(timeout_s=30)
        self.addCleanup(lambda: self.http.close())

    def settle(self):
        self.cluster.settle(20)
        self.http.close()
        self.http = self.cluster.leader().client(timeout_s=30)

    def test_faults_under_load_lose_nothing_and_double_nothing(self):
        print(f"PARLEY_SEED={SEED}", flush=True)
        receiver = Receiver().start()
        self.addCleanup(receiver.stop)
        self.create("/webhooks/", url=f"{receiver.url}/events")
        agent = webhook.WebhookAgent(lambda turn: {"message": f"said {turn['message']}"}, latency=0.3)
        agent.start()
        self.addCleanup(agent.stop)
        hosted = self.agent(type="HTTP", config=agent.config)
        demo = self.agent(type="DEMO")
        schedule = self.create("/scheduled-runs/", scenario=self.scenario()["id"], agent=demo["id"], cron="* * * * *")
        clients = [PlainWriter(self.cluster), KeyedWriter(self.cluster, "keyed"), Register(self.cluster)]
        for client in clients:
            client.start()
        nemesis, runs = Nemesis(self.cluster, SEED), []
        until = time.monotonic() + SOAK_S
        while time.monotonic() < until:
            self.settle()
            runs.append(self.launched(hosted, 2, INSTRUCTION, repetitions=10))
            time.sleep(nemesis.random.uniform(0.1, 1.5))
            nemesis.strike(ONLY)
        check_outcome(self, self.cluster, clients)
        self.settle()
        self.check_runs(runs, agent)
        self.check_schedule(schedule)
        self.check_events(receiver, runs)
        self.report(nemesis, clients, runs, agent)
        self.check_times(nemesis)
        # A run that starts between two of the readings would show up as a difference.
        self.ok(self.http.patch(f"/scheduled-runs/{schedule['id']}", {"isEnabled": False}))
        self.check_copies()

    def check_runs(self, runs, agent):
        keys = 0
        for run in runs:
            ended = self.ended(run, 60)
            self.assertEqual((ended["result"]["completed"], ended["result"]["passed"]), (20, 20), ended)
            for result in self.results_of(run):
                self.assertEqual(self.words(result), WORDS)
                self.assertEqual((result["status"], result["endReason"]), ("completed", "tester_ended"))
                self.assertEqual(len(result["assertionResults"]), 1, result)
                keys += TURNS
        self.assertEqual(len(agent.keys), keys, "a turn has one key")

    def check_schedule(self, schedule):
        fired = self.ok(self.http.get("/runs/?scheduled=true&limit=1000"))["data"]
        minutes = [run["createdAt"][:16] for run in fired if run["scheduledRun"]["id"] == schedule["id"]]
        self.assertEqual(len(minutes), len(set(minutes)), minutes)

    def check_events(self, receiver, runs):
        wanted = {run["id"] for run in runs}
        receiver.wait(lambda fake: wanted <= ended_in(fake.events()), 30)
        events = [event["data"]["run"]["id"] for event in receiver.events() if event["type"] == "run.ended"]
        self.assertEqual(len(events), len(set(events)), "an event has one id")
        self.assertLessEqual(wanted, set(events))
        self.assertEqual(receiver.changed, [])

    def report(self, nemesis, clients, runs, agent):
        plain, keyed, register = clients
        for kind, seconds in sorted(nemesis.figures.items()):
            print(f"{kind}: {len(seconds)}, median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")
        print(f"writes: {len(plain.acknowledged)} + {len(keyed.acknowledged)} with a key, refused {len(plain.refused)}, "
              f"doubtful {len(plain.doubtful)}; reads: {register.reads} current, {register.marked} marked, "
              f"{register.refused} refused; {len(runs)} runs, {sum(n > 1 for n in agent.keys.values())} turns asked again")

    def check_times(self, nemesis):
        for kind, bound_s in (("kill_leader", 5), ("pause_leader", 5), ("switch_over", 1)):
            self.assertLess(max(nemesis.figures.get(kind, [0])), bound_s, kind)

    def check_copies(self):
        states = []
        for node in self.cluster.nodes:
            client = node.client(timeout_s=30)
            states.append(whole_state.state_of_all(client))
            client.close()
        for state in states[1:]:
            self.assertEqual(state, states[0])
        for node in self.cluster.nodes:
            self.assertEqual(node.stop(), 0, node.log_tail())
            done = subprocess.run([binary(), "doctor", "--data", str(node.data)], env=os.environ | KEYS, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            wrong = re.findall(r"^\S+ (?:error|critical) (?!problem request).*$", node.log.read_text(), re.MULTILINE)
            self.assertEqual(wrong, [])


def ended_in(events):
    return {event["data"]["run"]["id"] for event in events if event["type"] == "run.ended"}


if __name__ == "__main__":
    unittest.main()
