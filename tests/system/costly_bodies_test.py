#!/usr/bin/env python3
"""Bodies whose patterns take long to check wait for that, and are looked at again when it is done (D80, F31, I69)."""
import threading
import time

from support import cases, wire

CLIENTS = 100


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

    def flood(self, key=None):
        """That many clients send one each; their answers come one by one, None for a connection that was closed."""
        answers = []

        def send(client):
            try:
                answers.append(client.post("/tests/", self.body()))
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

    def test_D80_I69_none_that_waits_is_taken_once_its_key_is_revoked(self):
        key = self.member_s_key()
        answers, clients = self.flood(key["key"])
        self.assertEqual(self.http.send("DELETE", f"/api-keys/{key['id']}").status, 204)
        taken = len(self.ok(self.http.get("/tests/?limit=1000"))["data"])
        for client in clients:
            client.join()
        self.assertEqual({answer.status for answer in answers}, {201, 401})
        self.assertLessEqual(len(self.ok(self.http.get("/tests/?limit=1000"))["data"]), taken + 4, "those under way alone")


if __name__ == "__main__":
    cases.main()
