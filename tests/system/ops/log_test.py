#!/usr/bin/env python3
"""A log that cannot be written (F46): closed standard descriptors, an unread pipe, a full disk. The server keeps
working and loses only log lines."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from support import command, server as servers, wire


class Standing(unittest.TestCase):
    """A server with standard descriptors that the test chooses."""

    def begin(self, preparation=None, **streams):
        folder = tempfile.TemporaryDirectory(prefix="parley-log-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.address = (servers.HOST, servers.free_port())
        streams = {name: streams.get(name, subprocess.DEVNULL) for name in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen(
            [servers.binary(), "serve", "--data", str(self.data), "--listen", f"{servers.HOST}:{self.address[1]}"],
            env={**command.clean_environment(), "PARLEY_BOOTSTRAP_KEY": servers.KEY}, preexec_fn=preparation,
            start_new_session=True, **streams)
        self.addCleanup(self.end)
        self.await_ready()

    def await_ready(self):
        until = time.monotonic() + 20
        while True:
            try:
                client = self.client()
                self.assertEqual(client.get("/readyz").status, 200)
                return client.close()
            except (OSError, wire.Gone, wire.Cut):
                self.assertIsNone(self.process.poll(), "the server ended")
                self.assertLess(time.monotonic(), until, "the server is not ready")
                time.sleep(0.02)

    def client(self):
        return wire.Client(self.address, servers.KEY, 5)

    def lost(self):
        client = self.client()
        text = client.get("/metrics").body.decode()
        client.close()
        return int(re.search(r"^parley_log_lost_total (\d+)$", text, re.M).group(1))

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def stopped(self, within_s=12):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(within_s)


class Closed(Standing):
    def test_F46_I1_no_descriptor_of_the_store_takes_the_place_of_a_closed_one(self):
        for closed in ((0, 1, 2), (1, 2), (2,), (0,)):
            with self.subTest(closed=closed):
                self.begin(lambda closed=closed: [os.close(number) for number in closed])
                for number in closed:
                    self.assertEqual(os.readlink(f"/proc/{self.process.pid}/fd/{number}"), "/dev/null")
                client = self.client()
                made = []
                for turn in range(60):
                    answer = client.post("/scenarios/", {"name": f"s{turn}"})
                    self.assertEqual(answer.status, 201)
                    made.append(answer.json()["id"])
                client.close()
                self.assertEqual(self.stopped(), 0)
                ended = command.parley("doctor", "--data", self.data)
                self.assertEqual(ended.returncode, 0, ended)

    def test_the_tools_work_with_closed_descriptors(self):
        self.begin()
        self.assertEqual(self.stopped(), 0)
        for words in (("backup", self.data.parent / "copy"), ("doctor",), ("audit", "show")):
            ended = subprocess.run([servers.binary(), *map(str, words), "--data", str(self.data)], check=False, timeout=60,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: [os.close(number) for number in (0, 1, 2)])
            self.assertEqual(ended.returncode, 0, words)
        self.assertEqual(command.parley("doctor", "--data", self.data).returncode, 0)


LINES = 1500  # of requests: twice the capacity of a pipe


class Unread(Standing):
    """Standard error is a pipe whose reader does not read, like a collector that hangs or a stopped terminal."""

    def setUp(self):
        self.reader, writer = os.pipe()
        self.addCleanup(os.close, self.reader)
        self.begin(stdout=writer, stderr=writer)
        os.close(writer)
        client = self.client()
        for _ in range(LINES):
            self.assertEqual(client.get("/version").status, 200)
        client.close()

    def read_on(self, until):
        """Reads the pipe until `until` or its end; returns the text."""
        text = ""
        while until not in text:
            piece = os.read(self.reader, 65536)
            if not piece:
                break
            text += piece.decode()
        return text

    def test_F46_the_server_continues_and_stops_on_request(self):
        client = self.client()
        self.assertEqual(client.post("/scenarios/", {"name": "s"}).status, 201)
        client.close()
        begun = time.monotonic()
        self.assertEqual(self.stopped(), 0)
        self.assertLess(time.monotonic() - begun, 5)

    def test_F46_I66_a_second_signal_ends_it_immediately(self):
        self.process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
        self.process.send_signal(signal.SIGTERM)
        self.assertIn(self.process.wait(3), (0, 1))

    def test_F46_waiting_lines_are_written_in_order_once_a_reader_returns(self):
        self.assertEqual(self.lost(), 0, "all of it fits into the queue")
        threading.Timer(0.2, self.process.send_signal, [signal.SIGTERM]).start()
        lines = self.read_on("no line has this").splitlines()
        numbers = [int(number) for number in re.findall(r" request id=\S+-(\d+) .* route=/version ", "\n".join(lines))]
        self.assertEqual(len(numbers), LINES)
        self.assertEqual(numbers, sorted(numbers))
        self.assertIn("stopped all_answered=true", lines[-1])
        self.assertEqual(self.process.wait(12), 0)

    def test_F46_excess_lines_are_lost_counted_and_reported(self):
        client = self.client()
        name = "x" * 120
        while self.lost() == 0:
            for _ in range(5_000):
                client.get("/version", {"X-Request-Id": name})
        client.get("/version", {"X-Request-Id": "the-last-one"})
        client.close()
        self.read_on("the-last-one")
        time.sleep(0.2)  # the lines of the metrics requests and of the last request are written after these
        lost = self.lost()
        self.assertGreater(lost, 0)
        self.assertIn(f"log lines lost lines={lost}", self.read_on("log lines lost lines="))


class Full(Standing):
    def test_F46_a_full_disk_under_the_log_stops_nothing(self):
        with open("/dev/full", "wb") as full:
            self.begin(stderr=full)
        client = self.client()
        for turn in range(20):
            self.assertEqual(client.post("/scenarios/", {"name": f"s{turn}"}).status, 201)
        client.close()
        until = time.monotonic() + 5
        while self.lost() < 20:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        self.assertEqual(self.stopped(), 0)


if __name__ == "__main__":
    unittest.main()
