"""Scheduled runs (D20): the scheduler starts each run once, even if the server was down at the scheduled time."""
import time

from support.cases import SystemTest, unique
from support.server import Server


def until(true):
    for _ in range(100):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it never came")


class Schedules(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()
        cls.http = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.http.close()
        cls.server.stop()
        cls.server.remove()

    def runs_of(self, schedule):
        page = self.ok(self.http.get("/runs/?scheduled=true&limit=1000"))
        return [run for run in page["data"] if run["scheduledRun"]["id"] == schedule["id"]]

    def test_D20_a_schedule_starts_one_run_an_instant_even_across_a_restart(self):
        agent = self.agent(type="LOCAL")
        scenario = self.scenario()
        self.a_test(scenario)
        if time.time() % 60 > 50:
            time.sleep(11)  # the scheduled time must come while the server is down
        made = self.create("/scheduled-runs/", name=unique("s"), scenario=scenario["id"], agent=agent["id"],
                           cron="* * * * *", timezone="Europe/Berlin", repetitions=2)
        path = f"/scheduled-runs/{made['id']}"
        self.assertEqual(made["nextRunAt"][16:], ":00.000Z")
        self.assertIsNone(made["lastRunAt"])
        off = self.create("/scheduled-runs/", scenario=scenario["id"], agent=agent["id"], cron="* * * * *",
                          isEnabled=False)
        self.assertIsNone(off["nextRunAt"])
        archived = self.create("/scheduled-runs/", scenario=scenario["id"], agent=agent["id"], cron="* * * * *")
        # The server is down at the scheduled time: after its restart it starts the run, once.
        self.http.close()
        self.server.kill()
        time.sleep(max(0.0, 60.5 - time.time() % 60))
        self.server.start()
        type(self).http = self.server.client()
        # Archived after the schedule has fired (lastRunAt) and before its run exists: the run must still be created.
        until(lambda: self.ok(self.http.get(f"/scheduled-runs/{archived['id']}"))["lastRunAt"])
        self.ok(self.http.patch(f"/scheduled-runs/{archived['id']}", {"isArchived": True}))
        until(lambda: self.runs_of(made))
        time.sleep(2.5)
        self.assertEqual(len(self.runs_of(archived)), 1)
        runs = self.runs_of(made)
        self.assertEqual(len(runs), 1)
        run = runs[0]
        self.assertIsNone(run["createdBy"])
        self.assertEqual(run["status"], "pending")
        self.assertEqual(run["repetitions"], 2)
        self.assertTrue(run["runGroup"]["id"])
        results = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))
        self.assertEqual(results["total"], 2)
        now = self.ok(self.http.get(path))
        self.assertGreaterEqual(now["lastRunAt"], made["nextRunAt"])
        self.assertGreater(now["nextRunAt"], now["lastRunAt"])
        self.assertEqual(self.runs_of(off), [])
        self.a_run(scenario, agent)
        self.assertEqual(self.ok(self.http.get("/runs/?scheduled=false"))["total"], 1)

    def test_D20_a_bad_schedule_is_400(self):
        self.problem(self.http.post("/scheduled-runs/", {"cron": "0 6 30 2 *"}), 400, "/cron")
        self.problem(self.http.post("/scheduled-runs/", {"timezone": "Mars/Base"}), 400, "/timezone")
