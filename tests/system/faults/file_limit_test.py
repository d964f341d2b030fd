#!/usr/bin/env python3
"""A data file that may not grow (ulimit -f, LimitFSIZE) acts like a full disk: writes are answered 503, reads continue (F10)."""
import resource

from support import cases, server as servers

MIB = 1 << 20


class Limited(cases.OwnServerTest):
    def test_F10_the_server_lives_with_a_limit_of_file_sizes(self):
        for reserve in ("1MiB", "0"):
            with self.subTest(reserve=reserve):
                self.server = servers.Server("--disk-free-min", reserve)
                self.addCleanup(self.server.remove)
                self.server.preparation = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4 * MIB, 4 * MIB))
                self.server.start()
                http = self.server.client()
                made, refused = [], 0
                for number in range(2_000):
                    answer = http.post("/scenarios/", {"name": f"s{number}", "description": "x" * 20_000})
                    if answer.status == 201:
                        made.append(answer.json()["id"])
                        continue
                    self.problem(answer, 503)
                    self.assertIn("retry-after", answer.headers)
                    refused += 1
                    if refused == 20:
                        break
                self.assertEqual(refused, 20)
                self.assertGreater(len(made), 20)
                for each in made:
                    self.ok(http.get(f"/scenarios/{each}"), 200)
                http.close()
                self.assertEqual(self.server.stop(), 0)
                self.server.preparation = None
                self.server.start()
                http = self.server.client()
                self.ok(http.get(f"/scenarios/{made[-1]}"), 200)
                self.ok(http.post("/scenarios/", {"name": "more"}), 201)
                http.close()
                self.assertEqual(self.server.stop(), 0)

    def test_F10_a_full_map_says_what_to_do_and_that_helps(self):
        self.own_server("--map-size", "2MiB", "--fsync", "off")
        made = []
        while True:
            answer = self.http.post("/external-conversation-logs/", {
                "externalId": str(len(made)), "conversation": [{"content": "y" * 20_000}]})
            if answer.status != 201:
                break
            made.append(answer.json()["id"])
        detail = self.problem(answer, 503)["detail"]
        for words in ("--map-size", "DELETE", "--retention"):
            self.assertIn(words, detail)
        self.ok(self.http.get(f"/external-conversation-logs/{made[0]}"))
        for each in made[:3]:
            self.assertEqual(self.http.send("DELETE", f"/external-conversation-logs/{each}").status, 204)
        self.ok(self.http.post("/folders/", {"name": "in the pages that came free"}), 201)
        self.assertEqual(self.server.stop(), 0)
        self.server.options = ["--map-size", "8MiB", "--fsync", "off"]
        self.server.start()
        client = self.server.client()
        for number in range(20):
            self.ok(client.post("/external-conversation-logs/", {
                "externalId": f"more {number}", "conversation": [{"content": "y" * 20_000}]}), 201)
        client.close()


if __name__ == "__main__":
    cases.main()
