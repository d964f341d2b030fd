#!/usr/bin/env python3
"""POST /v1/traces (D154): OpenTelemetry traces become external logs, sent by the official SDK or written by hand."""
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import cases, server as servers  # noqa: E402
from support.cases import SystemTest, unique  # noqa: E402

FOLDER = servers.ROOT / "tests/mcp"
PROTOBUF = {"Content-Type": "application/x-protobuf"}


def attribute(key, value):
    return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


def span(trace, begin=1, **attributes):
    return {"traceId": trace, "spanId": "0102030405060708", "name": "chat", "startTimeUnixNano": str(begin), "endTimeUnixNano": str(begin + 1),
            "attributes": [attribute(key.replace("__", "."), value) for key, value in attributes.items()]}


def request(*spans):
    return {"resourceSpans": [{"resource": {"attributes": [attribute("service.name", "shop")]}, "scopeSpans": [{"spans": list(spans)}]}]}


def said(role, text):
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def turn(trace, history, answer, **more):
    return span(trace, gen_ai__operation__name="chat", gen_ai__input__messages=history,
                gen_ai__output__messages=[said("assistant", answer)], **more)


def field(number, data):
    size, length = len(data), b""
    while size >= 0x80:
        length, size = length + bytes([size & 0x7f | 0x80]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + data


def protobuf(document):
    """Encodes a document from `request` as a protobuf ExportTraceServiceRequest."""
    out = b""
    for each in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        one = field(1, bytes.fromhex(each["traceId"])) + field(2, bytes.fromhex(each["spanId"])) + field(5, each["name"].encode())
        one += b"\x39" + struct.pack("<Q", int(each["startTimeUnixNano"])) + b"\x41" + struct.pack("<Q", int(each["endTimeUnixNano"]))
        for pair in each["attributes"]:
            one += field(9, field(1, pair["key"].encode()) + field(2, field(1, pair["value"]["stringValue"].encode())))
        out += field(2, field(2, one))
    return field(1, out)


class Traces(SystemTest):
    def log(self, external_id):
        rows = self.ok(self.http.get(f"/external-conversation-logs?externalId={external_id}"), 200)["data"]
        self.assertEqual(len(rows), 1, rows)
        return self.ok(self.http.get(f"/external-conversation-logs/{rows[0]['id']}"), 200)

    def texts(self, external_id):
        return [entry.get("content") or entry.get("name") for entry in self.log(external_id)["conversation"]]

    def a_trace(self):
        return os.urandom(16).hex()

    def post(self, *spans):
        return self.ok(self.http.post("/v1/traces", request(*spans)), 200)

    # ---- the SDK --------------------------------------------------------------------------------------------------

    def test_D154_the_official_sdk_sends_a_conversation_in_both_encodings(self):
        if not (FOLDER / "node_modules/@opentelemetry").is_dir():
            self.skipTest("the npm packages of tests/mcp are not installed")
        for exporter in ("http", "proto"):
            with self.subTest(exporter=exporter):
                host, port = self.server.address
                conversation = unique(exporter).replace(" ", "-")
                done = subprocess.run(["node", "traces.mjs"], cwd=FOLDER, capture_output=True, text=True, check=False, timeout=100, env={
                    **os.environ, "PARLEY_URL": f"http://{host}:{port}", "PARLEY_KEY": self.server.key,
                    "PARLEY_EXPORTER": exporter, "PARLEY_CONVERSATION": conversation})
                self.assertEqual(done.returncode, 0, done.stderr)
                sent = json.loads(done.stdout)
                self.assertEqual(set(sent["results"]), {0})
                log = self.log(conversation)
                self.assertEqual(self.texts(conversation), ["Where is order 42?", "lookup_order", "It was sent."])
                tool = log["conversation"][1]["metadata"]
                self.assertEqual((tool["id"], tool["arguments"], tool["result"]), ("call_1", {"id": 42}, {"state": "sent"}))
                self.assertIn("responseTime", tool)
                self.assertEqual(log["conversation"][2]["metadata"]["model"], "gpt-5")
                self.assertEqual(log["metadata"]["traces"][0]["id"], sent["trace"])
                self.assertEqual(log["externalSource"], "otel")

    # ---- by hand --------------------------------------------------------------------------------------------------

    def test_D154_json_protobuf_and_gzip_say_the_same(self):
        for number, (body, headers) in enumerate([
                (json.dumps, {"Content-Type": "application/json"}), (lambda each: json.dumps(each).encode(), {"Content-Type": "application/json; charset=utf-8"}),
                (protobuf, PROTOBUF), (lambda each: gzip.compress(protobuf(each)), {**PROTOBUF, "Content-Encoding": "gzip"}),
                (lambda each: gzip.compress(json.dumps(each).encode()), {"Content-Type": "application/json", "Content-Encoding": "gzip"})]):
            with self.subTest(number=number):
                trace = self.a_trace()
                encoded = body(request(turn(trace, [said("user", "hi")], "hello")))
                answer = self.http.send("POST", "/v1/traces", encoded if isinstance(encoded, bytes) else encoded.encode(), headers)
                self.assertEqual(answer.status, 200, answer)
                self.assertEqual(answer.headers["content-type"].partition(";")[0], headers["Content-Type"].partition(";")[0])
                self.assertEqual(answer.body, b"" if headers["Content-Type"] == PROTOBUF["Content-Type"] else b"{}")
                self.assertEqual(self.texts(trace), ["hi", "hello"])

    def test_D154_a_repeat_adds_nothing_and_changes_nothing(self):
        trace = self.a_trace()
        spans = [turn(trace, [said("user", "hi")], "hello")]
        self.post(*spans)
        first = self.log(trace)
        self.post(*spans)
        self.post(*spans, *spans)
        self.assertEqual(self.log(trace), first)

    def test_D154_a_conversation_grows_over_traces_and_requests(self):
        talk = unique("talk").replace(" ", "-")
        one, two, three = (self.a_trace() for _ in range(3))
        history = [said("user", "hi"), said("assistant", "hello"), said("user", "more")]
        self.post(turn(one, history[:1], "hello", gen_ai__conversation__id=talk))
        self.post(turn(two, history, "yes", gen_ai__conversation__id=talk))
        self.assertEqual(self.texts(talk), ["hi", "hello", "more", "yes"])
        self.post(turn(three, [said("user", "alone")], "fine", gen_ai__conversation__id=talk))   # the trace has only its own turn
        self.post(turn(one, history[:1], "hello", gen_ai__conversation__id=talk))                  # an old trace, sent again
        self.assertEqual(self.texts(talk), ["hi", "hello", "more", "yes", "alone", "fine"])

    def test_D154_a_saved_verdict_is_about_the_conversation_it_was_made_of(self):
        trace = self.a_trace()
        self.post(turn(trace, [said("user", "hi")], "hello"))
        log = self.log(trace)
        place = f"/external-conversation-logs/{log['id']}"
        check = {"type": "contains", "config": {"value": "hello"}}
        self.ok(self.http.post(f"{place}/score", {"assertions": [check], "save": True}), 200)
        self.assertEqual(self.log(trace)["score"], 100)
        self.post(turn(trace, [said("user", "hi"), said("assistant", "hello"), said("user", "more")], "yes"))
        self.assertIsNone(self.log(trace)["score"])

    def test_D154_partial_success_and_spans_without_content(self):
        other = span(self.a_trace(), http__route="/")
        self.assertEqual(self.post(other), {})
        silent = span(self.a_trace(), gen_ai__request__model="m")
        answer = self.post(silent, turn(self.a_trace(), [said("user", "hi")], "hello"))
        self.assertEqual(answer["partialSuccess"]["rejectedSpans"], "0")
        self.assertIn("content", answer["partialSuccess"]["errorMessage"])
        good = self.a_trace()
        large = turn(self.a_trace(), [said("user", "x" * 1_200_000)], "hello")
        answer = self.post(large, turn(good, [said("user", "hi")], "hello"))
        self.assertEqual(answer["partialSuccess"]["rejectedSpans"], "1")
        self.assertIn("1 MiB", answer["partialSuccess"]["errorMessage"])
        self.assertEqual(self.texts(good), ["hi", "hello"])
        packed = self.http.send("POST", "/v1/traces", protobuf(request(large)), PROTOBUF)
        self.assertEqual((packed.status, packed.body[0], packed.body[2:4]), (200, 0x0a, b"\x08\x01"))

    def test_D154_a_body_that_is_not_a_trace_is_refused(self):
        whole = protobuf(request(turn(self.a_trace(), [said("user", "hi")], "hello")))
        for body, headers, status in (
                (b"{", {"Content-Type": "application/json"}, 400), (b"[]", {"Content-Type": "application/json"}, 400),
                (b'{"spans": []}', {"Content-Type": "application/json"}, 400), (b"hi", {"Content-Type": "text/plain"}, 415),
                (whole[:-1], PROTOBUF, 400), (b"\xff\xff", PROTOBUF, 400), (whole, {**PROTOBUF, "Content-Encoding": "gzip"}, 400),
                (gzip.compress(whole)[:-4], {**PROTOBUF, "Content-Encoding": "gzip"}, 400),
                (gzip.compress(b"\0" * 100_000_000), {**PROTOBUF, "Content-Encoding": "gzip"}, 400),
                (whole, {**PROTOBUF, "Content-Encoding": "br"}, 415)):
            with self.subTest(headers=headers, body=body[:20]):
                self.problem(self.http.send("POST", "/v1/traces", body, headers), status)
        self.ok(self.http.get("/readyz"), 200)


if __name__ == "__main__":
    cases.main()
