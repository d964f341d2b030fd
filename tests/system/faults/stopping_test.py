#!/usr/bin/env python3
"""SIGTERM during slow work: every waiting client is answered (I66, D91), and no work is lost or counted as a crash of the
result (D51a)."""
import contextlib
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time

from support import cases, marks, server as servers, wire
from support.driven import Driven, verdict_of
from support.fakes import github, model, webhook

CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}


class Stopping(cases.OwnServerTest, Driven):
    @contextlib.contextmanager
    def slow_end(self):
        """Starts a server whose stop takes seconds because a call is in progress; yields (answers to the call, its thread)."""
        self.own_server()
        with webhook.WebhookAgent(latency=60) as fake:
            answers = []

            def ask():
                try:
                    answers.append(client.post(f"/agents/{agent['id']}/check"))
                except (wire.Gone, wire.Cut):
                    pass   # the server ended immediately
            client = self.server.client(timeout_s=30)
            agent = self.hosted(fake, timeoutMs=60_000)
            asking = threading.Thread(target=ask)
            asking.start()
            self.assertTrue(fake.wait(lambda now: now.in_flight == 1))
            yield answers, asking
            asking.join()
            client.close()

    def told_to_go(self, answers, asking):
        asking.join()
        [answer] = answers
        self.assertEqual((answer.status, answer.json()["type"]), (503, "/problems/draining"))
        self.assertIn("retry-after", answer.headers)

    def test_I66_a_call_that_outlasts_the_end_of_the_server_is_answered(self):
        with self.slow_end() as (answers, asking):
            begun = time.monotonic()
            self.assertEqual(self.server.stop(), 0)
            self.assertLess(time.monotonic() - begun, 10)
            self.told_to_go(answers, asking)

    def test_I66_a_signal_that_comes_twice_in_a_moment_is_one_request(self):
        with self.slow_end() as (answers, asking):
            self.server.terminate()
            self.assertEqual(self.server.stop(), 0)
            self.told_to_go(answers, asking)
        self.assertNotIn("second signal", self.server.log.read_text())

    def test_I66_a_later_second_signal_or_a_different_one_ends_it_immediately(self):
        for again, pause in ((signal.SIGTERM, 0.3), (signal.SIGINT, 0.01)):
            with self.slow_end():
                self.server.terminate()
                time.sleep(pause)
                self.server.process.send_signal(again)
                self.assertEqual(self.server.process.wait(3), 1)
            self.assertIn(f"ended by a second signal signal={int(again)}", self.server.log.read_text())

    def test_I66_timeout_ends_it_with_0(self):
        """timeout(1) sends its signal to the server, and then again to the process group of both."""
        with tempfile.TemporaryDirectory(prefix="parley-data-") as data:
            for _ in range(10):
                ended = subprocess.run(["timeout", "--preserve-status", "0.5", servers.binary(), "serve", "--data", data,
                                        "--listen", "127.0.0.1:0"],
                                       capture_output=True, text=True, check=False, timeout=20)
                self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_D51a_a_server_that_is_stopped_again_and_again_loses_no_verdict(self):
        self.fake = model.Model(lambda asked: verdict_of(asked)).start()
        self.addCleanup(self.fake.stop)
        self.own_server("--judge-url", self.fake.base_url, "--judge-model", "j")
        self.fake.latency = 30
        made = [self.result(testInstruction="say: a", assertionResults=[CRITERION]) for _ in range(3)]
        for result in made:
            self.converse(result, ["hello"])
        for times in range(1, 6):
            self.assertTrue(self.fake.wait(lambda now: len(now.requests) >= 3 * times), times)
            self.server.restart()
        self.fake.latency = 0
        self.server.restart()
        self.http.close()
        self.http = self.server.client()
        for result in made:
            self.assertEqual(self.settled(result)["assertionResults"][0]["status"], "passed")

    def test_D24_a_detection_that_is_stopped_again_and_again_continues(self):
        self.fake = model.Model(lambda asked: '{"claims": []}').start()
        self.addCleanup(self.fake.stop)
        self.own_server("--judge-url", self.fake.base_url, "--judge-model", "j")
        self.fake.latency = 30
        test = self.a_test(self.scenario(), "say: a")
        run = self.a_run(test["scenario"], type(self)._agent)
        made = self.result(type(self)._agent, run=run["id"], test=test["id"])
        self.converse(made, ["It costs 7 euros."])
        self.run_becomes(run, "completed")
        self.ok(self.http.post(f"/runs/{run['id']}/detect-hallucinations", {}), 200)
        for times in range(1, 6):
            self.assertTrue(self.fake.wait(lambda now: len(now.requests) >= times), times)
            self.server.restart()
        self.fake.latency = 0
        self.server.restart()
        self.http.close()
        self.http = self.server.client()
        self.wait_for(lambda: self.get_run(run)["hallucinationStatus"] == "completed")

    def test_D72_a_dispatch_that_a_stop_prevented_is_sent_after_the_next_start(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=30) as slow, github.GitHub() as fake:
            self.own_server("--max-calls", "1")
            self.launched(self.hosted(slow, timeoutMs=60_000))
            self.assertTrue(slow.wait(lambda now: now.in_flight == 1), "it holds the only slot")
            agent = self.agent(type="GITHUB", secrets={"token": "token"}, config={
                "owner": "o", "repo": "r", "workflow": "w.yml", "ref": "main", "apiUrl": fake.url})
            run = self.launched(agent)
            time.sleep(0.3)
            self.assertEqual(self.server.stop(), 0)
            self.assertEqual(fake.dispatches, [])
            slow.latency = 0
            for _ in range(2):
                self.server.start()
                self.assertTrue(fake.wait(lambda now: now.dispatches))
                time.sleep(0.3)
                self.assertEqual(self.server.stop(), 0)
            self.assertEqual([dispatch["inputs"]["run_id"] for dispatch in fake.dispatches], [run["id"]], "and by no later one")

    def judged(self, *options):
        """A result whose judge does not answer in time."""
        self.fake = model.Model(lambda asked: verdict_of(asked)).start()
        self.addCleanup(self.fake.stop)
        self.fake.latency = 60
        self.judge = ("--judge-url", self.fake.base_url, "--judge-model", "j")
        self.own_server(*self.judge, *options)
        made = self.result(testInstruction="say: a", assertionResults=[CRITERION])
        self.converse(made, ["hello"])
        self.assertTrue(self.fake.wait(lambda now: now.in_flight == 1))
        return made

    def begin(self, *options):
        self.server.options = [*self.judge, *options]
        self.server.start()
        self.http.close()
        self.http = self.server.client()

    def tossed(self, size):
        return "aaaaaaaaaac" + "".join(random.Random(3).choices("ab", k=size))

    def test_D91_smart_tags_do_not_hold_up_the_end(self):
        self.own_server()
        for number in range(12):
            rule = {"match": "any", "conditions": [
                {"field": "content", "op": "regex", "value": "[ab]*a[ab]{%d}c" % (990 - number)}]}
            self.ok(self.http.post("/tags/", {"name": f"t{number}", "isSmart": True, "rule": rule}), 201)
        answers = []
        client = self.server.client(timeout_s=120)
        log = {"externalId": "one", "conversation": [{"content": self.tossed(20_000)} for _ in range(100)]}
        asking = threading.Thread(target=lambda: answers.append(client.post("/external-conversation-logs/", log)))
        asking.start()
        time.sleep(1)
        begun = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begun, 8, "a minute, were they all looked at")
        asking.join()
        client.close()
        [answer] = answers
        self.assertEqual((answer.status, answer.json()["type"]), (503, "/problems/draining"))

    def test_D91_patterns_of_scripts_hold_up_neither_the_end_nor_others(self):
        self.own_server()
        hostile = "say: hi\n" + "\n".join("if /[ab]*a[ab]{%d}c/ say: x" % (900 - number) for number in range(8))
        made = [self.result(testInstruction=hostile) for _ in range(6)]
        for result in made:
            self.turn(result)
            self.entry(result, self.tossed(900_000))
        clients = [self.server.client(timeout_s=60) for _ in made]
        asking = [threading.Thread(target=client.post, args=(f"/test-results/{result['id']}/next-message",))
                  for client, result in zip(clients, made)]
        for one in asking:
            one.start()
        begun = time.monotonic()
        self.scenario()
        self.assertLess(time.monotonic() - begun, 8, "minutes, were each pattern searched for to the end")
        for one in asking:
            one.join()
        for client in clients:
            client.close()
        for result in made:
            error = self.get_result(result)["metadata"]["error"]
            self.assertEqual((error["source"], error["code"]), ("test", "too_much_work"))
        begun = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begun, 8)

    def test_D51a_a_start_that_cannot_listen_is_not_a_crash(self):
        made = self.judged()
        self.server.stop()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            place = f"127.0.0.1:{taken.getsockname()[1]}"
            for _ in range(4):
                ended = subprocess.run([servers.binary(), "serve", "--data", str(self.server.data), "--listen", place, *self.judge],
                                       capture_output=True, text=True, check=False, timeout=20)
                self.assertNotEqual(ended.returncode, 0)
                self.assertIn("cannot listen", ended.stdout + ended.stderr)
        self.fake.latency = 0
        self.begin()
        self.assertEqual(self.settled(made)["assertionResults"][0]["status"], "passed")

    def test_D51a_stops_while_a_conversation_is_driven_set_no_result_aside(self):
        with webhook.WebhookAgent(latency=60) as fake:
            self.own_server()
            run = self.launched(self.hosted(fake, timeoutMs=60_000))
            for times in range(1, 5):
                self.assertTrue(fake.wait(lambda now: len(now.requests) >= times), times)
                [made] = self.results_of(run)
                self.assertEqual(self.server.stop(), 0)
                marks.leave(self.server, made)
                self.server.start()
                self.http.close()
                self.http = self.server.client()
            self.assertEqual(self.get_result(made)["status"], "running")

    def test_I10_stops_between_crashes_do_not_reset_their_count(self):
        made = self.judged()
        for times in range(3):
            self.assertTrue(self.fake.wait(lambda now: len(now.requests) == times + 1), times)
            self.server.kill()
            marks.leave(self.server, made)
            self.begin("--scoring", "paused")
            if times < 2:
                self.assertEqual(self.get_result(made)["status"], "running")
                self.server.stop()
                self.begin()
        self.assertEqual(self.get_result(made)["metadata"]["error"]["code"], "poison")


if __name__ == "__main__":
    cases.main()
