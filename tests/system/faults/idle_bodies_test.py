#!/usr/bin/env python3
"""Bodies that are announced and never sent, bodies from keys without the right, and bodies of a million values do not delay
other requests."""
import json
import statistics
import threading
import time

from support import cases, wire
from support.cases import OwnServerTest, unique

ANNOUNCED = 8 * 1024 * 1024


class IdleBodies(OwnServerTest):
    def setUp(self):
        self.own_server("--fsync", "off")
        user = self.create("/users/", name="reader", role="viewer")
        self.reader = self.create("/api-keys/", name="r", user=user["id"], scopes=["read"])["key"]

    def head(self, key, more=b""):
        return (f"POST /scenarios/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {ANNOUNCED}\r\n\r\n").encode() + more

    def announced(self, key, count, more=b""):
        wires = []
        for _ in range(count):
            one = wire.Wire(self.server.address)
            self.addCleanup(one.close)
            one.send(self.head(key, more))
            wires.append(one)
        return wires

    def a_large_write_passes(self):
        client = self.server.client()
        body = {"name": unique("s"), "description": "x" * 1000, "ignored": "y" * 200_000}
        self.assertEqual(client.post("/scenarios/", body).status, 201)
        client.close()

    def test_heads_of_a_key_without_the_right_are_answered_before_their_body(self):
        for one in self.announced(self.reader, 32):
            self.assertEqual(one.read().status, 403)
        self.a_large_write_passes()

    def test_announced_bodies_take_no_room_before_they_arrive(self):
        wires = self.announced(self.server.key, 200)
        time.sleep(0.3)
        self.a_large_write_passes()
        text = self.http.get("/metrics").body.decode()
        [held] = [line for line in text.splitlines() if line.startswith("parley_http_body_bytes ")]
        self.assertLess(int(held.split()[1]), 1024 * 1024)
        self.assertLess(self.server.memory(), 400 * 1024 * 1024)
        self.assertEqual(len(wires), 200)

    def test_one_user_cannot_take_the_room_of_the_others(self):
        member = self.create("/users/", name="m", role="member")
        key = self.create("/api-keys/", name="m", user=member["id"])["key"]
        part = b"[" + b" " * (6 * 1024 * 1024)
        wires = self.announced(key, 40, part)    # 240 MiB in total; one user may use 128 MiB
        refused = 0
        for one in wires:
            one.socket.settimeout(1)
            try:
                refused += one.read().status == 503
            except (OSError, wire.Gone, wire.Cut):
                pass
        self.assertGreater(refused, 0)
        self.assertLess(refused, 40)
        self.a_large_write_passes()

    def test_bodies_of_a_million_values_do_not_hold_up_other_requests(self):
        body = b'{"x": [' + b"1," * (ANNOUNCED // 2 - 20) + b"1]}"
        stop = threading.Event()

        def load():
            client = self.server.client(timeout_s=60)
            while not stop.is_set():
                client.post("/scenarios/", body)
            client.close()

        def latencies(seconds):
            client, found, until = self.server.client(), [], time.monotonic() + seconds
            while time.monotonic() < until:
                begun = time.monotonic()
                self.assertEqual(client.get("/folders/").status, 200)
                found.append(time.monotonic() - begun)
                time.sleep(0.002)
            client.close()
            return sorted(found)

        alone = latencies(1)
        threads = [threading.Thread(target=load) for _ in range(8)]
        for each in threads:
            each.start()
        beside = latencies(4)
        stop.set()
        for each in threads:
            each.join()
        p99 = beside[len(beside) * 99 // 100]
        print(json.dumps({"median alone ms": round(1000 * statistics.median(alone), 2),
                          "median ms": round(1000 * statistics.median(beside), 2), "p99 ms": round(1000 * p99, 1)}))
        self.assertLess(statistics.median(beside), 0.05)


if __name__ == "__main__":
    cases.main()
