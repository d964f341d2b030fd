#!/usr/bin/env python3
"""The log that is in the way (F46): standard descriptors that are closed, a pipe that nobody reads, a full disk. The server goes
on, and loses nothing but lines of its log."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from support import command, server as servers, wire


class Standing(unittest.TestCase):
    """A server whose standard descriptors a test chooses."""

    def begin(self, preparation=None, **streams):
        folder = tempfile.TemporaryDirectory(prefix="parley-log-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.address = (servers.HOST, servers.free_port())
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        streams = {name: streams.get(name, subprocess.DEVNULL) for name in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen(
            [servers.binary(), "serve", "--data", str(self.data), "--listen", f"{servers.HOST}:{self.address[1]}"],
            env={**environment, "PARLEY_BOOTSTRAP_KEY": servers.KEY}, preexec_fn=preparation, start_new_session=True, **streams)
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


if __name__ == "__main__":
    unittest.main()
