#!/usr/bin/env python3
"""Bodies with expensive regex validation wait in a separate queue: for their user, for each other and for a stop
(D80, D91, F31, I65, I66, I69)."""
import json
import threading
import time

from support import cases, wire

CLIENTS = 100
LARGE = 8 * 1024 * 1024   # the maximum size of a body


class CostlyBodies(cases.OwnServerTest):
    def setUp(self):
        self.own_server()
        self.scenario_id = self.scenario()["id"]

    def body(self):
        rules = [{"type": "regex", "config": {"pattern": r"\pL{%d}x%d" % (3 + number % 2, number)}} for number in range(90)]
        return {"scenario": self.scenario_id, "name": "costly", "instruction": "say: x", "assertions": rules}

    def member_s_key(self):
        user = self.create("/users/", name="u", role="member")
        return self.create("/api-keys/", name="k", user=user["id"], scopes=["read", "write"])

    def body_spelt_by_numbers(self):
        """A body in which escapes hide the words that announce patterns, and whose patterns have no classes or counts."""
        rules = [{"type": "regex", "config": {"pattern": "." * 1900 + str(number)}} for number in range(20)]
        text = json.dumps({**self.body(), "assertions": rules})
        return text.replace('"regex"', '"r\\u0065gex"').replace('"pattern"', '"p\\u0061ttern"').encode()

    def flood(self, key=None, body=None):
        """CLIENTS clients send one body each; returns (list that receives the answers, threads). None: closed connection."""
        answers = []
        body = body or self.body()

        def send(client):
            try:
                answers.append(client.post("/tests/", body))
            except (wire.Gone, wire.Cut, OSError):
                answers.append(None)
            client.close()
        clients = [threading.Thread(target=send, args=(self.server.client(60, key),)) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        self.addCleanup(lambda: [client.join() for client in clients])
        time.sleep(0.5)
        self.assertLess(len(answers), CLIENTS / 2, "they are costly")
        return answers, clients

    def test_D80_I69_no_waiting_body_is_accepted_once_its_key_is_revoked(self):
        key = self.member_s_key()
        answers, clients = self.flood(key["key"])
        self.assertEqual(self.http.send("DELETE", f"/api-keys/{key['id']}").status, 204)
        taken = len(self.ok(self.http.get("/tests/?limit=1000"))["data"])
        for client in clients:
            client.join()
        self.assertEqual({answer.status for answer in answers}, {201, 401})
        self.assertLessEqual(len(self.ok(self.http.get("/tests/?limit=1000"))["data"]), taken + 4, "those under way alone")

    def test_I65_a_body_of_another_user_does_not_wait_for_all_of_them(self):
        answers, _ = self.flood(self.member_s_key()["key"])
        before = len(answers)
        self.ok(self.http.post("/tests/", self.body()), 201)
        self.assertLess(len(answers) - before, CLIENTS / 10)

    def nobody_else_waits_for(self, body):
        answers, clients = self.flood(body=body)
        before = len(answers)
        for _ in range(50):
            self.ok(self.http.get(f"/scenarios/{self.scenario_id}"))
        self.assertLess(len(answers) - before, CLIENTS / 4)
        for client in clients:
            client.join()
        self.assertEqual({answer.status for answer in answers}, {201})

    def test_I65_no_other_client_waits_for_them(self):
        self.nobody_else_waits_for(self.body())

    def test_I65_no_other_client_waits_for_bodies_with_escaped_keywords(self):
        self.nobody_else_waits_for(self.body_spelt_by_numbers())

    def post_again_and_again(self, key, has_ended, statuses):
        body = json.dumps(self.body()).encode().ljust(LARGE)
        client = self.server.client(60, key)
        while not has_ended.is_set():
            statuses.append(client.post("/tests/", body).status)
            time.sleep(0.05)
        client.close()

    def test_I65_one_user_with_several_keys_does_not_fill_the_queue_for_others(self):
        greedy = self.member_s_key()["key"]
        member = self.server.client(60, greedy)
        keys = [greedy] + [self.ok(member.post("/api-keys/", {"name": "more"}), 201)["key"] for _ in range(2)]
        member.close()
        has_ended, statuses = threading.Event(), []
        clients = [threading.Thread(target=self.post_again_and_again, args=(key, has_ended, statuses))
                   for key in keys for _ in range(8)]
        for client in clients:
            client.start()
        other = self.server.client(60, self.member_s_key()["key"])
        try:
            deadline = time.monotonic() + 30
            while 503 not in statuses and time.monotonic() < deadline:
                time.sleep(0.01)
            told = [other.post("/tests/", self.body()).status for _ in range(5)]
        finally:
            has_ended.set()
            for client in clients:
                client.join()
            other.close()
        self.assertEqual(told, [201] * 5)
        self.assertEqual(set(statuses), {201, 503})

    def test_I66_a_stop_answers_them_in_time(self):
        answers, clients = self.flood()
        begun = time.monotonic()
        self.assertEqual(self.server.stop(30), 0)
        self.assertLess(time.monotonic() - begun, 10)
        for client in clients:
            client.join()
        self.assertEqual(len(answers), CLIENTS)
        self.assertTrue(all(answers), "a connection was closed without an answer")
        told = [answer for answer in answers if answer.status != 201]
        self.assertGreater(len(told), 0)
        for answer in told:
            self.assertEqual((answer.status, answer.json()["type"]), (503, "/problems/draining"))
            self.assertIn("retry-after", answer.headers)


if __name__ == "__main__":
    cases.main()
