"""Creation and PATCH of test results, composition of variants (D31, D32, D41, D42, D46, D56)."""
import json

from support.cases import SystemTest

PASSES = {"type": "contains", "config": {"value": "fine"}}


def exact(text):
    """JSON with numbers kept as they are written (I58)."""
    return json.loads(text, parse_int=str, parse_float=str)


class Results(SystemTest):
    def test_I16_a_new_result_has_its_defaults(self):
        made = self.result()
        for field, value in {"status": "pending", "isEnded": False, "endReason": None, "completionMode": "auto",
                             "scoringEnqueuedAt": None, "conversation": [], "assertionResults": [],
                             "overallPassed": True, "score": 0, "isManual": False, "claims": [], "review": None,
                             "externalLinks": [], "test": None, "run": None, "personality": None,
                             "sourceConversationLog": None, "testCreatedAt": None, "testInstruction": "",
                             "isArchived": False, "retiredBy": None,
                             "averages": {"responseTime": None, "inputTokens": None, "outputTokens": None,
                                          "cost": None}}.items():
            self.assertEqual(made[field], value, field)

    def test_a_result_of_a_test_carries_its_case(self):
        scenario = self.scenario()
        test = self.a_test(scenario, "say: a", [{**PASSES, "name": "n", "severity": "BLOCKER"}])
        made = self.result(test=test["id"])
        self.assertEqual((made["testInstruction"], made["testCreatedAt"]), ("say: a", test["createdAt"]))
        row = made["assertionResults"][0]
        self.assertEqual((row["id"], row["type"], row["severity"], row["name"]),
                         (test["assertions"][0]["id"], "contains", "BLOCKER", "n"))
        self.assertEqual((row["status"], row["passed"]), ("pending", None))
        self.assertEqual((made["score"], made["overallPassed"]), (0, True))

    def test_the_case_is_copied_when_the_result_is_made(self):
        test = self.a_test(self.scenario(), "say: before", [PASSES])
        made = self.result(test=test["id"])
        self.ok(self.http.patch(f"/tests/{test['id']}", {"instruction": "say: after", "assertions": []}))
        after = self.get_result(made)
        self.assertEqual((after["testInstruction"], len(after["assertionResults"])), ("say: before", 1))
        self.assertEqual(self.turn(made)["message"], "before")

    def test_testInstruction_overrides_the_instruction_of_the_test(self):
        test = self.a_test(self.scenario(), "say: of the test")
        made = self.result(test=test["id"], testInstruction="say: of the preview")
        self.assertEqual(self.turn(made)["message"], "of the preview")
        self.assertEqual(self.ok(self.http.get(f"/tests/{test['id']}"))["instruction"], "say: of the test")

    def test_D32_given_assertions_replace_those_of_the_test_and_an_empty_list_does_not(self):
        test = self.a_test(self.scenario(), "say: a", [{**PASSES, "name": "own"}])
        made = self.result(test=test["id"], assertionResults=[{**PASSES, "name": "given"}])
        self.assertEqual([row["name"] for row in made["assertionResults"]], ["given"])
        made = self.result(test=test["id"], assertionResults=[])
        self.assertEqual([row["name"] for row in made["assertionResults"]], ["own"])

    def test_fields_of_the_service_cannot_be_set(self):
        made = self.result(status="completed", score=77, isEnded=True, endReason="canceled", overallPassed=False,
                           scoringEnqueuedAt="2026-01-01T00:00:00.000Z", conversation=[{"content": "x"}], retiredBy="x",
                           id="mine", claims=[{}], createdAt="2020-01-01T00:00:00.000Z")
        self.assertEqual((made["status"], made["score"], made["isEnded"], made["conversation"], made["claims"]),
                         ("pending", 0, False, [], []))
        self.assertNotEqual(made["id"], "mine")
        after = self.ok(self.patch_result(made, score=50, isEnded=True, conversation=[{"content": "x"}]))
        self.assertEqual(after, made)

    def test_D42_links_that_do_not_fit_are_400(self):
        scenario, agent = self.scenario(), self.agent()
        test, run = self.a_test(scenario), self.a_run(scenario, agent)
        foreign = self.a_test(self.scenario())
        body = {"run": run["id"], "agent": agent["id"], "test": test["id"]}
        self.problem(self.http.post("/test-results/", {**body, "agent": self.agent()["id"]}), 400, "/agent")
        self.problem(self.http.post("/test-results/", {**body, "test": foreign["id"]}), 400, "/test")
        self.problem(self.http.post("/test-results/", {"test": test["id"]}), 400, "/agent")
        late = self.a_test(scenario)
        self.ok(self.http.patch(f"/tests/{late['id']}", {"isArchived": True}))
        self.problem(self.http.post("/test-results/", {**body, "test": late["id"]}), 400, "/test")

    def test_D42_a_test_that_the_run_expected_may_be_archived_since(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        self.ok(self.http.patch(f"/tests/{test['id']}", {"isArchived": True}))
        self.result(agent, run=run["id"], test=test["id"])

    def test_D42_a_disabled_or_archived_agent_is_409(self):
        for change in ({"isEnabled": False}, {"isArchived": True}):
            agent = self.agent()
            self.ok(self.http.patch(f"/agents/{agent['id']}", change))
            self.problem(self.http.post("/test-results/", {"agent": agent["id"]}), 409)

    def test_D42_an_agent_outside_those_of_the_scenario_is_400(self):
        test = self.a_test(self.scenario(agents=[self.agent()["id"]]))
        self.problem(self.http.post("/test-results/", {"agent": self.agent()["id"], "test": test["id"]}), 400, "/agent")

    def test_D41_a_variant_composes_instructions_with_a_blank_line(self):
        scenario = self.scenario()
        for parent, overlay, expected in (("say: a", "say: b", "say: a\n\nsay: b"), ("say: a", "", "say: a"),
                                          ("", "say: b", "say: b"), ("", "", "")):
            one = self.a_test(scenario, parent)
            two = self.a_test(scenario, overlay, parentTest=one["id"])
            self.assertEqual(self.result(test=two["id"])["testInstruction"], expected)

    def test_D41_a_variant_replaces_by_id_then_by_name_and_appends_the_rest(self):
        scenario = self.scenario()

        def row(value, **more):
            return {"type": "contains", "config": {"value": value}, **more}
        parent = self.a_test(scenario, assertions=[row("p1", id="one"), row("p2", name="two"), row("p3", name="three")])
        variant = self.a_test(scenario, parentTest=parent["id"],
                              assertions=[row("v3", name="three"), row("v4", name="four"), row("v1", id="one")])
        made = self.result(test=variant["id"])["assertionResults"]
        self.assertEqual([r["config"]["value"] for r in made], ["v1", "p2", "v3", "v4"])
        self.assertEqual(made[0]["id"], "one")

    def test_D41_a_change_of_the_parent_reaches_later_results_of_the_variant(self):
        scenario = self.scenario()
        parent = self.a_test(scenario, "say: a")
        variant = self.a_test(scenario, "say: v", parentTest=parent["id"])
        self.ok(self.http.patch(f"/tests/{parent['id']}", {"instruction": "say: changed"}))
        self.assertEqual(self.result(test=variant["id"])["testInstruction"], "say: changed\n\nsay: v")

    def test_D32_an_override_on_a_variant_gets_the_overlay(self):
        scenario = self.scenario()
        parent = self.a_test(scenario, assertions=[{**PASSES, "name": "parent"}])
        variant = self.a_test(scenario, assertions=[{**PASSES, "name": "overlay", "severity": "BLOCKER"}],
                              parentTest=parent["id"])
        made = self.result(test=variant["id"], assertionResults=[{**PASSES, "name": "given"}])["assertionResults"]
        self.assertEqual([row["name"] for row in made], ["given", "overlay"])
        made = self.result(test=variant["id"], assertionResults=[{**PASSES, "name": "overlay"}])["assertionResults"]
        self.assertEqual([(row["name"], row["severity"]) for row in made], [("overlay", "BLOCKER")])

    def test_I57_an_override_has_at_most_15_assertions_after_composition(self):
        agent = self.any_agent()["id"]

        def rows(count):
            return [{**PASSES, "name": f"n{n}"} for n in range(count)]
        self.result(assertionResults=rows(15))
        self.problem(self.http.post("/test-results/", {"agent": agent, "assertionResults": rows(16)}), 400,
                     "/assertionResults")
        scenario = self.scenario()
        parent = self.a_test(scenario)
        variant = self.a_test(scenario, assertions=[{**PASSES, "name": "n0"}], parentTest=parent["id"])
        self.result(test=variant["id"], assertionResults=rows(15))
        longer = self.a_test(scenario, assertions=[{**PASSES, "name": "extra"}], parentTest=parent["id"])
        self.problem(self.http.post("/test-results/", {"agent": agent, "test": longer["id"],
                                                       "assertionResults": rows(15)}), 400, "/assertionResults")
        self.result(test=longer["id"], assertionResults=rows(14))

    def test_a_result_of_a_test_with_more_than_15_assertions_is_made(self):
        test = self.a_test(self.scenario(), assertions=[{**PASSES, "name": f"n{n}"} for n in range(40)])
        self.assertEqual(len(self.result(test=test["id"])["assertionResults"]), 40)

    def test_I57_at_most_10_external_links(self):
        def links(count):
            return [{"url": f"https://example.org/{n}", "name": str(n), "more": [n]} for n in range(count)]
        made = self.result(externalLinks=links(10))
        self.assertEqual(made["externalLinks"], links(10))
        self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "externalLinks": links(11)}),
                     400, "/externalLinks")
        self.problem(self.patch_result(made, externalLinks=links(11)), 400, "/externalLinks")
        self.assertEqual(self.ok(self.patch_result(made, externalLinks=links(1)))["externalLinks"], links(1))
        self.problem(self.patch_result(made, externalLinks=["https://example.org"]), 400, "/externalLinks/0")
        self.problem(self.patch_result(made, externalLinks=[{"url": "x" * 5000}]), 400, "/externalLinks/0")

    def test_I58_metadata_survives_as_it_was_sent(self):
        text = ('{"int":9223372036854775808,"neg":-0,"one":1.0,"exp":1e5,"big":123456789012345678901234567890,'
                '"small":0.1000,"":"empty key","\\u00e9":"\\ud83d\\ude00","esc":"\\u0001\\/\\"","deep":[[],{},null]}')
        body = f'{{"agent":"{self.any_agent()["id"]}","metadata":{text}}}'.encode()
        made = self.http.post("/test-results/", body)
        self.ok(made, 201)
        for answer in (made, self.http.get(f"/test-results/{made.json()['id']}")):
            stored = exact(answer.body)["metadata"]
            self.assertEqual({key: stored.get(key) for key in exact(text)}, exact(text))

    def test_I57_result_metadata_up_to_100_KB(self):
        def sized(size):
            return {"a": "x" * (size - len('{"a":""}'))}
        made = self.result(metadata=sized(102400))
        self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "metadata": sized(102401)}),
                     400, "/metadata")
        self.problem(self.patch_result(made, metadata=sized(102401)), 400, "/metadata")


