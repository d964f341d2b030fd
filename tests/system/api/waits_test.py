#!/usr/bin/env python3
"""Long polls (D47, D96): a thousand concurrent ones hold no thread each. A long poll ends when the record ends, the time is up,
the client leaves or the server stops."""
import os
import pathlib
import select
import socket
import time

from support import cases, wire
from support.cases import OwnServerTest

WAITERS = int(os.environ.get("PARLEY_WAITERS", "1000"))


class Waits(OwnServerTest):
    def setUp(self):
        self.own_server()

    def running(self):
        scenario = self.scenario()
        test = self.a_test(scenario)
        run = self.a_run(scenario, self.any_agent())
        made = self.result(self.any_agent(), run=run["id"], test=test["id"])
        self.turn(made)
        return run, made

    def waiters(self, paths, count, seconds=60):
        """Opens `count` connections with a waiting GET each."""
        request = self.server.client()
        wires = []
        for number in range(count):
            each = wire.Wire(self.server.address, timeout_s=20)
            each.send(request.encoded("GET", paths[number % len(paths)], None, {"Prefer": f"wait={seconds}"}))
            wires.append(each)
        self.addCleanup(lambda: [each.close() for each in wires])
        self.become_waiting(count)
        return wires

    def waiting(self):
        text = self.http.get("/metrics").body.decode()
        return int(next(line for line in text.splitlines() if line.startswith("parley_clients_waiting ")).split()[1])

    def become_waiting(self, count, timeout_s=10):
        until = time.monotonic() + timeout_s
        while self.waiting() != count and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(self.waiting(), count)

    def threads(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(status.partition("Threads:")[2].split()[0])

    def test_D96_a_thousand_clients_wait_without_a_thread_and_are_answered_promptly(self):
        run, made = self.running()
        before = self.threads()
        wires = self.waiters([f"/runs/{run['id']}", f"/test-results/{made['id']}"], WAITERS)
        self.assertEqual(self.threads(), before)
        begun = time.monotonic()
        self.get_run(run)
        self.assertLess(time.monotonic() - begun, 1, "others are served meanwhile")
        self.entry(made, "no end yet")
        self.assertEqual(select.select([each.socket for each in wires[:500]], [], [], 0.2)[0], [])
        begun = time.monotonic()
        self.ok(self.http.post(f"/runs/{run['id']}/cancel"))
        for each in wires:
            answer = each.read()
            self.assertEqual((answer.status, answer.json()["status"]), (200, "canceled"))
            self.assertEqual(answer.headers["preference-applied"], "wait=60")
        self.assertLess(time.monotonic() - begun, 10)
        self.become_waiting(0)

    def test_D96_a_verdict_ends_the_wait_for_result_and_run(self):
        run, made = self.running()
        wires = self.waiters([f"/runs/{run['id']}", f"/test-results/{made['id']}"], 4)
        self.entry(made, "fine")
        self.converse(made)
        self.assertEqual([each.read().json()["status"] for each in wires], ["completed"] * 4)

    def test_D96_the_time_is_kept(self):
        run, made = self.running()
        for path in (f"/runs/{run['id']}", f"/test-results/{made['id']}"):
            begun = time.monotonic()
            answer = self.http.get(path, {"Prefer": "wait=1"})
            self.assertEqual((answer.status, answer.json()["status"]), (200, "running"))
            self.assertTrue(0.95 < time.monotonic() - begun < 2.5)
            self.assertEqual(answer.headers["preference-applied"], "wait=1")
        begun = time.monotonic()
        self.ok(self.http.get(f"/runs/{run['id']}", {"Prefer": "wait=0"}))
        self.assertLess(time.monotonic() - begun, 1)
        answer = self.http.post(f"/test-results/{made['id']}/next-message", headers={"Prefer": "wait=30"})
        self.assertEqual((answer.json()["ready"], answer.headers["preference-applied"]), (True, "wait=30"))

    def test_D96_an_etag_and_a_wait_go_together(self):
        _, made = self.running()
        path = f"/test-results/{made['id']}"
        tag = self.http.get(path).headers["etag"]
        answer = self.http.get(path, {"Prefer": "wait=1", "If-None-Match": tag})
        self.assertEqual(answer.status, 304)

    def test_D96_the_wait_of_a_client_that_left_ends(self):
        run, _ = self.running()
        wires = self.waiters([f"/runs/{run['id']}"], 50)
        half = wires.pop()
        half.socket.shutdown(socket.SHUT_WR)  # the client sends no more but still reads
        for each in wires:
            each.close()
        self.become_waiting(0)
        self.assertEqual(half.read().json()["status"], "running")

    def test_I66_waiting_clients_are_answered_when_the_server_stops(self):
        run, made = self.running()
        wires = self.waiters([f"/runs/{run['id']}", f"/test-results/{made['id']}"], 300)
        begun = time.monotonic()
        self.server.terminate()
        for each in wires:
            answer = each.read()
            self.assertEqual((answer.status, answer.json()["status"]), (200, "running"))
            self.assertTrue(each.is_closed())
        self.assertEqual(self.server.process.wait(10), 0)
        self.assertLess(time.monotonic() - begun, 6)

    def test_F3_a_crash_ends_all_waits_and_a_restarted_server_accepts_them_again(self):
        run, _ = self.running()
        wires = self.waiters([f"/runs/{run['id']}"], 100)
        self.server.kill()
        for each in wires:
            self.assertRaises((wire.Gone, wire.Cut), each.read)
        self.server.start()
        self.http.close()
        self.http = self.server.client()
        again = self.waiters([f"/runs/{run['id']}"], 10)
        self.ok(self.http.post(f"/runs/{run['id']}/cancel"))
        self.assertEqual({each.read().json()["status"] for each in again}, {"canceled"})


if __name__ == "__main__":
    cases.main()
