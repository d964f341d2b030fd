"""Conversations that the server drives, and concurrent client requests (rows 30, 33, 52), over real sockets on both
sides."""
import time

from support.cases import state_of
from support.driven import GOT
from support.fakes import webhook
from support.fakes.base import Reply
from support.racing import RacingTest

CONVERSATIONS = 20


class DrivenRaces(RacingTest):
    def hosted(self, fake, **config):
        return self.agent(type="HTTP", config={**fake.config, **config})

    def test_30_the_agent_and_a_person_end_one_conversation(self):
        """The agent's answer ends a manual session while its person finishes it: one end, one claim."""
        reasons = set()
        with webhook.WebhookAgent(lambda turn: {"message": "said", "end": True}) as fake:
            agent = self.hosted(fake)
            for number in self.rounds():
                fake.latency = self.random.uniform(0, 0.004)
                made = self.result(agent, isManual=True, completionMode="auto" if number % 2 else "manual",
                                   assertionResults=[GOT])
                say = ("POST", f"/test-results/{made['id']}/conversation", {"type": "message", "role": "tester", "content": "hi"},
                       {"Prefer": "return=minimal"})
                self.ok(self.http.send(*say), 201)
                time.sleep(self.random.uniform(0, 0.006))
                finish, look = self.race(self.operation("FI", made), ("GET", f"/test-results/{made['id']}"))
                self.ok(look, 200)
                # 409: the result ended by itself and is claimed; 400: it is already scored
                self.assertIn(finish.status, (202, 409, 400) if number % 2 else (202,))
                after = self.settled(made)
                reasons.add(after["endReason"])
                self.assertIn(after["endReason"], ("agent_ended", "tester_ended"))
                said = [entry["role"] for entry in after["conversation"]]
                self.assertIn(said, (["tester", "chatbot"], ["tester"]))
                if after["endReason"] == "agent_ended":
                    self.assertEqual((said, after["score"]), (["tester", "chatbot"], 100))
                self.assertEqual(len(after["assertionResults"]), 1)
                time.sleep(0.005)
                self.assertEqual(self.get_result(made), after, "a late answer changes nothing")
        print(f"ended by: {sorted(reasons)}")

    def test_30_clients_that_end_one_conversation_together(self):
        for _ in self.rounds():
            made = self.in_state("P", testInstruction="say: a")
            self.turn(made)
            self.entry(made, "fine")
            for answer in self.race(*[self.operation("NM", made)] * 4):
                self.assertTrue(self.ok(answer, 200)["end_chat"])
            after = self.settled(made)
            self.assertEqual((state_of(after), after["endReason"], after["score"]), ("C", "tester_ended", 100))

    def test_33_a_failure_and_cancel(self):
        """Exactly one of the two wins, whether a client reports the failure or the agent fails."""
        for _ in self.rounds():
            made = self.in_state("R")
            fail, cancel = self.race(("PATCH", f"/test-results/{made['id']}", {"status": "failed"}), self.operation("CA", made))
            self.assertIn((fail.status, cancel.status), ((200, 409), (409, 200)))
            self.assertEqual(state_of(self.get_result(made)), "F" if fail.status == 200 else "X")
        with webhook.WebhookAgent([Reply("no", 500)]) as fake:
            agent = self.hosted(fake)
            for _ in self.rounds():
                fake.latency = self.random.uniform(0, 0.004)
                made = self.result(agent, testInstruction="say: one")
                cancel, = self.race(self.operation("CA", made))
                self.assertIn(cancel.status, (200, 409))
                after = self.get_result(made)
                self.assertEqual((state_of(after), after["endReason"]),
                                 ("X", "canceled") if cancel.status == 200 else ("F", "agent_error"))

    def test_52_cancel_run_and_turns_that_land(self):
        """After the answer no turn is recorded, and a reader sees either all results canceled or none."""
        landed = set()
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=lambda request: self.random.uniform(0, 0.02)) as fake:
            agent, test = self.hosted(fake), self.a_test(self.scenario_, "\n".join(f"say: {n}" for n in range(30)))
            configs = [{"test": test["id"], "repetitions": CONVERSATIONS}]
            for _ in self.rounds():
                run = self.a_run(self.scenario_, agent, "pending", testConfigs=configs)
                time.sleep(self.random.uniform(0.02, 0.12))
                listing = ("GET", f"/runs/{run['id']}/test-results?output=minimal&limit={CONVERSATIONS}")
                cancel, *looks = self.race(("POST", f"/runs/{run['id']}/cancel"), listing, listing, listing)
                self.ok(cancel, 200)
                before = self.rows(run)
                self.assertEqual({(row["status"], row["endReason"]) for row in before}, {("canceled", "canceled")})
                for look in looks:
                    canceled = sum(row["status"] == "canceled" for row in self.ok(look, 200)["data"])
                    self.assertIn(canceled, (0, CONVERSATIONS))
                landed.add(sum(len(row["conversation"]) for row in before))
                time.sleep(0.03)
                self.assertEqual(self.rows(run), before, "nothing lands after the answer")
                self.assertEqual(self.get_run(run)["result"]["canceled"], CONVERSATIONS)
        self.assertGreater(len(landed), 1, "the cancel came at different moments")

    def rows(self, run):
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results?limit={CONVERSATIONS}"))["data"]
        self.assertEqual(len(rows), CONVERSATIONS)
        return rows
