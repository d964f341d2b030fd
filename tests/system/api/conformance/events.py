"""Event streams (D116): hello, changes, resumption, limits."""
import json
import socket
import time

from support.cases import SystemTest, unique


class Stream:
    """One open stream, read event by event."""

    def __init__(self, address, key, topics, last=None):
        self.socket = socket.create_connection(address, timeout=20)
        fields = f"Last-Event-ID: {last}\r\n" if last else ""
        self.socket.sendall(f"GET /events?topics={topics} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
                            f"{fields}\r\n".encode())
        self.kept = b""
        self.text = ""
        self.head = self._until(b"\r\n\r\n").decode()

    def _until(self, mark):
        while mark not in self.kept:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError(self.kept)
            self.kept += data
        found, _, self.kept = self.kept.partition(mark)
        return found

    def _chunk(self):
        size = int(self._until(b"\r\n"), 16)
        while len(self.kept) < size + 2:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError(self.kept)
            self.kept += data
        data, self.kept = self.kept[:size], self.kept[size + 2:]
        return data.decode()

    def next(self, name=None):
        """(id, name, data) of the next event, or of the next event with that name."""
        while True:
            while "\n\n" not in self.text:
                self.text += self._chunk()
            block, _, self.text = self.text.partition("\n\n")
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "event" in fields and name in (None, fields["event"]):
                return fields["id"], fields["event"], json.loads(fields["data"])

    def close(self):
        self.socket.close()


class Events(SystemTest):
    def stream(self, topics, last=None):
        made = Stream(self.server.address, self.server.key, topics, last)
        self.addCleanup(made.close)
        return made

    def test_D116_a_stream_greets_and_reports_a_run(self):
        stream = self.stream("runs")
        self.assertIn("200 OK", stream.head)
        self.assertIn("text/event-stream", stream.head)
        self.assertIn("X-Accel-Buffering: no", stream.head)
        self.assertNotIn("Content-Encoding", stream.head)
        _, name, hello = stream.next()
        self.assertEqual((name, hello["right"], hello["resumed"]), ("hello", "admin", False))
        scenario, agent = self.scenario(), self.agent()
        run = self.ok(self.http.post("/runs", {"scenario": scenario["id"], "agent": agent["id"], "status": "new"}), 201)
        while stream.next("run")[2]["id"] != run["id"]:
            pass

    def test_D116_a_result_is_followed_entry_by_entry(self):
        agent = self.agent()
        result = self.ok(self.http.post("/test-results", {"agent": agent["id"], "testInstruction": "say: hi"}), 201)["id"]
        stream = self.stream(f"result:{result}")
        stream.next("hello")
        self.ok(self.http.post(f"/test-results/{result}/next-message"), 200)
        event = stream.next("entry")[2]
        self.assertEqual((event["result"], event["entry"]["content"]), (result, "hi"))
        self.ok(self.http.post(f"/test-results/{result}/conversation", {"role": "chatbot", "content": "x" * 20_000}), 201)
        while True:
            event = stream.next("entry")[2]
            if "entry" not in event:
                break
        self.assertEqual(set(event), {"result", "id"})

    def test_D116_a_client_that_returns_gets_what_it_missed(self):
        first = self.stream("records")
        last = first.next("hello")[0]
        folder = self.ok(self.http.post("/folders", {"name": unique("f")}), 201)["id"]
        while first.next("record")[2]["id"] != folder:
            pass
        first.close()
        again = self.stream("records", last)
        self.assertTrue(again.next("hello")[2]["resumed"])
        while again.next("record")[2]["id"] != folder:
            pass
        foreign = self.stream("records", "0-7")
        self.assertFalse(foreign.next("hello")[2]["resumed"])
        self.assertEqual(foreign.next()[1], "reset")

    def test_D116_topics_are_checked(self):
        for topics in ("", "nope", "run", "run:x", "runs:1", ",".join(f"run:{self.server_id(n)}" for n in range(9))):
            self.problem(self.http.get(f"/events?topics={topics}"), 400)

    def server_id(self, number):
        return f"01900000-0000-7000-8000-{number:012}"

    def test_D116_many_streams_are_open_at_once_and_others_are_answered(self):
        streams = [self.stream("runs") for _ in range(200)]
        began = time.monotonic()
        self.ok(self.http.get("/runs"))
        self.assertLess(time.monotonic() - began, 5)
        for each in streams:
            each.next("hello")
