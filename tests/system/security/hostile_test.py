#!/usr/bin/env python3
"""Mistakes of clients, on purpose or not, never cause a crash, a hang or a 5xx, and never affect other clients (F25-F37)."""
import json
import os
import random
import socket
import threading
import time

from support import cases
from support.cases import SystemTest, unique
from support.wire import Client, Wire

REFUSALS = {400, 408, 411, 413, 414, 417, 426, 431, 501, 505}
HOST = b"Host: x\r\n"
# F29, F30: each is one request head (and body) that must be refused, with the connection closed.
FRAMING = {
    "no Host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /healthz HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    "space before the colon": b"GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
    "line without colon": b"GET /healthz HTTP/1.1\r\n" + HOST + b"nonsense\r\n\r\n",
    "empty name": b"GET /healthz HTTP/1.1\r\n" + HOST + b": x\r\n\r\n",
    "folded line": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: b\r\n c\r\n\r\n",
    "leading space": b"GET /healthz HTTP/1.1\r\n " + HOST + b"\r\n",
    "bare CR in a value": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: b\rc\r\n\r\n",
    "bare LF ends a line": b"GET /healthz HTTP/1.1\n" + HOST + b"\r\n",
    "NUL in a value": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: b\0c\r\n\r\n",
    "NUL in the target": b"GET /health\0z HTTP/1.1\r\n" + HOST + b"\r\n",
    "control character in a name": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A\x01: b\r\n\r\n",
    "two spaces": b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "no version": b"GET /healthz\r\n" + HOST + b"\r\n",
    "HTTP/9.9": b"GET /healthz HTTP/9.9\r\n" + HOST + b"\r\n",
    "HTTP/2.0": b"GET /healthz HTTP/2.0\r\n" + HOST + b"\r\n",
    "lower-case version": b"GET /healthz http/1.1\r\n" + HOST + b"\r\n",
    "garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "method with a bracket": b"G[T /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "CONNECT": b"CONNECT x:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "long target": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "long header line": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: " + b"a" * 20000 + b"\r\n\r\n",
    "many headers": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 200 + b"\r\n",
    "endless header": b"GET /healthz HTTP/1.1\r\n" + HOST + b"A: " + b"a" * 300000,
    "negative length": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "plus length": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: +5\r\n\r\nhello",
    "length with junk": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 5x\r\n\r\nhello",
    "hexadecimal length": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 0x5\r\n\r\nhello",
    "empty length": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: \r\n\r\n",
    "huge length": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "length over the limit": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 9000000\r\n\r\n",
    "two lengths": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "a list of lengths": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 5, 6\r\n\r\nhello",
    "length and chunks": b"POST /scenarios/ HTTP/1.1\r\n" + HOST
                         + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "unknown coding": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n\r\n",
    "chunked not last": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "chunked twice": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "xchunked": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked in HTTP/1.0": b"POST /scenarios/ HTTP/1.0\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "bad chunk size": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "negative chunk size": b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
    "overflowing chunk size": b"POST /scenarios/ HTTP/1.1\r\n" + HOST
                              + b"Transfer-Encoding: chunked\r\n\r\n10000000000000001\r\n",
    "chunk without CRLF": b"POST /scenarios/ HTTP/1.1\r\n" + HOST
                          + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
    "chunk size ends in LF": b"POST /scenarios/ HTTP/1.1\r\n" + HOST
                             + b"Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
    "endless chunk extension": b"POST /scenarios/ HTTP/1.1\r\n" + HOST
                               + b"Transfer-Encoding: chunked\r\n\r\n2;" + b"a" * 100000,
}


class Hostile(SystemTest):
    def tearDown(self):
        self.assertTrue(self.server.is_alive(), "the server died")
        self.ok(self.http.get("/healthz"), 200)

    def wire(self, timeout_s=15):
        made = Wire(self.server.address, timeout_s)
        self.addCleanup(made.close)
        return made

    # ---- framing ----------------------------------------------------------------------------------------------

    def test_F29_each_framing_fault_is_refused_and_the_connection_closed(self):
        for name, data in FRAMING.items():
            with self.subTest(name=name):
                wire = self.wire()
                wire.send(data)
                answer = wire.read()
                self.assertIn(answer.status, REFUSALS, answer)
                self.assertTrue(wire.is_closed(), answer)

    def test_F29_cutting_the_bytes_anywhere_changes_nothing(self):
        for name in ("two Hosts", "length and chunks", "chunk without CRLF", "bare CR in a value", "two lengths"):
            data = FRAMING[name]
            for place in range(1, len(data), 3):
                wire = Wire(self.server.address, 15)
                wire.send(data[:place])
                time.sleep(0.0005)
                wire.send(data[place:])
                self.assertIn(wire.read().status, REFUSALS, (name, place))
                self.assertTrue(wire.is_closed(), (name, place))
                wire.close()

    def test_F30_nothing_is_executed_from_a_body_or_after_a_refusal(self):
        marker = unique("smuggled").replace(" ", "-")
        inner = Client(self.server.address, self.server.key).encoded("POST", "/scenarios/", {"name": marker})
        key = f"Authorization: Bearer {self.server.key}\r\n".encode()
        for fields in (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"Content-Length: 0\r\nContent-Length: 9\r\n",
                       b"Transfer-Encoding: xchunked\r\n", b"Content-Length: 9000000\r\n", b"Content-Length : 0\r\n",
                       b"Transfer-Encoding : chunked\r\n", b"Content-Length: %d\r\n" % len(inner)):
            wire = self.wire()
            wire.send(b"POST /no/such/path HTTP/1.1\r\n" + HOST + key + fields + b"\r\n" + inner)
            wire.read()
        wire = self.wire()
        wire.send(b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Type: text/plain\r\n"
                  + b"Content-Length: %d\r\n\r\n" % len(inner) + inner)
        self.assertEqual(wire.read().status, 401)
        rows = self.ok(self.http.get(f"/scenarios/?name={marker}"))
        self.assertEqual(rows["total"], 0)

    def test_F28_a_body_over_the_limit_is_refused_before_it_is_sent(self):
        wire = self.wire()
        wire.send(b"POST /scenarios/ HTTP/1.1\r\n" + HOST + f"Authorization: Bearer {self.server.key}\r\n".encode()
                  + b"Content-Type: application/json\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
        self.assertIn(wire.read().status, (413, 417))
        self.assertTrue(wire.is_closed())

    def test_chunked_bodies_are_read(self):
        wire = self.wire()
        wire.send(b"POST /scenarios/ HTTP/1.1\r\n" + HOST + f"Authorization: Bearer {self.server.key}\r\n".encode()
                  + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                  + b"4;a=b\r\n{\"na\r\n7\r\nme\":\"x\"\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n")
        self.assertEqual(wire.read().status, 201)

    def test_a_connection_that_asks_to_be_closed_is_closed(self):
        for head in (b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
                     b"GET /healthz HTTP/1.0\r\n" + HOST + b"\r\n"):
            wire = self.wire()
            wire.send(head)
            self.assertEqual(wire.read().status, 200)
            self.assertTrue(wire.is_closed())

    # ---- targets ----------------------------------------------------------------------------------------------

    def test_F33_percent_tricks_and_odd_targets(self):
        made = self.scenario()
        for target, statuses in ((f"/scenarios/{made['id'][:-1]}%{ord(made['id'][-1]):02x}", {200}),
                                 ("/scenarios/%2e%2e%2fruns", {404}), ("/scenarios/..%2f..", {404}),
                                 ("/scenarios/../runs", {400, 404}), ("/scenarios/%00", {400, 404}),
                                 ("/scenarios/a%2Fb", {404}), ("/scenarios/%252e", {404}), ("/scenarios/%c0%af", {404}),
                                 ("/scenarios/%", {400, 404}), ("/scenarios/%zz", {400, 404}),
                                 ("/scenarios/a;b=c", {404}), ("//scenarios", {404}), ("/scenarios//", {404}),
                                 ("/" * 3000, {404}), ("/" + "a/" * 1500, {404}), ("/scenarios/" + "a" * 3000, {404}),
                                 ("http://x/healthz", {200, 400}), ("*", {400, 404, 405}),
                                 ("/scenarios/?" + "&".join(f"a{n}=1" for n in range(200)), {200, 400}),
                                 ("/scenarios/?name=%", {200, 400}), ("/scenarios/?name=%00", {200, 400}),
                                 ("/scenarios/?&&=&", {200, 400}), ("/healthz#fragment", {200, 400, 404})):
            with self.subTest(target=target[:60]):
                client = self.server.client()
                self.assertIn(client.get(target).status, statuses)
                client.close()

    def test_D10_a_refused_request_keeps_the_name_that_its_client_gave_it(self):
        for line in ("Expect: magic", "Content-Length: 99999999999", "Transfer-Encoding: gzip"):
            with socket.create_connection(self.server.address, timeout=10) as raw:
                raw.sendall(f"POST /scenarios/ HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-7\r\n{line}\r\n\r\n".encode())
                said = b""
                while piece := raw.recv(65536):
                    said += piece
            self.assertIn(b"X-Request-Id: mine-7\r\n", said, line)
            self.assertIn(b'"instance":"mine-7"', said)

    def test_F33_unknown_methods(self):
        for method, statuses in (("TRACE", {405, 501}), ("BREW", {405, 501}), ("OPTIONS", {200, 204, 405, 501}),
                                 ("get", {400, 405, 501}), ("A" * 100, {400, 405, 501})):
            with self.subTest(method=method):
                client = self.server.client()
                self.assertIn(client.send(method, "/runs/").status, statuses)
                client.close()

    def test_F32_query_numbers(self):
        for text in ("-1", "0", "1.5", "1e3", "+1", "%201", "0x10", "2147483648", "9223372036854775808",
                     "18446744073709551616", "", "%31", "%D9%A1", "1%00", "1,2", "NaN", "9" * 500):
            for name in ("page", "limit"):
                with self.subTest(name=name, text=text[:30]):
                    answer = self.http.get(f"/scenarios/?{name}={text}")
                    if text == "%31" or (name == "page" and text in ("2147483648",)):
                        self.assertIn(answer.status, (200, 400))
                    else:
                        self.problem(answer, 400, parameter=name)
        self.assertIn(self.http.get("/scenarios/?page=9223372036854775807&limit=1000").status, (200, 400))
        self.assertIn(self.http.get("/scenarios/?limit=1&limit=2").status, (200, 400))

    def test_F34_what_is_echoed_cannot_break_a_header(self):
        for text in ("a%0d%0aX-Evil:%201", "%0a", "%0d", "%00", "%22%3e"):
            answer = self.http.get(f"/runs/{text}")
            self.problem(answer, 404)
            self.assertNotIn("x-evil", answer.headers)
        made = self.http.post("/scenarios/", {"name": "a\r\nX-Evil: 1"})
        self.assertNotIn("x-evil", made.headers)

    # ---- bodies -----------------------------------------------------------------------------------------------

    def test_F31_hard_json(self):
        rows = [(b"[" * 1000000, False), (b'{"metadata":' + b'{"a":' * 1000000, False),
                (b'{"metadata":{"a":"' + b"x" * 2000000 + b'"}}', False),
                (b'{"metadata":{' + b",".join(b'"k%d":1' % n for n in range(100000)) + b"}}", False),
                (b'{"metadata":{"a":1,"a":2}}', False), (b'{"metadata":{"a":"\xff"}}', False),
                (b'{"metadata":{"a":"\\ud800"}}', False), (b'{"metadata":{"a":"\\udc00\\ud800"}}', False),
                (b'{"metadata":{"a":"\\u0000"}}', True), (b'\xef\xbb\xbf{"name":"x"}', None),
                (b'{"name":"x"}\0', False), (b'{"metadata":{"a":1e400}}', None), (b'{"metadata":{"a":-1e400}}', None),
                (b'{"metadata":{"a":18446744073709551616}}', True), (b'{"metadata":{"a":-0}}', True),
                (b'{"metadata":{"a":1E-400}}', None), (b'{"metadata":{"a":' + b"9" * 20000 + b"}}", False),
                (b'{"metadata":{"a":0.' + b"1" * 20000 + b"}}", False), (b'{"metadata":{"\\u0000":1,"":2}}', True)]
        for body, good in rows:
            with self.subTest(body=body[:40]):
                begun = time.monotonic()
                answer = self.http.post("/agents/", body)
                self.assertLess(time.monotonic() - begun, 2)
                if good or (good is None and answer.status == 201):
                    sent = json.loads(body.decode("utf-8-sig"), parse_int=str, parse_float=str)
                    stored = self.ok(answer, 201) and json.loads(answer.body, parse_int=str, parse_float=str)
                    self.assertEqual(stored["metadata"], sent.get("metadata", {}))
                else:
                    self.problem(answer, 400)

    def test_F31_the_patterns_of_one_body_share_a_budget(self):
        """Each pattern is allowed alone; all of them together would occupy a thread for seconds."""
        def body(count):
            patterns = [{"type": "regex", "config": {"pattern": r"\pL{10}" + str(number)}} for number in range(count)]
            return {"scenario": self.scenario()["id"], "name": "patterns", "instruction": "say: one", "assertions": patterns}
        self.ok(self.http.post("/tests/", body(1)), 201)
        begun = time.monotonic()
        refused = self.problem(self.http.post("/tests/", body(100)), 400)
        self.assertLess(time.monotonic() - begun, 5)
        self.assertIn("in addition to the others of this body", json.dumps(refused))

    def test_F23_a_search_that_would_take_too_long_is_an_error_and_no_verdict(self):
        """Cheap assertions are still decided, and a later result is scored."""
        costly = {"type": "regex", "config": {"pattern": "[ab]*a[ab]{900}c"}}
        cheap = {"type": "contains", "config": {"value": "ab"}}
        begun = time.monotonic()
        shown = self.scored([costly, cheap], replies=["aaaaaaaaaac" + "".join(random.Random(3).choices("ab", k=900_000))])
        other = self.scored([costly, cheap], replies=["a" + "b" * 900 + "c"])
        self.assertLess(time.monotonic() - begun, 10)
        first, second = shown["assertionResults"]
        self.assertEqual((first["status"], second["status"]), ("error", "passed"))
        self.assertIn("too much work", json.dumps(first))
        self.assertEqual([row["status"] for row in other["assertionResults"]], ["passed", "passed"])

    def test_D31_usual_patterns_are_decided_on_a_long_conversation(self):
        words = "|".join(f"reimburse{number} word" for number in range(20))
        patterns = [{"type": "regex", "severity": "BLOCKER",
                     "config": {"negate": True, "pattern": rf"(?i)\b({words}|{number})\b"}} for number in range(1000, 1012)]
        said = "The quick brown fox jumps over the lazy dog while it rains in Oslo. " * 14_000
        shown = self.scored(patterns, replies=[said])
        self.assertEqual({row["status"] for row in shown["assertionResults"]}, {"passed"}, shown["assertionResults"])
        self.assertTrue(shown["overallPassed"])

    def test_I64_metadata_that_grows_past_the_keys_of_a_body_harms_nothing(self):
        """A body may have 1,000 keys per object. Merged metadata may have more, and every part of the server must read it."""
        wide = {f"k{number}": number for number in range(1000)}
        rows = [{"content": "c"}, {"type": "tool", "name": "t"}, {"type": "internal-event", "name": "e"},
                {"type": "public-event", "name": "e"}]
        has_key = {"type": "json", "config": {"pointer": "/new", "equals": 1, "entries": "all"}}
        made = self.result(testInstruction="say: a", assertionResults=[has_key])
        self.turn(made)
        for row in rows:
            with self.subTest(row):
                entry = self.entry(made, metadata=wide, **row)
                for patch in ({"new": 1}, {"newer": 2}):
                    path = f"/test-results/{made['id']}/conversation/{entry['id']}"
                    self.ok(self.http.patch(path, {"metadata": patch}))
        shown = self.get_result(made)["conversation"][1:]
        self.assertEqual([len(entry["metadata"]) for entry in shown], [1002] * len(rows))
        self.assertTrue(self.turn(made)["end_chat"])
        self.assertEqual(self.settled(made)["score"], 100)

    def test_odd_bodies_on_every_write_are_never_a_5xx(self):
        result, run, agent = self.result(), self.a_run(self.scenario(), self.agent()), self.agent()
        test = self.a_test(self.scenario())
        entry = self.entry(result, "x")
        paths = [("POST", "/scenarios/"), ("POST", "/tests/"), ("POST", "/agents/"), ("POST", "/runs/"),
                 ("POST", "/test-results/"), ("PATCH", f"/test-results/{result['id']}"),
                 ("POST", f"/test-results/{result['id']}/conversation"),
                 ("PATCH", f"/test-results/{result['id']}/conversation/{entry['id']}"), ("PATCH", f"/runs/{run['id']}"),
                 ("PATCH", f"/agents/{agent['id']}"), ("PATCH", f"/tests/{test['id']}"), ("PUT", "/admin/scoring")]
        fields = ("name", "scenario", "agent", "status", "metadata", "assertions", "assertionResults", "instruction",
                  "testInstruction", "externalLinks", "type", "content", "after", "config", "secrets", "fields",
                  "testConfigs", "repetitions", "parentTest", "agents", "folders", "completionMode", "isManual", "paused",
                  "personality", "result", "isArchived")
        values = (None, True, 0, -1, 1e308, "", "x", [], [None], [[]], {}, {"a": None}, [{}], [{"type": []}],
                  {"actions": None}, [{"id": 5, "config": []}])
        for method, path in paths:
            for body in (b"", b"{}", b"[]", b"null", b"1", b'"x"', b"\xff", b"{" * 70):
                self.assertLess(self.http.send(method, path, body).status, 500, (method, path, body))
            for field in fields:
                for value in values:
                    answer = self.http.send(method, path, {field: value})
                    self.assertLess(answer.status, 500, (method, path, field, value, answer))

    # ---- slow and rude clients --------------------------------------------------------------------------------

    def latencies(self, seconds):
        """The sorted durations of GETs by a well-behaved client, in seconds."""
        client, times = self.server.client(), []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            begun = time.monotonic()
            self.assertEqual(client.get("/scenarios/?limit=1").status, 200)
            times.append(time.monotonic() - begun)
        client.close()
        return sorted(times)

    def test_I65_slow_clients_do_not_hurt_others(self):
        quiet = self.latencies(1)
        large = self.result(testInstruction="say: a")
        for _ in range(8):
            self.entry(large, "x" * 1024 * 1024)
        rude = []
        for number in range(200):
            made = socket.create_connection(self.server.address)
            kind = number % 4
            if kind == 0:
                made.sendall(b"GET /healthz HT")                    # sends its head byte by byte
            elif kind == 1:
                made.sendall(b"POST /scenarios/ HTTP/1.1\r\n" + HOST + b"Content-Length: 1000\r\n\r\n{")
            elif kind == 2:                                         # does not read a large answer
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                made.sendall(self.http.encoded("GET", f"/test-results/{large['id']}"))
            rude.append(made)                                       # the fourth kind sends nothing
        stop = threading.Event()

        def drip():
            while not stop.wait(0.05):
                for made in rude[::4]:
                    try:
                        made.send(b"T")
                    except OSError:
                        pass
        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            busy = self.latencies(2)
        finally:
            stop.set()
            dripping.join()
            for made in rude:
                made.close()
        p99_quiet, p99_busy = quiet[len(quiet) * 99 // 100], busy[len(busy) * 99 // 100]
        self.assertLess(p99_busy, max(5 * p99_quiet, 0.05))
        self.assertGreater(len(busy), 100)

    def test_F27_a_head_that_does_not_come_is_408_within_its_time(self):
        wire = self.wire(timeout_s=20)
        begun = time.monotonic()
        wire.send(b"GET /healthz HTTP/1.1\r\n")
        answer = wire.read()
        self.assertEqual(answer.status, 408)
        self.assertTrue(5 < time.monotonic() - begun < 15)
        self.assertTrue(wire.is_closed())

    def test_F37_clients_that_leave_before_the_answer_do_no_harm(self):
        made = self.result(testInstruction="say: a")
        request = self.http.encoded("POST", f"/test-results/{made['id']}/conversation", {"content": "x"})
        for number, place in enumerate(list(range(1, len(request), 7)) + [len(request)] * 50):
            leaving = socket.create_connection(self.server.address)
            if number % 2:
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # closes with a reset
            leaving.sendall(request[:place])
            leaving.close()
        # A reset may overtake an unread request, so the number of kept ones among those is open; the other requests are read.
        until = time.monotonic() + 10
        while not self.get_result(made)["conversation"] and time.monotonic() < until:
            time.sleep(0.02)
        self.ok(self.http.post(f"/test-results/{made['id']}/conversation", {"content": "last"}), 201)
        contents = [entry["content"] for entry in self.get_result(made)["conversation"]]
        self.assertIn("last", contents)
        contents.remove("last")
        self.assertEqual(set(contents), {"x"})
        self.assertLessEqual(len(contents), 50)

    def test_I64_a_storm_of_connections_leaves_no_descriptor_behind(self):
        def descriptors():
            return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))
        before = descriptors()
        for _ in range(5):
            storm = [socket.create_connection(self.server.address) for _ in range(200)]
            for made in storm[::2]:
                made.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            for made in storm:
                made.close()
        until = time.monotonic() + 10
        while descriptors() > before + 2 and time.monotonic() < until:
            time.sleep(0.05)
        self.assertLessEqual(descriptors(), before + 2)


if __name__ == "__main__":
    cases.main()
