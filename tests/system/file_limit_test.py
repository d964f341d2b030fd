#!/usr/bin/env python3
"""A data file that may not grow (ulimit -f, LimitFSIZE) is a full disk: writes are 503, reads go on (F10)."""
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


if __name__ == "__main__":
    cases.main()
