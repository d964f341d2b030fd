#!/usr/bin/env python3
"""--retention (D25): old records that have ended are deleted permanently, and nothing else."""
import subprocess
import time

from support import cases, server as servers
from support.cases import SystemTest, unique


class Retention(SystemTest):
    options = ("--retention", "3s", "--rest-after", "1s")

    def is_gone(self, path, timeout_s=20):
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            answer = self.http.get(path)
            if answer.status == 404:
                return True
            self.assertEqual(answer.status, 200, answer)
            time.sleep(0.1)
        return False

    def test_D25_old_runs_previews_and_logs_go_and_the_rest_stays(self):
        scenario, agent = self.scenario(), self.agent()
        a_test = self.a_test(scenario, "say: one")
        ended = self.a_run(scenario, agent)
        of_run = self.result(agent, run=ended["id"], test=a_test["id"])
        self.converse(of_run)
        self.settled(of_run)
        self.run_becomes(ended, "completed")
        live = self.a_run(scenario, agent)
        of_live = self.result(agent, run=live["id"], test=a_test["id"])
        self.converse(of_live)
        self.settled(of_live)
        self.result(agent, run=live["id"])
        preview, waiting = self.in_state("C"), self.in_state("R")
        log = self.create("/external-conversation-logs/", externalId=unique("log"),
                          conversation=[{"role": "user", "content": "hi"}])
        self.assertEqual(self.http.get(f"/runs/{ended['id']}").status, 200, "not old enough yet")
        for path in (f"/runs/{ended['id']}", f"/test-results/{of_run['id']}", f"/test-results/{preview['id']}",
                     f"/external-conversation-logs/{log['id']}"):
            self.assertTrue(self.is_gone(path), path)
        for path in (f"/runs/{live['id']}", f"/test-results/{of_live['id']}", f"/test-results/{waiting['id']}",
                     f"/scenarios/{scenario['id']}", f"/tests/{a_test['id']}", f"/agents/{agent['id']}"):
            self.assertEqual(self.http.get(path).status, 200, path)
        self.assertEqual(self.ok(self.http.get(f"/test-results/?run={ended['id']}"))["total"], 0)
        # The name of the deleted log is free again.
        self.create("/external-conversation-logs/", externalId=log["externalId"], conversation=[])

    def test_a_run_of_many_results_is_deleted_whole_and_the_views_stay_right(self):
        scenario, agent = self.scenario(), self.agent()
        run = self.a_run(scenario, agent)
        for _ in range(450):
            self.result(agent, run=run["id"], testInstruction="say: one")
        self.ok(self.cancel_run(run))
        self.assertTrue(self.is_gone(f"/runs/{run['id']}"))
        self.assertEqual(self.ok(self.http.get(f"/test-results/?run={run['id']}&limit=1"))["total"], 0)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.server.stop()
        ended = subprocess.run([servers.binary(), "doctor", "--data", str(cls.server.data)], capture_output=True, text=True,
                               timeout=60, check=False)
        assert ended.returncode == 0, ended
        cls.server.start()


if __name__ == "__main__":
    cases.main()
