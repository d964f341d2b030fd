"""Scenarios, tests, agents: defaults, changes, limits (D21, D23, D30, D31, D41, D55, D60, D70)."""
from support.cases import SystemTest, unique


class Records(SystemTest):
    def test_a_scenario_has_its_defaults(self):
        made = self.ok(self.http.post("/scenarios/", {}), 201)
        for field, value in {"name": "", "description": "", "isArchived": False, "agents": [], "folders": []}.items():
            self.assertEqual(made[field], value, field)
        self.assertIn("configuration", made)
        self.assertIn("fields", made)
        self.assertTrue(made["createdBy"]["id"])

    def test_a_test_has_its_defaults(self):
        scenario = self.scenario()
        made = self.ok(self.http.post("/tests/", {"scenario": scenario["id"]}), 201)
        for field, value in {"name": "", "description": "", "isEnabled": True, "isArchived": False, "instruction": "",
                             "assertions": [], "parentTest": None}.items():
            self.assertEqual(made[field], value, field)
        self.assertEqual(made["scenario"]["id"], scenario["id"])

    def test_an_agent_has_its_defaults(self):
        made = self.ok(self.http.post("/agents/", {}), 201)
        for field, value in {"name": "", "type": "", "config": {}, "metadata": {}, "secrets": {}, "isEnabled": True,
                             "isArchived": False}.items():
            self.assertEqual(made[field], value, field)
        self.assertTrue(made["owner"]["id"])

    def test_what_was_created_is_read_back_equal(self):
        scenario = self.scenario(description="d")
        test = self.a_test(scenario, assertions=[{"type": "contains", "config": {"value": "x"}}])
        agent = self.agent(metadata={"a": [1, {"b": None}]}, config={"note": 1})
        for path, made in ((f"/scenarios/{scenario['id']}", scenario), (f"/tests/{test['id']}", test),
                           (f"/agents/{agent['id']}", agent)):
            self.assertEqual(self.ok(self.http.get(path), 200), made)

    def test_a_patch_changes_what_it_names_and_nothing_else(self):
        made = self.scenario(description="before")
        after = self.ok(self.http.patch(f"/scenarios/{made['id']}", {"description": "after"}), 200)
        self.assertEqual(after, {**made, "description": "after", "updatedAt": after["updatedAt"]})
        test = self.a_test(self.scenario(), instruction="say: a")
        after = self.ok(self.http.patch(f"/tests/{test['id']}", {"isEnabled": False, "instruction": "say: b"}), 200)
        self.assertEqual(after, {**test, "isEnabled": False, "instruction": "say: b",
                                 "updatedAt": after["updatedAt"]})

    def test_a_test_needs_a_scenario(self):
        self.problem(self.http.post("/tests/", {"name": "x"}), 400, "/scenario")

    def test_D70_an_unknown_agent_type_is_400(self):
        self.problem(self.http.post("/agents/", {"type": "NONSENSE"}), 400, "/type")
        for kind in ("", "EXTERNAL", "LOCAL"):
            self.assertEqual(self.agent(type=kind)["type"], kind)

    def test_D23_secrets_are_write_only(self):
        made = self.agent(secrets={"token": "canary-4711", "other": "canary-4712"})
        self.assertEqual(made["secrets"], {"token": "***", "other": "***"})
        path = f"/agents/{made['id']}"
        after = self.ok(self.http.patch(path, {"secrets": {"token": "***", "other": None, "third": "canary-4713"}}))
        self.assertEqual(after["secrets"], {"token": "***", "third": "***"})
        for answer in (self.http.get(path), self.http.get("/agents/?limit=1000")):
            self.assertNotIn(b"canary-", answer.body)
        self.assertNotIn("canary-", self.server.told())

    def test_D23_the_mask_is_never_stored(self):
        made = self.agent(secrets={"token": "***", "other": "x"})
        self.assertEqual(made["secrets"], {"other": "***"})
        after = self.ok(self.http.patch(f"/agents/{made['id']}", {"secrets": {"token": "***", "other": "***"}}))
        self.assertEqual(after["secrets"], {"other": "***"})

    def test_D30_an_assertion_gets_its_defaults(self):
        made = self.a_test(self.scenario(), assertions=[{"criteria": "is polite"}])["assertions"][0]
        self.assertTrue(made["id"])
        self.assertEqual((made["type"], made["severity"], made["criteria"]), ("criteria", "BLOCKER", "is polite"))

    def test_D30_the_default_weight_is_that_of_the_severity(self):
        given = [{"criteria": "x", "severity": "BLOCKER"}, {"criteria": "x"}, {"criteria": "x", "severity": "MINOR"},
                 {"criteria": "x", "weight": 0}]
        test = self.a_test(self.scenario(), assertions=given)
        for rows in (test["assertions"], self.result(assertionResults=given)["assertionResults"]):
            self.assertEqual([row["weight"] for row in rows], [5, 5, 1, 0])

    def test_D30_a_given_assertion_id_is_kept(self):
        made = self.a_test(self.scenario(), assertions=[{"id": "mine", "criteria": "x"}])["assertions"][0]
        self.assertEqual(made["id"], "mine")

    def test_D31_a_bad_assertion_is_400_when_it_is_written(self):
        scenario = self.scenario()
        for assertion in ({"type": "nonsense"}, {"type": "contains"}, {"type": "contains", "config": {}},
                          {"type": "contains", "config": {"value": 5}},
                          {"type": "contains", "config": {"value": "x", "nonsense": 1}},
                          {"type": "contains", "config": {"value": "x", "scope": "some"}},
                          {"type": "contains", "config": {"values": ["x"], "match": "most"}},
                          {"type": "contains", "config": {"value": "x", "ignore": ["colour"]}},
                          {"type": "contains", "config": {"value": "x", "negate": "yes"}},
                          {"type": "equals", "config": {}}, {"type": "regex", "config": {"pattern": "("}},
                          {"type": "regex", "config": {}}, {"type": "tool-called", "config": {}},
                          {"type": "tool-called", "config": {"name": "x", "mode": "loose"}},
                          {"type": "tool-called", "config": {"name": "x", "min": -1}},
                          {"type": "tool-called", "config": {"name": "x", "arguments": []}},
                          {"type": "tool-called", "config": {"name": "x", "keys": "a"}},
                          {"type": "tool-not-called", "config": {}}, {"type": "tool-order", "config": {"names": "x"}},
                          {"type": "tool-order", "config": {"names": ["x"], "mode": "loose"}},
                          {"type": "action-invoked", "config": {}}, {"type": "max-turns", "config": {}},
                          {"type": "max-turns", "config": {"value": "3"}},
                          {"criteria": "x", "severity": "CRITICAL"}, {"criteria": "x", "weight": -1},
                          {"criteria": "x", "weight": 101}, {"criteria": "x", "weight": 1.5}):
            with self.subTest(assertion=assertion):
                self.problem(self.http.post("/tests/", {"scenario": scenario["id"], "assertions": [assertion]}), 400)
                self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"],
                                                               "assertionResults": [assertion]}), 400)

    def test_D60_a_fault_in_a_directive_is_400_when_it_is_written(self):
        scenario = self.scenario()
        for line in ("if /(/ say: x", "end if /(/", "invoke: act {bad", "invoke: act [1]", "max turns: many",
                     "if /(/ invoke: act {}"):
            with self.subTest(line=line):
                self.problem(self.http.post("/tests/", {"scenario": scenario["id"], "instruction": line}), 400,
                             "/instruction")
                self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"],
                                                               "testInstruction": line}), 400, "/testInstruction")

    def test_D55_long_texts_are_400(self):
        scenario = self.scenario()
        self.problem(self.http.post("/scenarios/", {"name": "x" * 1025}), 400, "/name")
        self.assertEqual(len(self.scenario(name="ä" * 1024)["name"]), 1024)
        body = {"scenario": scenario["id"], "instruction": "x" * (256 * 1024 + 1)}
        self.problem(self.http.post("/tests/", body), 400, "/instruction")
        self.ok(self.http.post("/tests/", {**body, "instruction": "x" * 256 * 1024}), 201)
        body = {"scenario": scenario["id"], "assertions": [{"criteria": "x" * (16 * 1024 + 1)}]}
        self.problem(self.http.post("/tests/", body), 400, "/assertions/0/criteria")

    def test_D41_a_stored_test_has_at_most_100_assertions(self):
        scenario = self.scenario()
        rows = [{"type": "contains", "config": {"value": str(n)}} for n in range(101)]
        self.assertEqual(len(self.a_test(scenario, assertions=rows[:100])["assertions"]), 100)
        self.problem(self.http.post("/tests/", {"scenario": scenario["id"], "assertions": rows}), 400, "/assertions")

    def test_D41_a_variant_of_a_variant_is_400(self):
        scenario = self.scenario()
        parent = self.a_test(scenario)
        variant = self.a_test(scenario, parentTest=parent["id"])
        self.problem(self.http.post("/tests/", {"scenario": scenario["id"], "parentTest": variant["id"]}), 400,
                     "/parentTest")

    def test_D41_a_variant_holds_only_its_overlay(self):
        scenario = self.scenario()
        parent = self.a_test(scenario, "say: parent", [{"type": "contains", "config": {"value": "x"}}])
        variant = self.a_test(scenario, "say: overlay", parentTest=parent["id"])
        self.assertEqual((variant["instruction"], variant["assertions"]), ("say: overlay", []))

    def test_records_are_archived_and_unarchived(self):
        for path, made in (("/scenarios/", self.scenario()), ("/tests/", self.a_test(self.scenario())),
                           ("/agents/", self.agent())):
            self.assertTrue(self.ok(self.http.patch(path + made["id"], {"isArchived": True}))["isArchived"])
            self.assertTrue(self.ok(self.http.get(path + made["id"]))["isArchived"])
            self.assertFalse(self.ok(self.http.patch(path + made["id"], {"isArchived": False}))["isArchived"])

    def test_D24_all_named_records_filter_by_part_of_the_name(self):
        word = unique("needle").replace(" ", "-")
        made = [self.scenario(name=f"a {word} {n}")["id"] for n in range(2)]
        self.scenario(name="another")
        rows = self.ok(self.http.get(f"/scenarios/?name={word}"))
        self.assertEqual({row["id"] for row in rows["data"]}, set(made))
        self.assertEqual(rows["total"], 2)
