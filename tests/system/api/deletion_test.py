#!/usr/bin/env python3
"""DELETE of a run (D25, I4, I56): it is deleted completely or not at all, even if the process is killed or a client retries
meanwhile, and texts that clients can no longer see are erased from the data file."""
import random
import subprocess
import threading
import time

from support import cases, server as servers, wire
from support.cases import OwnServerTest

RESULTS = 1_500  # more than one transaction deletes


class Deletion(OwnServerTest):
    def setUp(self):
        self.own_server("--rest-after", "1s")

    def canceled_run(self):
        """A canceled run of a LOCAL agent, so that the server drives nothing."""
        agent = self.agent(type="LOCAL")
        scenario = self.scenario()
        for _ in range(2):
            self.a_test(scenario, "say: one")
        run = self.a_run(scenario, agent, "pending", repetitions=RESULTS // 2)
        self.ok(self.patch_run(run, status="canceled"))  # its results may be retried (D50)
        return run

    @staticmethod
    def delete(client, run, told):
        """Sends DELETE and appends the status of the answer, if any."""
        try:
            told.append(client.send("DELETE", f"/runs/{run['id']}").status)
        except (wire.Gone, wire.Cut, OSError):
            pass
        finally:
            client.close()

    def seen(self, run):
        status = self.http.get(f"/runs/{run['id']}").status
        return status, self.ok(self.http.get(f"/test-results/?run={run['id']}&limit=1&retired=all"))["total"]

    def doctor(self):
        done = subprocess.run([servers.binary(), "doctor", "--data", str(self.server.data)], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done)
        return int(done.stdout.rsplit("good: ", 1)[1].split()[0])

    def test_I56_killed_at_any_moment_it_is_there_or_gone(self):
        for _ in range(4):
            run = self.canceled_run()
            client = self.server.client()
            told = []
            thread = threading.Thread(target=self.delete, args=(client, run, told))
            thread.start()
            time.sleep(random.uniform(0.001, 0.08))
            self.server.kill()
            thread.join()
            self.server.start()
            self.http.close()
            self.http = self.server.client()
            self.assertIn(self.seen(run), [(404, 0)] if told else [(404, 0), (200, RESULTS)])

    def test_I4_a_retry_in_between_finds_all_of_it_or_nothing(self):
        for _ in range(4):
            run = self.canceled_run()
            one = self.ok(self.http.get(f"/test-results/?run={run['id']}&limit=1"))["data"][0]
            told = []
            client = self.server.client()
            thread = threading.Thread(target=self.delete, args=(client, run, told))
            thread.start()
            time.sleep(random.uniform(0.0, 0.05))
            retried = self.http.post(f"/test-results/{one['id']}/retry").status
            thread.join()
            self.assertIn((told[0], retried, *self.seen(run)), [(204, 404, 404, 0), (409, 201, 200, RESULTS + 1)])

    def test_I13_a_patch_of_an_entry_while_its_result_is_deleted_is_404_and_not_damage(self):
        agent = self.agent()
        for _ in range(60):
            made = self.result(agent, testInstruction="say: one")
            entry = self.entry(made, "fine")
            self.ok(self.patch_result(made, status="canceled"))
            path = f"/test-results/{made['id']}"
            patch = ("PATCH", f"{path}/conversation/{entry['id']}", {"metadata": {"seen": True}})
            told = self.at_once([patch] * 3 + [("DELETE", path)] + [patch] * 4)
            self.assertEqual(told.count(204), 1, told)
            self.assertLessEqual(set(told), {204, 404, 409}, told)
        figures = self.http.get("/metrics").body.decode()
        self.assertRegex(figures, r"(?m)^parley_store_corrupt_reads_total 0$")

    def at_once(self, requests):
        """The statuses of requests that are sent together, each on a separate connection."""
        told = [None] * len(requests)

        def send(number, request):
            client = self.server.client()
            told[number] = client.send(*request).status
            client.close()
        threads = [threading.Thread(target=send, args=each) for each in enumerate(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        return told

    def test_D25_its_texts_are_erased_afterwards_even_across_a_restart(self):
        before_any = self.records()
        run = self.canceled_run()
        self.assertEqual(self.http.send("DELETE", f"/runs/{run['id']}").status, 204)
        self.server.kill()
        self.server.start()
        until = time.monotonic() + 20
        while self.records() > before_any + 20 and time.monotonic() < until:
            time.sleep(1)
        self.assertLess(self.records(), before_any + 20, "its agent, scenario and test are left")

    def records(self):
        """The number of values in the data file. The server is stopped for the count and started again."""
        self.http.close()
        self.server.stop()
        values = self.doctor()
        self.server.start()
        self.http = self.server.client()
        return values


if __name__ == "__main__":
    cases.main()
