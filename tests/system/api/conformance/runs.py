"""Runs: creation, status changes, cancel (D2, D35, D42-D45, D55)."""
from support.cases import SystemTest, unique

STATUSES = ("new", "pending", "running", "completed", "failed", "canceled")
# D45: the status changes that a client may request. All others are 409; the same value changes nothing.
MOVES = {"new": {"pending", "running", "completed", "failed", "canceled"},
         "pending": {"running", "completed", "failed", "canceled"},
         "running": {"completed", "failed", "canceled"}, "completed": set(), "failed": set(), "canceled": set()}


class Runs(SystemTest):
    def setUp(self):
        self.scenario_ = self.scenario()
        self.test_ = self.a_test(self.scenario_)
        self.agent_ = self.agent()

    def fresh(self, status="running", **body):
        return self.a_run(self.scenario_, self.agent_, status, **body)

    def body(self, **more):
        return {"scenario": self.scenario_["id"], "agent": self.agent_["id"], "status": "new", **more}

    def test_a_run_has_its_defaults(self):
        made = self.fresh("new")
        for field, value in {"status": "new", "result": {}, "personality": None, "testConfigs": [], "repetitions": 1,
                             "maxConcurrentTests": 0, "isArchived": False, "scheduledRun": None,
                             "hallucinationStatus": None}.items():
            self.assertEqual(made[field], value, field)
        self.assertEqual(self.fresh("new", maxConcurrentTests=3)["maxConcurrentTests"], 3)

    def test_I51_a_run_has_exactly_the_status_it_was_created_with(self):
        for status in STATUSES:
            with self.subTest(status=status):
                made = self.fresh(status)
                self.assertEqual(made["status"], status)
                self.assertEqual(self.get_run(made)["status"], status)
                self.ok(self.patch_run(made, isArchived=True))
                self.assertEqual(self.get_run(made)["status"], status)

    def test_a_status_outside_the_six_is_400(self):
        for status in ("Running", "done", "", 5, None):
            with self.subTest(status=status):
                self.problem(self.http.post("/runs/", self.body(status=status)), 400, "/status")

    def test_I50_every_run_has_a_group_of_its_own_and_a_creator(self):
        one, two = self.fresh(), self.fresh()
        self.assertTrue(one["runGroup"]["id"])
        self.assertNotEqual(one["runGroup"]["id"], two["runGroup"]["id"])
        self.assertEqual(one["createdBy"], two["createdBy"])
        three = self.fresh(runGroup=one["runGroup"]["id"])
        self.assertEqual(three["runGroup"]["id"], one["runGroup"]["id"])

    def test_D55_numbers_outside_their_range_are_400(self):
        for field, values in (("repetitions", (0, -1, 1001, 2 ** 31, 1.5, "1")),
                              ("maxConcurrentTests", (-1, 100001, 0.5, "1"))):
            for value in values:
                with self.subTest(field=field, value=value):
                    self.problem(self.http.post("/runs/", self.body(**{field: value})), 400, "/" + field)
        made = self.fresh(repetitions=1000, maxConcurrentTests=100000)
        self.assertEqual((made["repetitions"], made["maxConcurrentTests"]), (1000, 100000))

    def test_D55_more_than_20000_cases_are_400(self):
        rows = [{"test": self.test_["id"], "repetitions": 1000}] * 21
        self.problem(self.http.post("/runs/", self.body(testConfigs=rows, status="pending")), 400)

    def test_a_launch_whose_cases_do_not_fit_into_one_commit_is_400(self):
        scenario, agent = self.scenario(), self.agent(type="LOCAL")
        long = self.a_test(scenario, "x" * 256 * 1024)
        launch = {"scenario": scenario["id"], "agent": agent["id"], "status": "pending"}
        self.problem(self.http.post("/runs/", {**launch, "repetitions": 600}), 400, "/repetitions")
        rows = [{"test": long["id"], "repetitions": 600}]
        self.problem(self.http.post("/runs/", {**launch, "testConfigs": rows}), 400, "/testConfigs")
        self.assertEqual(self.run_becomes(self.ok(self.http.post("/runs/", launch), 201), "pending")["result"]["total"], 1)
        self.a_test(scenario, "and in haste", parentTest=long["id"])
        self.problem(self.http.post("/runs/", launch), 400, "/scenario")

    def test_D43_bad_test_configs_are_400(self):
        archived = self.a_test(self.scenario_)
        self.ok(self.http.patch(f"/tests/{archived['id']}", {"isArchived": True}))
        foreign = self.a_test(self.scenario())
        for row in ({}, {"test": "nothing"}, {"test": archived["id"]}, {"test": foreign["id"]},
                    {"test": self.test_["id"], "repetitions": 0}, {"test": self.test_["id"], "repetitions": 1001},
                    {"test": self.test_["id"], "personality": "nobody"}, "x"):
            with self.subTest(row=row):
                self.problem(self.http.post("/runs/", self.body(testConfigs=[row], status="pending")), 400)

    def test_an_agent_outside_those_of_the_scenario_is_400(self):
        scenario = self.scenario(agents=[self.agent_["id"]])
        self.a_run(scenario, self.agent_)
        self.problem(self.http.post("/runs/", {"scenario": scenario["id"], "agent": self.agent()["id"],
                                               "status": "running"}), 400, "/agent")

    def test_D43_launching_with_a_disabled_or_archived_agent_is_409(self):
        for change in ({"isEnabled": False}, {"isArchived": True}):
            agent = self.agent()
            waiting = self.a_run(self.scenario_, agent, "new")
            self.ok(self.http.patch(f"/agents/{agent['id']}", change))
            self.problem(self.http.post("/runs/", self.body(agent=agent["id"], status="pending")), 409)
            self.problem(self.patch_run(waiting, status="pending"), 409)
            self.assertEqual(self.get_run(waiting)["status"], "new")

    def test_D45_the_moves_of_a_status(self):
        for begin in STATUSES:
            for to in STATUSES:
                with self.subTest(begin=begin, to=to):
                    run = self.fresh(begin)
                    answer = self.patch_run(run, status=to)
                    if to == begin:
                        self.assertEqual(self.ok(answer, 200), self.get_run(run))
                        self.assertEqual(self.get_run(run)["updatedAt"], run["updatedAt"])
                    elif to in MOVES[begin]:
                        self.assertEqual(self.ok(answer, 200)["status"], to)
                        self.assertEqual(self.get_run(run)["status"], to)
                    else:
                        self.problem(answer, 409)
                        self.assertEqual(self.get_run(run), run)

    def test_D45_a_client_closes_a_run_only_when_no_result_is_unfinished(self):
        for word in ("completed", "failed"):
            run = self.fresh(repetitions=2)
            result = self.result(self.agent_, run=run["id"], test=self.test_["id"])
            self.problem(self.patch_run(run, status=word), 409)
            self.ok(self.patch_result(result, status="failed"))
            self.assertEqual(self.ok(self.patch_run(run, status=word))["status"], word)

    def test_an_unknown_status_in_a_patch_is_400(self):
        self.problem(self.patch_run(self.fresh(), status="done"), 400, "/status")

    def test_an_empty_patch_changes_nothing(self):
        run = self.fresh()
        self.assertEqual(self.ok(self.patch_run(run), 200), run)

    def test_D35_the_result_of_a_run_is_what_a_client_gave_until_it_is_launched(self):
        run = self.fresh("new")
        self.assertEqual(self.ok(self.patch_run(run, result={"note": [1, 2.50]}))["result"], {"note": [1, 2.5]})
        self.assertEqual(self.ok(self.patch_run(run, result={"other": 1}))["result"], {"other": 1})
        self.problem(self.patch_run(run, result=[1]), 400, "/result")
        self.problem(self.patch_run(run, result={"x": "x" * 256 * 1024}), 400, "/result")

    def test_a_run_is_archived_without_another_effect(self):
        run = self.fresh()
        after = self.ok(self.patch_run(run, isArchived=True))
        self.assertEqual(after, {**run, "isArchived": True, "updatedAt": after["updatedAt"]})

    def test_cancel_run_cancels_an_unfinished_run_and_refuses_a_finished_one(self):
        for status in STATUSES:
            with self.subTest(status=status):
                run = self.fresh(status)
                answer = self.cancel_run(run)
                if status in ("new", "pending", "running"):
                    self.assertEqual(self.ok(answer, 200)["status"], "canceled")
                    self.problem(self.patch_run(run, status="running"), 409)
                    self.assertEqual(self.ok(self.patch_run(run, status="canceled"))["status"], "canceled")
                    self.problem(self.cancel_run(run), 400)
                else:
                    self.problem(answer, 400)
                    self.assertEqual(self.get_run(run), run)

    def test_I45_cancel_run_reaches_what_is_being_scored(self):
        run = self.fresh(repetitions=2)
        with self.scoring_paused():
            claimed, open_ = [self.result(self.agent_, run=run["id"], test=self.test_["id"]) for _ in range(2)]
            self.converse(claimed)
            self.turn(open_)
            self.assertIsNotNone(self.get_result(claimed)["scoringEnqueuedAt"])
            self.ok(self.cancel_run(run), 200)
            self.assertEqual([self.get_result(one)["status"] for one in (claimed, open_)], ["canceled"] * 2)
        after = self.get_result(claimed)
        self.assertEqual((after["status"], after["score"]), ("canceled", 0), "the verdict is dropped")
        self.assertEqual(self.get_run(run)["result"]["canceled"], 2)

    def test_cancel_run_cancels_what_is_live_and_keeps_what_is_finished(self):
        for word in ("operation", "patch"):
            run = self.fresh(repetitions=5)
            made = [self.result(self.agent_, run=run["id"], test=self.test_["id"],
                                completionMode="manual" if n == 2 else "auto") for n in range(4)]
            done, open_, waiting, untouched = made
            self.converse(done)
            done = self.settled(done)
            self.turn(open_)
            self.converse(waiting)
            before = self.get_run(run)["result"]
            self.ok(self.cancel_run(run) if word == "operation" else self.patch_run(run, status="canceled"), 200)
            for result in (open_, waiting, untouched):
                after = self.get_result(result)
                self.assertEqual((after["status"], after["isEnded"]), ("canceled", True))
                self.assertTrue(after["endReason"])
            self.assertEqual(self.get_result(open_)["endReason"], "canceled")
            after = self.get_result(done)
            self.assertEqual(after, {**done, "run": after["run"]})
            after = self.get_run(run)["result"]
            self.assertEqual((after["score"], after["passRate"]), (before["score"], before["passRate"]))
            self.assertEqual((after["canceled"], after["completed"], after["running"]), (3, 1, 0))
            self.assertTrue(self.ok(self.next_message(open_))["end_chat"])
            self.problem(self.post_entry(open_, "late"), 409)

    def test_D42_results_of_finished_runs(self):
        body = {"agent": self.agent_["id"], "test": self.test_["id"]}
        for status in ("canceled", "failed"):
            self.problem(self.http.post("/test-results/", {**body, "run": self.fresh(status)["id"]}), 409)
        canceled = self.fresh()
        self.ok(self.cancel_run(canceled))
        self.problem(self.http.post("/test-results/", {**body, "run": canceled["id"]}), 409)
        for status in ("new", "pending", "running"):
            self.ok(self.http.post("/test-results/", {**body, "run": self.fresh(status)["id"]}), 201)
        completed = self.fresh("completed")
        self.ok(self.http.post("/test-results/", {**body, "run": completed["id"]}), 201)
        self.assertEqual(self.get_run(completed)["status"], "running")

    def test_a_name_of_a_scenario_shows_in_its_runs(self):
        run = self.fresh()
        name = unique("renamed")
        self.ok(self.http.patch(f"/scenarios/{self.scenario_['id']}", {"name": name}))
        self.assertEqual(self.get_run(run)["scenario"]["name"], name)
