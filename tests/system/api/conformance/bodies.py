"""Bodies, their faults, and links (D3, D5, D7, D8)."""
import re

from support.cases import SystemTest, unique

UNKNOWN = "01890000-0000-7000-8000-000000000000"


class Bodies(SystemTest):
    def test_D5_what_is_not_json_is_400_with_the_offset(self):
        for body in (b"{", b'{"name":}', b'{"name":"x",}', b"{'name':1}", b'{"name":"x"} x', b'{"name":"x"}{}',
                     b'{"name":"\xff"}', b'{"name":"\xc0\xaf"}', b'{"name":"\xed\xa0\x80"}', b'{"name":"x\x00"}',
                     b'{"name":"a\nb"}', b'{"name":"x","name":"y"}', b'{"fields":{"a":1,"a":2}}', b"nul", b'{"a":01}',
                     b'{"a":1.}', b'{"a":NaN}', b'{"a":"\\x"}', b'{"a":"\\ud800"}', b"\x00"):
            with self.subTest(body=body):
                document = self.problem(self.http.post("/scenarios/", body), 400)
                self.assertRegex(str(document), r"\d", "the offset is named")

    def test_D5_a_body_that_is_not_an_object_is_400(self):
        for body in (b"[]", b"1", b'"x"', b"null", b"true"):
            with self.subTest(body=body):
                self.problem(self.http.post("/scenarios/", body), 400)

    def test_D5_nesting_up_to_64_is_read_and_deeper_is_400(self):
        def nested(depth):
            # the outer object of the body is the first level
            return b'{"metadata":' + b'{"a":' * (depth - 2) + b"{}" + b"}" * (depth - 2) + b"}"
        self.ok(self.http.post("/agents/", nested(64)), 201)
        self.problem(self.http.post("/agents/", nested(65)), 400)
        self.problem(self.http.post("/agents/", b'{"metadata":' + b"[" * 100000), 400)

    def test_D5_an_escaped_nul_is_kept(self):
        made = self.ok(self.http.post("/agents/", b'{"metadata":{"a":"x\\u0000y"}}'), 201)
        self.assertEqual(made["metadata"], {"a": "x\0y"})

    def test_D5_unknown_fields_are_ignored_unless_handling_is_strict(self):
        body = {"name": "x", "nonsense": 1, "id": "mine", "createdAt": "2020-01-01T00:00:00.000Z"}
        made = self.ok(self.http.post("/scenarios/", body), 201)
        self.assertNotIn("nonsense", made)
        self.assertNotEqual(made["id"], "mine")
        run = f"/runs/{self.a_run(self.scenario(), self.agent())['id']}/cancel"
        self.problem(self.http.post(run, {"nonsense": 1}, {"Prefer": "handling=strict"}), 400, "/nonsense")
        self.ok(self.http.post(run, {"nonsense": 1}))
        self.problem(self.http.post("/scenarios/", {"name": "x", "nonsense": 1}, {"Prefer": "handling=strict"}), 400,
                     "/nonsense")

    def test_D5_a_field_that_the_record_shows_is_not_unknown(self):
        strict = {"Prefer": "handling=strict"}
        run = self.a_run(self.scenario(), self.agent(), "new")
        result = self.result(testInstruction="say: a")
        entry = self.entry(result, "x")
        for path, without in ((f"/runs/{run['id']}", ("status", "scenario")), (f"/test-results/{result['id']}", ("status",)),
                              (f"/test-results/{result['id']}/conversation/{entry['id']}", ())):
            shown = entry if "conversation" in path else self.ok(self.http.get(path))
            body = {key: value for key, value in shown.items() if key not in without}
            with self.subTest(path=path):
                self.ok(self.http.patch(path, body, strict))
                self.problem(self.http.patch(path, {**body, "nonsense": 1}, strict), 400, "/nonsense")
        self.ok(self.http.post(f"/test-results/{result['id']}/conversation", entry, strict), 201)
        self.ok(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "score": 5, "id": "x"}, strict), 201)

    def test_D5_a_null_for_an_optional_field_equals_leaving_it_out(self):
        made = self.ok(self.http.post("/scenarios/", {"name": None, "description": None, "agents": None}), 201)
        self.assertEqual((made["name"], made["description"], made["agents"]), ("", "", []))
        self.ok(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "test": None, "metadata": None,
                                                  "completionMode": None}), 201)

    def test_D5_an_empty_body_counts_as_an_empty_object(self):
        self.ok(self.http.post("/scenarios/", b""), 201)
        self.problem(self.http.post("/runs/", b""), 400, "/agent")

    def test_D3_all_faults_of_a_body_are_reported_at_once(self):
        document = self.problem(self.http.post("/runs/", {}), 400)
        self.assertEqual({fault["pointer"] for fault in document["errors"]}, {"/scenario", "/agent", "/status"})
        document = self.problem(self.http.post("/runs/", {"scenario": 5, "agent": [], "status": "odd",
                                                          "repetitions": 0, "maxConcurrentTests": -1}), 400)
        self.assertLessEqual({"/scenario", "/agent", "/status", "/repetitions", "/maxConcurrentTests"},
                             {fault["pointer"] for fault in document["errors"]})

    def test_D3_a_value_of_the_wrong_kind_is_one_fault(self):
        scenario = self.scenario()
        for path, body, pointers in (
                ("/tests/", {"assertions": [5, {"type": 7}, {"criteria": 5}, {"type": "regex", "config": 5}]},
                 ["/assertions/0", "/assertions/1/type", "/assertions/2/criteria", "/assertions/3/config"]),
                ("/agents/", {"type": "HTTP", "config": 5}, ["/config"]),
                ("/tags/", {"isSmart": True, "rule": {}}, ["/rule/conditions"]),
                ("/tags/", {"isSmart": True, "rule": {"conditions": [5]}}, ["/rule/conditions/0"]),
                ("/scheduled-runs/", {"agent": self.any_agent()["id"], "cron": 5}, ["/cron"]),
                (f"/test-results/{self.result(testInstruction='say: a')['id']}/conversation", {"type": "shout"}, ["/type"])):
            with self.subTest(path=path, body=body):
                document = self.problem(self.http.post(path, {"scenario": scenario["id"], **body}), 400)
                self.assertEqual(sorted(fault["pointer"] for fault in document["errors"]), pointers)

    def test_D3_a_fault_inside_a_list_is_pointed_at(self):
        scenario = self.scenario()
        document = self.problem(self.http.post("/tests/", {
            "scenario": scenario["id"],
            "assertions": [{"type": "contains", "config": {"value": "x"}}, {"type": "nonsense"},
                           {"type": "contains", "config": {"value": "x"}, "severity": "ODD", "weight": 101}]}), 400)
        self.assertLessEqual({"/assertions/1/type", "/assertions/2/severity", "/assertions/2/weight"},
                             {fault["pointer"] for fault in document["errors"]})

    def test_D5_a_wrong_type_is_400(self):
        for path, body, pointer in (("/scenarios/", {"name": 1}, "/name"), ("/scenarios/", {"fields": []}, "/fields"),
                                    ("/scenarios/", {"isArchived": "true"}, "/isArchived"),
                                    ("/agents/", {"metadata": []}, "/metadata"), ("/agents/", {"type": 1}, "/type"),
                                    ("/agents/", {"isEnabled": 1}, "/isEnabled"),
                                    ("/test-results/", {"agent": "x", "isManual": "no"}, "/isManual"),
                                    ("/test-results/", {"agent": "x", "externalLinks": {}}, "/externalLinks"),
                                    ("/test-results/", {"agent": "x", "metadata": "x"}, "/metadata"),
                                    ("/test-results/", {"agent": "x", "completionMode": "later"}, "/completionMode")):
            with self.subTest(body=body):
                self.problem(self.http.post(path, body), 400, pointer)

    def test_D4_an_unknown_id_in_a_body_is_400_with_its_pointer(self):
        scenario, agent = self.scenario(), self.agent()
        for unknown in (UNKNOWN, "no id at all", "", scenario["id"]):
            with self.subTest(id=unknown):
                self.problem(self.http.post("/runs/", {"scenario": scenario["id"], "agent": unknown, "status": "new"}),
                             400, "/agent")
                self.problem(self.http.post("/test-results/", {"agent": unknown}), 400, "/agent")
                self.problem(self.http.post("/test-results/", {"agent": agent["id"], "test": unknown}), 400, "/test")
                self.problem(self.http.post("/test-results/", {"agent": agent["id"], "run": unknown}), 400, "/run")
        self.problem(self.http.post("/tests/", {"scenario": UNKNOWN}), 400, "/scenario")
        self.problem(self.http.post("/runs/", {"scenario": UNKNOWN, "agent": agent["id"], "status": "new"}), 400,
                     "/scenario")
        self.problem(self.http.post("/tests/", {"scenario": scenario["id"], "parentTest": UNKNOWN}), 400,
                     "/parentTest")

    def test_D7_ids_are_short_url_safe_and_ordered_by_time(self):
        made = [self.scenario() for _ in range(20)]
        for record in made:
            self.assertRegex(record["id"], r"^[A-Za-z0-9_-]{1,64}$")
        self.assertEqual(len({record["id"] for record in made}), 20)
        by_time = {}
        for record in made:
            by_time.setdefault(record["createdAt"], []).append(record["id"])
        milliseconds = sorted(by_time)
        for earlier, later in zip(milliseconds, milliseconds[1:]):
            self.assertLess(max(by_time[earlier]), min(by_time[later]))

    def test_D7_times_are_utc_with_milliseconds(self):
        made = self.scenario()
        for field in ("createdAt", "updatedAt"):
            self.assertTrue(re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", made[field]), made[field])
        self.assertGreaterEqual(made["updatedAt"], made["createdAt"])

    def test_D7_updatedAt_changes_with_every_change_and_never_runs_backwards(self):
        made = self.scenario()
        before = made["updatedAt"]
        for number in range(5):
            after = self.ok(self.http.patch(f"/scenarios/{made['id']}", {"name": f"n{number}"}), 200)["updatedAt"]
            self.assertGreater(after, before)
            before = after

    def test_D7_every_change_of_a_result_moves_its_updatedAt_and_its_etag(self):
        made = self.result(testInstruction="say: one\nsay: two")
        path = f"/test-results/{made['id']}"
        entry = None

        def add():
            nonlocal entry
            entry = self.entry(made, "fine")
        changes = (lambda: self.ok(self.http.patch(path, {"metadata": {"n": 1}})), lambda: self.turn(made), add,
                   lambda: self.ok(self.patch_entry(made, entry, {"cost": 1})), lambda: self.turn(made),
                   lambda: self.ok(self.patch_result(made, completionMode="manual")),
                   lambda: self.ok(self.patch_result(made, status="canceled")))
        seen = []
        for change in (lambda: None, *changes):
            change()
            answer = self.http.get(path)
            seen.append((answer.json()["updatedAt"], answer.headers["etag"]))
        times = [time for time, _ in seen]
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual(len({tag for _, tag in seen}), len(seen))

    def test_D8_links_come_back_as_objects_resolved_when_read(self):
        agent, scenario = self.agent(), self.scenario()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        self.assertEqual(run["scenario"]["id"], scenario["id"])
        self.assertEqual(run["scenario"]["name"], scenario["name"])
        self.assertEqual(run["agent"]["type"], "EXTERNAL")
        self.assertIn("name", run["createdBy"])
        self.assertIn("name", run["runGroup"])
        result = self.result(agent, run=run["id"], test=test["id"])
        self.assertEqual((result["test"]["id"], result["test"]["name"]), (test["id"], test["name"]))
        self.assertEqual((result["run"]["id"], result["run"]["status"]), (run["id"], "running"))
        self.assertEqual(result["agent"]["name"], agent["name"])
        name = unique("renamed")
        self.ok(self.http.patch(f"/agents/{agent['id']}", {"name": name}), 200)
        self.ok(self.http.patch(f"/tests/{test['id']}", {"name": name}), 200)
        self.assertEqual(self.get_result(result)["agent"]["name"], name)
        self.assertEqual(self.get_result(result)["test"]["name"], name)
        self.assertEqual(self.get_run(run)["agent"]["name"], name)
        row = [r for r in self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]][0]
        self.assertEqual(row["agent"]["name"], name)

    def test_D8_lists_of_links_take_one_id_or_an_array(self):
        agent, other = self.agent(), self.agent()
        one = self.scenario(agents=agent["id"])
        self.assertEqual([link["id"] for link in one["agents"]], [agent["id"]])
        two = self.scenario(agents=[agent["id"], other["id"]])
        self.assertEqual([link["id"] for link in two["agents"]], [agent["id"], other["id"]])
        self.assertEqual(two["agents"][0]["name"], agent["name"])
        self.assertEqual(two["agents"][0]["type"], "EXTERNAL")
        self.assertEqual(self.scenario(agents=[])["agents"], [])

    def test_D8_parentTest_stays_a_string(self):
        scenario = self.scenario()
        parent = self.a_test(scenario)
        self.assertEqual(self.a_test(scenario, parentTest=parent["id"])["parentTest"], parent["id"])
        self.assertIsNone(parent["parentTest"])

    def test_I4_a_refused_write_has_no_effect(self):
        total = self.ok(self.http.get("/scenarios/?limit=1"))["total"]
        self.problem(self.http.post("/scenarios/", {"name": "x", "agents": [UNKNOWN]}), 400)
        self.problem(self.http.post("/scenarios/", {"name": 5}), 400)
        self.assertEqual(self.ok(self.http.get("/scenarios/?limit=1"))["total"], total)
        made = self.scenario()
        self.problem(self.http.patch(f"/scenarios/{made['id']}", {"name": "changed", "isArchived": 5}), 400)
        self.assertEqual(self.ok(self.http.get(f"/scenarios/{made['id']}")), made)
