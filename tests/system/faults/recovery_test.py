#!/usr/bin/env python3
"""Recovery after a restart (I5-I10, I14; F1, F3, F13; D51, D91): claims are scored again, conversations of clients are unchanged,
and recovery may run any number of times."""
import contextlib
import os
import random
import subprocess
import threading
import time

from support import cases, marks, server
from support.cases import OwnServerTest, state_of
from support.driven import verdict_of
from support.fakes import model
from support.wire import Client

ASSERTION = {"type": "contains", "config": {"value": "fine"}}
CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}
MANY = int(os.environ.get("PARLEY_RESULTS", "2000"))


class Recovery(OwnServerTest):
    def setUp(self):
        self.own_server()

    def crash(self, *options):
        """kill -9 and restart; returns the seconds until the server is ready."""
        self.server.kill()
        return self.begin(*options)

    def begin(self, *options):
        self.server.options = list(options)
        ready_s = self.server.start()
        self.http.close()
        self.http = self.server.client()
        return ready_s

    def claimed(self, count=6, **body):
        """Results whose claims wait for a verdict; half of the claims were made by finish."""
        self.pause_scoring(True)
        return [self.in_state("S", manual=number % 2 == 0, **body) for number in range(count)]

    # ---- claims -----------------------------------------------------------------------------------------------

    def test_I7_claims_survive_a_crash_and_are_scored_once_with_the_same_claim(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: a", [ASSERTION])
        run = self.a_run(scenario, agent, repetitions=6)
        before = self.claimed(agent=agent, run=run["id"], test=test["id"], assertionResults=[])
        self.crash()
        for result in before:
            after = self.settled(result)
            self.assertEqual((after["status"], after["score"]), ("completed", 100))
            for field in ("scoringEnqueuedAt", "conversation", "endReason", "createdAt"):
                self.assertEqual(after[field], result[field], field)
        shown = self.run_becomes(run, "completed")["result"]
        self.assertEqual((shown["total"], shown["completed"], shown["score"]), (6, 6, 100))

    def test_D51_restarts_while_verdicts_wait_use_up_no_attempt(self):
        before = self.claimed()
        for _ in range(5):
            self.crash("--scoring", "paused")
            for result in before:
                self.assertEqual(state_of(self.get_result(result)), "S")
        self.assertEqual(self.server.stop(), 0)
        self.begin("--scoring", "paused")
        self.pause_scoring(False)
        for result in before:
            after = self.settled(result)
            self.assertEqual((after["status"], after["scoringEnqueuedAt"]),
                             ("completed", result["scoringEnqueuedAt"]))

    def judged(self, count):
        """(results whose judge takes long to answer, the options of the server that name the judge)."""
        self.fake = model.Model(lambda asked: verdict_of(asked)).start()
        self.addCleanup(self.fake.stop)
        self.fake.latency = 60
        judge = ("--judge-url", self.fake.base_url, "--judge-model", "j")
        self.begin_anew(*judge)
        made = [self.result(testInstruction="say: a", assertionResults=[CRITERION]) for _ in range(count)]
        for result in made:
            self.converse(result, ["hello"])
        return made, judge

    def begin_anew(self, *options):
        self.server.stop()
        self.begin(*options)

    def test_F23_kills_while_the_judge_thinks_set_no_result_aside(self):
        made, judge = self.judged(20)
        for times in range(1, 5):
            self.assertTrue(self.fake.wait(lambda now: len(now.requests) >= 20 * times), times)
            self.crash(*judge)
        self.fake.latency = 0
        self.crash(*judge)
        for result in made:
            after = self.settled(result)
            self.assertEqual((after["status"], after["score"]), ("completed", 100))

    def test_F23_a_result_that_is_being_scored_at_three_crashes_is_set_aside_and_the_others_finish(self):
        made, judge = self.judged(3)
        costly = [{"type": "regex", "config": {"pattern": "[ab]*a[ab]{%d}c" % (900 - number)}} for number in range(8)]
        poison = self.result(testInstruction="say: a", assertionResults=costly)
        self.converse(poison, ["aaaaaaaaaac" + "".join(random.Random(3).choices("ab", k=400_000))])
        for _ in range(3):
            until = time.monotonic() + 15
            while poison["id"] not in marks.at_work(self.server):
                self.assertLess(time.monotonic(), until, "it is never scored")
                time.sleep(0.002)
            time.sleep(0.05)  # so that the crash comes during scoring and not before it
            self.crash(*judge)
        after = self.get_result(poison)
        self.assertEqual((after["status"], after["endReason"]), ("failed", "tester_ended"))
        self.assertEqual([after["metadata"]["error"][key] for key in ("source", "code")], ["infrastructure", "poison"])
        self.fake.latency = 0
        self.crash(*judge)
        for result in made:
            self.assertEqual(self.settled(result)["status"], "completed")

    def test_F23_a_run_ends_though_a_claimed_conversation_is_damaged(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: a", [ASSERTION])
        run = self.a_run(scenario, agent, repetitions=2)
        self.pause_scoring(True)
        lost, good = (self.result(agent, run=run["id"], test=test["id"]) for _ in range(2))
        self.converse(lost, ["LOST-" + "x" * 3000])
        self.converse(good)
        self.http.close()
        self.assertEqual(self.server.stop(), 0)
        file = self.server.data / "data.mdb"
        content = file.read_bytes()
        self.assertIn(b"LOST-x", content)
        file.write_bytes(content.replace(b"LOST-x", b"LOST-y"))
        self.begin()
        shown = self.run_becomes(run, "completed", timeout_s=30)["result"]
        self.assertEqual((shown["total"], shown["completed"], shown["failed"]), (2, 1, 1))
        self.assertEqual(self.get_result(good)["status"], "completed")
        self.assertEqual(self.server.told().count("scoring failed result=" + lost["id"]), 3)

    def test_an_interrupted_detection_continues(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "end")
        run = self.a_run(scenario, agent, repetitions=200)
        made = [self.result(agent, run=run["id"], test=test["id"]) for _ in range(200)]
        for number, result in enumerate(made):
            self.entry(result, f"It costs {number} euros.")
            self.assertTrue(self.turn(result)["end_chat"])
        self.run_becomes(run, "completed")
        path = f"/runs/{run['id']}/detect-hallucinations"
        self.assertEqual(self.ok(self.http.post(path, {}), 200)["hallucinationStatus"], "pending")
        for pause in (0, 0.01, 0.03, 0.1):
            time.sleep(pause)
            self.crash()
            self.assertIn(self.get_run(run)["hallucinationStatus"], ("pending", "running", "completed"))
        self.seen_completed(run)
        shown = [self.get_result(result) for result in made]
        self.assertEqual([[row["text"] for row in result["claims"]] for result in shown],
                         [[f"{number} euros"] for number in range(200)])
        self.crash()
        self.assertEqual(self.ok(self.http.post(path, {}), 200)["hallucinationStatus"], "pending")
        self.seen_completed(run)
        self.assertEqual([self.get_result(result)["updatedAt"] for result in made], [row["updatedAt"] for row in shown])

    def seen_completed(self, run, timeout_s=15):
        until = time.monotonic() + timeout_s
        while self.get_run(run)["hallucinationStatus"] != "completed" and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(self.get_run(run)["hallucinationStatus"], "completed")

    def test_F3_repeated_kills_during_the_start_lead_to_the_same_state(self):
        before = self.claimed(12)
        still = {letter: self.in_state(letter) for letter in "PRWFX"}
        self.server.kill()
        for _ in range(15):
            self.start_and_kill(random.uniform(0, 0.03))
        self.begin()
        for result in before:
            after = self.settled(result)
            self.assertIn(after["status"], ("completed", "failed"))
            self.assertEqual(after["scoringEnqueuedAt"], result["scoringEnqueuedAt"])
        for letter, result in still.items():
            self.assertEqual(self.get_result(result), result, letter)

    def start_and_kill(self, after_s):
        """Starts the server and kills it after some time, ready or not."""
        environment = {**os.environ, "PARLEY_BOOTSTRAP_KEY": self.server.key}
        process = subprocess.Popen([server.binary(), "serve", "--data", str(self.server.data), "--listen",
                                    f"127.0.0.1:{server.free_port()}"], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(after_s)
        process.kill()
        process.wait()

    def test_I27_a_result_canceled_with_a_claim_gets_no_verdict_after_a_restart(self):
        result = self.claimed(1)[0]
        canceled = self.ok(self.patch_result(result, status="canceled"), 200)
        self.crash()
        self.in_state("C")  # a later claim was scored
        self.assertEqual(self.get_result(result), canceled)

    # ---- conversations of clients -----------------------------------------------------------------------------

    def test_I9_client_driven_results_are_untouched(self):
        before = {letter: self.in_state(letter) for letter in "PRWCFX"}
        for _ in range(2):
            self.crash()
            for letter, result in before.items():
                self.assertEqual(self.get_result(result), result, letter)
        self.assertEqual(self.server.stop(), 0)
        self.begin()
        for letter, result in before.items():
            self.assertEqual(self.get_result(result), result, letter)
        self.ok(self.finish(before["W"]), 202)
        self.assertEqual(self.settled(before["W"])["status"], "completed")

    def test_I8_no_turn_is_lost_repeated_or_skipped(self):
        result = self.result(testInstruction="if /x/ say: rule\nsay: a\nsay: b\nsay: c", assertionResults=[ASSERTION])
        for expected, reply in (("a", "x"), ("rule", "x"), ("b", "fine"), ("c", "fine")):
            turn = self.turn(result)
            self.assertEqual(turn["message"], expected)
            self.crash()
            self.assertEqual(self.turn(result), turn)
            self.entry(result, reply)
            self.crash()
        self.assertTrue(self.turn(result)["end_chat"])
        after = self.settled(result)
        self.assertEqual(([entry["content"] for entry in after["conversation"]], after["score"]),
                         (["a", "x", "rule", "x", "b", "fine", "c", "fine"], 100))

    def test_the_registered_actions_of_a_turn_survive(self):
        form = {"type": "public-event", "name": "form", "metadata": {"actions": [
            {"name": "press", "description": "d", "properties": {"n": {"type": "integer"}}, "required": ["n"]}]}}
        for number, status in (("1", "running"), ('"1"', "failed")):
            result = self.result(testInstruction=f'say: a\ninvoke: press {{"n": {number}}}')
            self.turn(result)
            self.ok(self.post_entry(result, **form), 201)
            self.crash()
            self.problem(self.post_entry(result, **form), 400)
            turn = self.turn(result)
            self.assertEqual((turn["action"] is not None, self.get_result(result)["status"]),
                             (status == "running", status))

    def test_inserts_keep_their_places(self):
        result = self.result(testInstruction="say: a")
        anchor = self.entry(result, "anchor")["id"]
        self.entry(result, "last")
        for number in range(3):
            self.entry(result, f"after {number}", after=anchor)
        before = self.get_result(result)
        self.crash()
        self.assertEqual(self.get_result(result), before)
        self.entry(result, "before", before=anchor)
        self.assertEqual([entry["content"] for entry in self.get_result(result)["conversation"]],
                         ["before", "anchor", "after 2", "after 1", "after 0", "last"])

    # ---- lineages and runs ------------------------------------------------------------------------------------

    def test_retries_and_cancels_are_remembered(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: a", [ASSERTION])
        made = {}
        for word in ("retried", "by hand", "by patch"):
            run = self.a_run(scenario, agent, repetitions=2)
            made[word] = run, self.in_state("C", agent=agent, run=run["id"], test=test["id"], assertionResults=[])
        clone = self.ok(self.retry(made["retried"][1]), 201)
        self.ok(self.cancel_run(made["by hand"][0]), 200)
        self.ok(self.patch_run(made["by patch"][0], status="canceled"), 200)
        self.crash()
        self.problem(self.retry(made["retried"][1]), 400)
        self.problem(self.retry(made["by hand"][1]), 400)
        self.ok(self.retry(made["by patch"][1]), 201)
        self.assertEqual(self.get_result(made["retried"][1])["retiredBy"], clone["id"])
        self.converse(clone)
        self.assertEqual(self.settled(clone)["status"], "completed")

    def test_D40_a_run_whose_first_turn_failed_has_begun_even_after_a_crash(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "invoke: unknown")
        for _ in range(10):
            run = self.a_run(scenario, agent, "new", repetitions=2)
            self.assertTrue(self.turn(self.result(agent, run=run["id"], test=test["id"]))["end_chat"])
            self.assertEqual(self.get_run(run)["status"], "running")
        self.turn(self.result(agent, run=(last := self.a_run(scenario, agent, "new", repetitions=2))["id"], test=test["id"]))
        self.crash()
        self.assertEqual(self.get_run(last)["status"], "running")

    def test_D44_the_expected_cases_of_a_run_survive(self):
        scenario, agent = self.scenario(), self.agent()
        tests = [self.a_test(scenario, "say: a") for _ in range(2)]
        run = self.a_run(scenario, agent)
        for number, test in enumerate(tests):
            result = self.result(agent, run=run["id"], test=test["id"])
            self.converse(result)
            self.settled(result)
            self.crash()
            self.run_becomes(run, "completed" if number else "running")

    # ---- the process ------------------------------------------------------------------------------------------

    def test_F13_a_second_server_on_the_same_data_refuses_and_harms_nothing(self):
        second = subprocess.run([server.binary(), "serve", "--data", str(self.server.data), "--listen",
                                 f"127.0.0.1:{server.free_port()}"], capture_output=True, text=True, timeout=10,
                                check=False)
        self.assertNotEqual(second.returncode, 0)
        self.assertIn(str(self.server.data), second.stdout + second.stderr)
        self.ok(self.http.get("/readyz"), 200)
        self.scenario()

    def test_D82_D90_a_switch_alone_means_true_and_the_environment_names_a_file(self):
        def is_public():
            client = Client(self.server.address)
            answer = client.get("/metrics")
            client.close()
            return answer.status == 200
        self.assertFalse(is_public())
        self.begin_again("--metrics-public", "--max-turns", "5")
        self.assertTrue(is_public())
        file = self.server.folder / "parley.yaml"
        file.write_text("metrics-public: true\n")
        self.server.environment = {"PARLEY_CONFIG": str(file)}
        self.begin_again()
        self.assertTrue(is_public())

    def begin_again(self, *options):
        self.server.stop()
        self.begin(*options)

    def test_D90_a_name_to_listen_on_is_looked_up(self):
        port = server.free_port()
        command = [server.binary(), "serve", "--data", str(self.server.folder / "named"), "--listen"]
        refused = subprocess.run([*command, f"name.invalid:{port}"], capture_output=True, text=True, timeout=30, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("name.invalid", refused.stdout + refused.stderr)
        named = subprocess.Popen([*command, f"localhost:{port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            line = next(line for line in named.stdout if "listening " in line)
            self.assertIn(f"127.0.0.1:{port}", line)
            with contextlib.closing(Client(("127.0.0.1", port))) as client:
                self.ok(client.get("/healthz"), 200)
        finally:
            named.terminate()
            rest = named.communicate(timeout=15)[0]
        self.assertNotIn("beyond loopback", rest)
        self.assertEqual(named.returncode, 0)

    def test_D91_the_server_is_ready_soon_with_many_results(self):
        agent = self.any_agent()["id"]

        def make(count):
            client = self.server.client()
            for _ in range(count):
                client.post("/test-results/", {"agent": agent, "testInstruction": "say: a"})
            client.close()
        threads = [threading.Thread(target=make, args=(MANY // 8,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(self.crash(), 1)
        total = self.ok(self.http.get(f"/test-results/?agent={agent}&limit=1&output=minimal"))["total"]
        self.assertEqual(total, MANY // 8 * 8)

    def test_D81_the_key_of_the_first_start_stays(self):
        self.server.key = "parley_otherkey_" + "o" * 43
        self.server.stop()
        self.begin()
        first = self.server.client(key=server.KEY)
        self.ok(first.get("/runs/"), 200)
        first.close()


if __name__ == "__main__":
    cases.main()
