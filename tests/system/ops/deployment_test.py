#!/usr/bin/env python3
"""Features for operators (D106): several addresses, a log file that is reopened, refused data directories,
paused driving for restore drills, backups with bare file names, and metrics."""
import signal
import socket
import subprocess
import time

from support import cases, command, server as servers, wire
from support.cases import OwnServerTest, unique


class Deployment(OwnServerTest):
    def refused(self, data):
        done = subprocess.run([servers.binary(), "serve", "--data", str(data), "--listen", "127.0.0.1:0"], capture_output=True,
                              text=True, timeout=20, env=command.clean_environment(), check=False)
        self.assertEqual(done.returncode, 2, done)
        return done.stderr

    def test_a_directory_that_parley_cannot_have_made_is_refused_at_the_first_start(self):
        self.own_server("--fsync", "off")
        strange = self.server.folder / "strange"
        strange.mkdir(mode=0o700)
        (strange / "notes.txt").write_text("mine")
        self.assertIn("holds notes.txt", self.refused(strange))
        self.assertEqual([each.name for each in strange.iterdir()], ["notes.txt"])
        shared = self.server.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        self.assertIn("can be written by other users", self.refused(shared))
        self.assertEqual(list(shared.iterdir()), [])

    def test_an_empty_directory_is_taken_and_one_with_a_store_stays_usable(self):
        self.own_server("--fsync", "off")
        (self.server.data / "notes.txt").write_text("later")
        self.server.data.chmod(0o777)
        self.server.restart()
        prepared = servers.Server("--fsync", "off")
        self.addCleanup(prepared.remove)
        prepared.data.mkdir(mode=0o700)
        (prepared.data / "lost+found").mkdir()
        prepared.start()

    def test_several_addresses_are_served(self):
        port = servers.free_port()
        self.own_server("--fsync", "off")
        self.server.stop()
        addresses = [("127.0.0.1", port), ("127.0.0.9", port)]
        log = open(self.server.folder / "two.log", "wb")
        process = subprocess.Popen([servers.binary(), "serve", "--data", str(self.server.data), "--fsync", "off", "--listen",
                                    ",".join(f"{host}:{number}" for host, number in addresses)],
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=command.clean_environment())
        self.addCleanup(log.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        for address in addresses:
            until = time.monotonic() + 10
            while True:
                try:
                    client = wire.Client(address, timeout_s=5)
                    self.assertEqual(client.get("/healthz").status, 200)
                    client.close()
                    break
                except OSError:
                    self.assertLess(time.monotonic(), until, (self.server.folder / "two.log").read_text())
                    time.sleep(0.02)
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.10", port), 2).close()

    def test_the_log_file_is_opened_again_at_a_hangup(self):
        folder = servers.Server()
        self.addCleanup(folder.remove)
        file, moved = folder.folder / "parley.log", folder.folder / "parley.log.1"
        self.own_server("--fsync", "off", "--log-file", str(file))

        def logged(mark, where):
            self.ok(self.http.get("/version", {"X-Request-Id": mark}))
            until = time.monotonic() + 10
            while not (where.exists() and mark in where.read_text()):
                self.assertLess(time.monotonic(), until, f"{mark} is not in {where}")
                time.sleep(0.01)

        logged("before-1", file)
        file.rename(moved)
        logged("moved-2", moved)
        self.server.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + 10
        while not file.exists() or "opened again" not in file.read_text():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        logged("after-3", file)
        self.assertNotIn("after-3", moved.read_text())
        self.assertEqual(self.server.log.read_text(), "")
        self.server.process.send_signal(signal.SIGHUP)
        logged("still-4", file)

    def test_a_log_file_that_cannot_be_opened_ends_the_start(self):
        self.own_server("--fsync", "off")
        done = subprocess.run([servers.binary(), "serve", "--data", str(self.server.folder / "other"), "--log-file",
                               str(self.server.folder / "no/such/folder/log")], capture_output=True, text=True, timeout=20,
                              env=command.clean_environment(), check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot open the log file", done.stderr)
        self.assertFalse((self.server.folder / "other").exists())

    def test_nothing_is_driven_while_driving_is_paused(self):
        self.own_server("--fsync", "off", "--driving", "paused")
        agent = self.create("/agents/", name=unique("shop"), type="DEMO")
        result = self.create("/test-results/", agent=agent["id"], testInstruction="say: Hello\nsay: bye")
        path = f"/test-results/{result['id']}"
        waited = self.ok(self.http.get(path, {"Prefer": "wait=2"}))
        self.assertEqual((waited["status"], waited["conversation"]), ("pending", []))
        self.server.options.remove("--driving")
        self.server.options.remove("paused")
        self.server.restart()
        self.http = self.server.client()
        self.assertEqual(self.ok(self.http.get(path, {"Prefer": "wait=20"}))["status"], "completed")

    def test_a_backup_may_have_a_bare_name(self):
        self.own_server("--fsync", "off")
        done = subprocess.run([servers.binary(), "backup", "monday", "--data", str(self.server.data)], cwd=self.server.folder,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue((self.server.folder / "monday").exists() and (self.server.folder / "monday.keys").exists())

    def metrics(self):
        lines = self.http.get("/metrics").body.decode().splitlines()
        return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))

    def test_metrics_report_refusals_connections_verdicts_and_the_build(self):
        self.own_server("--fsync", "off")
        before = self.metrics()
        refused = wire.Wire(self.server.address)
        refused.send(b"GET / HTTP/1.1\r\n\r\n")    # no Host
        self.assertEqual(refused.read().status, 400)
        refused.close()
        idle = [wire.Wire(self.server.address) for _ in range(5)]
        agent = self.create("/agents/", name=unique("shop"), type="DEMO")
        result = self.create("/test-results/", agent=agent["id"], testInstruction="say: Hello\nsay: bye")
        self.ok(self.http.get(f"/test-results/{result['id']}", {"Prefer": "wait=20"}))
        after = self.metrics()
        none = 'parley_http_requests_total{method="-",route="-",status="4xx"}'
        self.assertEqual(int(after[none]), int(before.get(none, 0)) + 1)
        self.assertEqual(int(after["parley_http_refusals_total"]), 1)
        self.assertGreaterEqual(int(after["parley_http_connections"]), 6)
        self.assertEqual(sum(int(value) for name, value in after.items() if name.startswith("parley_verdicts_total")), 1)
        self.assertEqual([value for name, value in after.items() if name.startswith("parley_build_info{version=")], ["1"])
        self.assertIn("parley_judge_errors_total", after)
        self.assertIn('parley_model_tokens_total{role="judge",kind="input"}', after)
        for each in idle:
            each.close()


if __name__ == "__main__":
    cases.main()
