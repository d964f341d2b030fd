#!/usr/bin/env python3
"""Two admins who remove each other concurrently (D80): in either order, one of them keeps access."""
import threading

from support import cases


class LastAdmin(cases.OwnServerTest):
    def setUp(self):
        self.own_server("--fsync", "off")
        first = self.ok(self.http.get("/api-keys/?limit=1"))["data"][0]
        second = self.create("/users/", name="second", role="admin")
        key = self.create("/api-keys/", user=second["id"])
        # for each admin: user, key and two connections
        self.admins = [(first["user"]["id"], first["id"], self.clients()),
                       (second["id"], key["id"], self.clients(key["key"]))]

    def clients(self, key=None):
        made = [self.server.client(key=key) for _ in range(2)]
        for client in made:
            self.addCleanup(client.close)
        return made

    def at_once(self, *requests):
        """The statuses of requests, each (client, method, path, body), that are sent concurrently."""
        told = [0] * len(requests)
        barrier = threading.Barrier(len(requests))

        def send(number, client, *request):
            barrier.wait()
            told[number] = client.send(*request).status
        threads = [threading.Thread(target=send, args=(number, *each)) for number, each in enumerate(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        return told

    def test_D80_two_admins_who_remove_each_other_do_not_both_succeed(self):
        (one, _, ours), (other, _, theirs) = self.admins
        changes = ({"isDisabled": True}, {"isArchived": True}, {"role": "member"})
        back = {"isDisabled": False, "isArchived": False, "role": "admin"}
        for number in range(30):
            change = changes[number % 3]
            told = self.at_once((ours[0], "PATCH", f"/users/{other}", change), (theirs[0], "PATCH", f"/users/{one}", change))
            # the second request is refused: 409, or 401 or 403 because its sender is no longer an admin
            self.assertEqual(sorted(told)[0], 200, told)
            self.assertIn(sorted(told)[1], (401, 403, 409), told)
            winner, loser = (ours[1], other) if told[0] == 200 else (theirs[1], one)
            self.assertEqual(self.ok(winner.get("/users/"))["total"], 1 if "isArchived" in change else 2)
            self.ok(winner.send("PATCH", f"/users/{loser}", back))

    def test_D80_a_key_and_the_other_admin_are_not_both_removed(self):
        (_, mine, ours), (other, _, theirs) = self.admins
        told = self.at_once((ours[0], "PATCH", f"/users/{other}", {"isDisabled": True}),
                            (theirs[0], "DELETE", f"/api-keys/{mine}", None))
        self.assertEqual(len([status for status in told if status < 300]), 1, told)
        left = ours[1] if told[0] == 200 else theirs[1]
        self.ok(left.get("/users/"))


if __name__ == "__main__":
    cases.main()