class PatchedResults(SystemTest):
    def test_D46_an_empty_patch_changes_nothing(self):
        made = self.result()
        self.assertEqual(self.ok(self.patch_result(made), 200), made)
        self.assertEqual(self.ok(self.http.patch(f"/test-results/{made['id']}", b""), 200), made)

    def test_D46_metadata_replaces_the_whole_object(self):
        made = self.result(metadata={"a": 1, "b": {"c": 2}})
        after = self.ok(self.patch_result(made, metadata={"b": {"d": 3}}))["metadata"]
        self.assertNotIn("a", after)
        self.assertEqual(after["b"], {"d": 3})

    def test_D46_keys_of_the_service_stay_and_cannot_be_changed(self):
        clone = self.ok(self.retry(self.in_state("X")), 201)
        original = clone["metadata"]["previous_test_result_id"]
        for metadata in ({"mine": 1}, {"mine": 2, "previous_test_result_id": original}):
            after = self.ok(self.patch_result(clone, metadata=metadata))["metadata"]
            self.assertEqual((after["previous_test_result_id"], after["mine"]), (original, metadata["mine"]))
        self.problem(self.patch_result(clone, metadata={"previous_test_result_id": "another"}), 400,
                     "/metadata/previous_test_result_id")

    def test_D46_the_client_reports_that_its_side_broke(self):
        for letter in "PRW":
            made = self.in_state(letter)
            after = self.ok(self.patch_result(made, status="failed"))
            self.assertEqual((after["status"], after["isEnded"]), ("failed", True))
            self.assertEqual(after["metadata"]["error"]["source"], "client")
            self.assertEqual(after["endReason"], "client_error")

    def test_D49_a_canceled_result_has_ended_and_says_so(self):
        for letter in "PR":
            after = self.ok(self.patch_result(self.in_state(letter), status="canceled"))
            self.assertEqual((after["status"], after["isEnded"], after["endReason"]), ("canceled", True, "canceled"))

    def test_D46_pending_becomes_running(self):
        self.assertEqual(self.ok(self.patch_result(self.in_state("P"), status="running"))["status"], "running")

    def test_an_unknown_status_is_400_and_changes_nothing(self):
        made = self.result()
        for status in ("done", "", "Canceled", 5):
            self.problem(self.patch_result(made, status=status, metadata={"x": 1}), 400, "/status")
        self.assertEqual(self.get_result(made), made)

    def test_I4_one_refused_part_refuses_the_whole_patch(self):
        made = self.in_state("F")
        self.problem(self.patch_result(made, metadata={"x": 1}, status="running"), 409)
        self.assertEqual(self.get_result(made), made)

    def test_D46_manual_after_the_end_is_409(self):
        made = self.in_state("C")
        self.problem(self.patch_result(made, completionMode="manual"), 409)

    def test_D46_auto_after_the_end_dispatches_scoring_immediately(self):
        made = self.in_state("W")
        after = self.ok(self.patch_result(made, completionMode="auto"))
        self.assertTrue(after["scoringEnqueuedAt"])
        self.assertEqual(self.settled(made)["status"], "completed")

    def test_I17_what_was_recorded_stays_readable(self):
        made = self.in_state("C")
        after = self.ok(self.patch_result(made, status="canceled"))
        for field in ("conversation", "assertionResults", "score", "scoringEnqueuedAt", "endReason"):
            self.assertEqual(after[field], made[field], field)
