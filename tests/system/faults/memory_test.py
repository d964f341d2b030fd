#!/usr/bin/env python3
"""Limits of the memory that clients can occupy: bodies in transit, answers that no client reads (I63, I69, F27)."""
import socket
import time

from support import cases
from support.cases import SystemTest, unique
from support.wire import Cut, Gone, Wire

MIB = 1024 * 1024
BODY = 8 * MIB
PIECE = b" " * 65536
ROOM = 256 * MIB    # for all large bodies together


class Memory(SystemTest):
    def tearDown(self):
        self.assertTrue(self.server.is_alive(), "the server died")
        self.ok(self.http.get("/healthz"), 200)

    def wire(self):
        made = Wire(self.server.address, 10)
        self.addCleanup(made.close)
        return made

    def head(self, key=None, more=""):
        said = f"Authorization: Bearer {key}\r\n" if key else ""
        return (f"POST /folders/ HTTP/1.1\r\nHost: x\r\n{said}{more}Content-Type: application/json\r\n"
                f"Content-Length: {BODY}\r\n\r\n").encode()

    # ---- bodies -----------------------------------------------------------------------------------------------

    def test_I69_the_body_of_a_client_without_a_key_is_not_kept(self):
        before = self.server.memory()
        wires = [self.wire() for _ in range(40)]
        for wire in wires:
            wire.send(self.head(key="parley_unknown_" + "x" * 43))
            wire.send(PIECE * (BODY // len(PIECE) - 1))
        for wire in wires:
            answer = wire.read()
            self.assertEqual((answer.status, answer.headers["www-authenticate"], answer.closes), (401, "Bearer", True))
        self.assertLess(self.server.memory() - before, 128 * MIB)

    def test_I69_a_client_without_a_key_is_not_asked_for_its_body(self):
        wire = self.wire()
        wire.socket.sendall(self.head(more="Expect: 100-continue\r\n"))
        wire.socket.settimeout(10)
        self.assertTrue(wire.socket.recv(65536).startswith(b"HTTP/1.1 401 "))

    def test_the_connection_continues_after_a_small_body_without_a_key(self):
        wire = self.wire()
        wire.send(b"POST /folders/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n{")
        time.sleep(0.05)
        wire.send(b"  }GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(wire.read().status, 401)
        self.assertEqual(wire.read().status, 200)

    def test_I63_large_bodies_of_a_user_have_bounded_room_and_small_ones_are_still_read(self):
        wires = [self.wire() for _ in range(ROOM // 2 // BODY + 6)]
        for wire in wires:
            wire.send(self.head(self.server.key))
            wire.send(PIECE * (BODY // len(PIECE) - 1))
        refused = []
        for wire in wires:
            wire.socket.settimeout(0.2)
            try:
                refused.append(wire.read())
            except (OSError, Gone, Cut):
                continue
        self.assertGreater(len(refused), 0)
        self.assertLess(len(refused), len(wires))
        for answer in refused:
            self.assertEqual((answer.status, answer.closes), (503, True))
            self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
            self.assertEqual(answer.json()["type"], "/problems/busy")
        self.ok(self.http.post("/folders/", {"name": unique("small")}), 201)
        for wire in wires:
            wire.close()
        until = time.monotonic() + 10
        whole = self.head(self.server.key) + b'{"name": "large"}' + b" " * (BODY - 17)
        while True:
            wire = self.wire()
            wire.send(whole)
            answer = wire.read()
            if answer.status == 201:
                break
            self.assertEqual(answer.status, 503)
            self.assertLess(time.monotonic(), until, "the room did not come back")

    # ---- answers ----------------------------------------------------------------------------------------------

    def test_F27_clients_that_do_not_read_hold_bounded_memory_and_the_others_are_served(self):
        client = self.server.client()
        for number in range(4):
            body = {"externalId": unique(f"large {number}"), "conversation": [{"content": "x" * 990_000}] * 7}
            self.ok(client.post("/external-conversation-logs/", body), 201)
        page = client.encoded("GET", "/external-conversation-logs/?limit=4")
        before, deaf = self.server.memory(), []
        for _ in range(40):
            made = socket.socket()
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            made.connect(self.server.address)
            made.sendall(page)
            deaf.append(made)
            self.addCleanup(made.close)
        until = time.monotonic() + 60
        while True:
            self.ok(client.post("/folders/", {"name": unique("beside")}), 201)
            answer = client.get("/external-conversation-logs/?limit=4")
            if answer.status == 503:
                break
            self.ok(answer, 200)
            self.assertLess(time.monotonic(), until, "nobody was refused")
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        self.assertEqual(answer.json()["type"], "/problems/busy")
        self.assertEqual(len(self.ok(client.get("/external-conversation-logs/?limit=4&output=minimal"))["data"]), 4)
        self.assertLess(self.server.memory() - before, 1024 * MIB)
        for made in deaf:
            made.close()
        while True:
            answer = client.get("/external-conversation-logs/?limit=4")
            if answer.status == 200:
                break
            self.assertEqual(answer.status, 503)
            self.assertLess(time.monotonic(), until, "the room did not come back")
        self.assertEqual(len(answer.json()["data"]), 4)
        client.close()


if __name__ == "__main__":
    cases.main()
