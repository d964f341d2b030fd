"""Descriptive fields of runs (D103): name, metadata, seed, usage, and the filters of their list."""
import urllib.parse

from support.cases import SystemTest, unique


class RunStory(SystemTest):
    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()

    def ids(self, **query):
        query = urllib.parse.urlencode({"scenario": self.scenario_["id"], **query})
        return [row["id"] for row in self.ok(self.http.get(f"/runs/?{query}"))["data"]]

    def test_D103_a_run_has_a_name_metadata_and_a_seed(self):
        made = self.a_run(self.scenario_, self.agent_, name="nightly", metadata={"commit": "4ac98d5"}, seed=-7)
        self.assertEqual((made["name"], made["metadata"], made["seed"]), ("nightly", {"commit": "4ac98d5"}, -7))
        patched = self.ok(self.patch_run(made, name="release", metadata={"tag": "v2"}, seed=11))
        self.assertEqual((patched["name"], patched["metadata"], patched["seed"]), ("release", {"tag": "v2"}, 11))
        self.assertEqual(self.ok(self.patch_run(made))["updatedAt"], patched["updatedAt"])
        self.assertEqual(self.get_run(made), patched)
        bare = self.a_run(self.scenario_, self.agent_)
        self.assertEqual((bare["name"], bare["metadata"], bare["seed"]), ("", {}, None))
        result = self.result(self.agent_, run=made["id"], test=self.a_test(self.scenario_)["id"])
        self.assertEqual(result["run"]["name"], "release")

    def test_D103_faults_are_named(self):
        body = {"scenario": self.scenario_["id"], "agent": self.agent_["id"], "status": "new"}
        made = self.a_run(self.scenario_, self.agent_)
        for field, value in (("metadata", {"a": "x" * 17_000}), ("metadata", []), ("seed", 1.5), ("seed", "1"), ("name", 1),
                             ("name", "x" * 1_025)):
            with self.subTest(field=field):
                self.problem(self.http.post("/runs/", {**body, field: value}), 400, f"/{field}")
                self.problem(self.patch_run(made, **{field: value}), 400, f"/{field}")

    def test_D103_runs_are_filtered_by_name_and_time(self):
        first = self.a_run(self.scenario_, self.agent_, name=unique("nightly build"))
        second = self.a_run(self.scenario_, self.agent_, name="release")
        self.assertEqual(self.ids(name="nightly"), [first["id"]])
        self.assertEqual(self.ids(name="Nightly"), [])
        self.assertEqual(self.ids(createdAfter="2020-01-01T00:00:00Z"), [second["id"], first["id"]])
        self.assertEqual(self.ids(createdBefore="2020-01-01T00:00:00Z"), [])
        self.assertNotIn(second["id"], self.ids(createdAfter=second["createdAt"]))
        self.assertNotIn(first["id"], self.ids(createdBefore=first["createdAt"]))
        if first["createdAt"] < second["createdAt"]:
            self.assertEqual(self.ids(createdAfter=first["createdAt"]), [second["id"]])
            self.assertEqual(self.ids(createdBefore=second["createdAt"], name="nightly"), [first["id"]])
        for name in ("createdAfter", "createdBefore"):
            self.problem(self.http.get(f"/runs/?{name}=yesterday"), 400, parameter=name)

    def test_D103_what_the_agent_used_is_summed(self):
        run = self.a_run(self.scenario_, self.agent_)
        nothing = {"calls": 0, "inputTokens": None, "outputTokens": None, "cost": None}
        self.assertEqual(run["usage"], {"agent": nothing, "tester": nothing, "judge": nothing})
        test = self.a_test(self.scenario_, "say: one\nsay: two")
        made = []
        for _ in range(2):
            result = self.result(self.agent_, run=run["id"], test=test["id"])
            for turn in range(2):
                self.turn(result)
                self.entry(result, "fine", metadata={"responseTime": 5, "inputTokens": 100, "outputTokens": 10, "cost": 0.25})
            self.turn(result)
            made.append(self.settled(result))
        used = {"calls": 4, "inputTokens": 400, "outputTokens": 40, "cost": 1.0}
        self.assertEqual(self.get_run(run)["usage"], {"agent": used, "tester": nothing, "judge": nothing})
        self.ok(self.retry(made[0]), 201)
        self.assertEqual(self.get_run(run)["usage"]["agent"], used)
        row = self.ok(self.http.get(f"/runs/?scenario={self.scenario_['id']}&output=minimal"))["data"][0]
        self.assertNotIn("usage", row)
        self.assertNotIn("metadata", row)
