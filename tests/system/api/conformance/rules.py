"""Rules of the interface that no other file in this folder proves (tests/proof/rules.md)."""
from support.cases import SystemTest, unique

LOGS = "/external-conversation-logs/"
PASSES = {"type": "contains", "config": {"value": "fine"}}


class RecordRules(SystemTest):
    def test_D21_a_filed_scenario_is_listed_for_every_user(self):
        user = self.create("/users/", name=unique("user"), role="member")
        key = self.create("/api-keys/", name="theirs", user=user["id"], scopes=["read", "write"])["key"]
        folder, name = self.create("/folders/", name=unique("folder")), unique("shown")
        filed, unfiled = self.scenario(name=name, folders=[folder["id"]]), self.scenario(name=name)
        theirs = self.server.client(key=key)
        self.assertEqual([row["id"] for row in self.ok(theirs.get("/scenarios/?name=" + name.replace(" ", "%20")))["data"]],
                         [filed["id"]])
        self.assertEqual(self.ok(theirs.get(f"/scenarios/{unfiled['id']}"))["id"], unfiled["id"])
        theirs.close()

    def test_D41_a_launch_composes_variants(self):
        scenario, agent = self.scenario(), self.agent()
        parent = self.a_test(scenario, "say: parent", [{**PASSES, "name": "p"}])
        variant = self.a_test(scenario, "say: overlay", [{**PASSES, "name": "v"}], parentTest=parent["id"])
        run = self.a_run(scenario, agent, "pending", generateResults=True)
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]
        made = {row["test"]["id"]: row for row in rows}
        self.assertEqual(made[variant["id"]]["testInstruction"], "say: parent\n\nsay: overlay")
        self.assertEqual([row["name"] for row in made[variant["id"]]["assertionResults"]], ["p", "v"])
        self.assertEqual(made[parent["id"]]["testInstruction"], "say: parent")

    def test_a_test_config_gives_its_personality_to_its_results(self):
        scenario, agent = self.scenario(), self.agent()
        one, two = self.a_test(scenario), self.a_test(scenario)
        calm, rude = [self.create("/personalities/", name=unique(word)) for word in ("calm", "rude")]
        run = self.a_run(scenario, agent, "pending", generateResults=True, personality=calm["id"],
                         testConfigs=[{"test": one["id"], "personality": rude["id"]}, {"test": two["id"]}])
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]
        self.assertEqual({row["test"]["id"]: row["personality"]["name"] for row in rows},
                         {one["id"]: rude["name"], two["id"]: calm["name"]})
        self.assertEqual(run["testConfigs"][0]["personality"]["id"], rude["id"])

    def test_the_personality_of_a_run_is_that_of_its_results(self):
        scenario, agent = self.scenario(), self.agent()
        test, calm = self.a_test(scenario), self.create("/personalities/", name=unique("calm"))
        run = self.a_run(scenario, agent, personality=calm["id"])
        self.assertEqual(run["personality"], {"id": calm["id"], "name": calm["name"]})
        made = self.result(agent, run=run["id"], test=test["id"])
        self.assertEqual(made["personality"], {"id": calm["id"], "name": calm["name"]})

    def test_a_preview_may_have_a_personality(self):
        calm = self.create("/personalities/", name=unique("calm"))
        self.assertEqual(self.result(personality=calm["id"])["personality"]["id"], calm["id"])
        self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "personality": "nobody"}), 400,
                     "/personality")

    def test_a_client_driven_run_paces_itself(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent, maxConcurrentTests=1)
        self.assertEqual(self.get_run(run)["maxConcurrentTests"], 1)
        for _ in range(3):
            made = self.result(agent, run=run["id"], test=test["id"])
            self.assertFalse(self.turn(made)["end_chat"])
        self.assertEqual(self.get_run(run)["result"]["running"], 3)

    def test_a_run_needs_scenario_agent_and_status(self):
        document = self.problem(self.http.post("/runs/", {}), 400)
        self.assertEqual({fault["pointer"] for fault in document["errors"]}, {"/scenario", "/agent", "/status"})

    def test_a_new_run_may_change_its_scenario(self):
        first, second, agent = self.scenario(), self.scenario(), self.agent()
        run = self.a_run(first, agent, "new")
        self.assertEqual(self.ok(self.patch_run(run, scenario=second["id"]))["scenario"]["id"], second["id"])
        self.problem(self.patch_run(run, scenario="nothing"), 400, "/scenario")
        self.assertEqual(self.get_run(run)["scenario"]["id"], second["id"])
        narrow = self.scenario(agents=[self.agent()["id"]])
        self.problem(self.patch_run(run, scenario=narrow["id"]), 400, "/scenario")
        named = self.a_run(first, agent, "new", testConfigs=[{"test": self.a_test(first)["id"]}])
        self.problem(self.patch_run(named, scenario=second["id"]), 400, "/scenario")
        self.assertEqual(self.get_run(named), named)

    def test_D43_a_launch_is_refused_when_what_it_names_has_changed(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent, "new", generateResults=True, testConfigs=[{"test": test["id"]}])
        self.ok(self.http.patch(f"/tests/{test['id']}", {"isArchived": True}))
        self.problem(self.patch_run(run, status="pending"), 400, "/status")
        self.ok(self.http.patch(f"/tests/{test['id']}", {"isArchived": False}))
        self.ok(self.http.patch(f"/scenarios/{scenario['id']}", {"agents": [self.agent()["id"]]}))
        self.problem(self.patch_run(run, status="pending"), 400, "/status")
        self.assertEqual(self.get_run(run), run)
        self.ok(self.http.patch(f"/scenarios/{scenario['id']}", {"agents": [agent["id"]]}))
        self.assertEqual(self.ok(self.patch_run(run, status="pending"))["result"]["pending"], 1)

    def test_runs_are_filtered_by_personality(self):
        scenario, agent = self.scenario(), self.agent()
        calm = self.create("/personalities/", name=unique("calm"))
        with_one, _ = self.a_run(scenario, agent, personality=calm["id"]), self.a_run(scenario, agent)
        rows = self.ok(self.http.get(f"/runs/?personality={calm['id']}"))
        self.assertEqual(([row["id"] for row in rows["data"]], rows["total"]), ([with_one["id"]], 1))

    def test_the_tests_of_a_scenario_are_its_own(self):
        scenario = self.scenario()
        mine, _ = self.a_test(scenario), self.a_test(self.scenario())
        self.assertEqual(self.ok(self.http.get(f"/tests/{mine['id']}")), mine)
        row = {name: value for name, value in mine.items() if name != "warnings"}  # only in the answer for a single test
        self.assertEqual(self.ok(self.http.get(f"/scenarios/{scenario['id']}/tests"))["data"], [row])
        self.problem(self.http.get(f"/scenarios/{mine['id']}/tests"), 404)


class ResultRules(SystemTest):
    def test_a_result_needs_an_agent(self):
        self.problem(self.http.post("/test-results/", {}), 400, "/agent")
        self.problem(self.http.post("/test-results/", {"agent": "nobody"}), 400, "/agent")

    def test_a_result_takes_over_what_its_post_gives(self):
        links = [{"url": "http://example.org/1", "name": "one"}, {"url": "http://example.org/2", "name": "two"}]
        made = self.result(metadata={"botId": "b", "chatId": 7}, externalLinks=links, completionMode="manual", isManual=True)
        after = self.get_result(made)
        self.assertEqual((after["metadata"], after["externalLinks"], after["completionMode"], after["isManual"]),
                         ({"botId": "b", "chatId": 7}, links, "manual", True))

    def test_an_unknown_completion_mode_is_400(self):
        self.problem(self.http.post("/test-results/", {"agent": self.any_agent()["id"], "completionMode": "later"}), 400,
                     "/completionMode")
        made = self.result()
        self.problem(self.patch_result(made, completionMode="later"), 400, "/completionMode")
        self.assertEqual(self.get_result(made), made)

    def test_D56_a_result_averages_each_known_number(self):
        made = self.result(testInstruction="say: a\nsay: b")
        self.entry(made, "one", metadata={"responseTime": 100, "inputTokens": 10, "outputTokens": 2, "cost": 0.5, "x": 9})
        self.entry(made, "two", metadata={"responseTime": 300, "inputTokens": "many", "outputTokens": 4})
        self.entry(made, type="tool", name="t", metadata={"responseTime": 7000, "cost": 99})
        self.assertEqual(self.get_result(made)["averages"],
                         {"responseTime": 200, "inputTokens": 10, "outputTokens": 3, "cost": 0.5})

    def test_a_retried_result_leaves_the_average_of_its_run(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: a", [PASSES])
        run = self.a_run(scenario, agent, repetitions=2)
        made = []
        for reply in ("fine", "wrong"):
            made.append(self.result(agent, run=run["id"], test=test["id"]))
            self.converse(made[-1], (reply,))
            self.settled(made[-1])
        self.assertEqual(self.run_becomes(run, "completed")["result"]["score"], 50)
        self.ok(self.retry(made[1]), 201)
        after = self.get_run(run)["result"]
        self.assertEqual((after["score"], after["completed"], after["pending"], after["total"]), (100, 1, 1, 2))

    def test_a_runner_gets_the_retry_of_its_result(self):
        identifier = unique("runner")
        beat = {"name": "runner", "unique_identifier": identifier}
        agent = self.ok(self.http.post("/agents/local", beat))["agent_id"]
        scenario = self.scenario()
        self.a_test(scenario)
        run = self.create("/runs/", scenario=scenario["id"], agent=agent, status="pending")
        first = self.ok(self.http.post("/agents/local", beat))["test_result_ids"]
        self.ok(self.patch_result(first[0], status="failed"))
        clone = self.ok(self.retry(first[0]), 201)
        work = self.ok(self.http.post("/agents/local", beat))
        self.assertEqual((work["run_id"], work["test_result_ids"]), (run["id"], [clone["id"]]))

    def test_a_heartbeat_needs_name_and_identifier(self):
        document = self.problem(self.http.post("/agents/local", {}), 400)
        self.assertEqual({fault["pointer"] for fault in document["errors"]}, {"/name", "/unique_identifier"})
        self.problem(self.http.post("/agents/local", {"name": "x", "unique_identifier": ""}), 400, "/unique_identifier")


class EntryRules(SystemTest):
    def test_an_entry_gets_its_id_from_the_service(self):
        made = self.result()
        ids = [self.entry(made, "x", id="mine")["id"] for _ in range(3)]
        self.assertEqual(len(set(ids)), 3)
        self.assertNotIn("mine", ids)

    def test_an_entry_without_type_is_a_message(self):
        entry = self.entry(self.result(), "x")
        self.assertEqual((entry["type"], entry["content"], entry["role"]), ("message", "x", "chatbot"))
        named = self.entry(self.result(), "x", name="Eve")
        self.assertEqual((named["type"], named["name"]), ("message", "Eve"))

    def test_metadata_of_an_entry_is_optional(self):
        made = self.result()
        for body in ({"content": "x"}, {"type": "tool", "name": "t"}, {"type": "internal-event", "name": "e"},
                     {"type": "public-event", "name": "e"}, {"content": "x", "metadata": None}):
            self.assertEqual(self.entry(made, **body)["metadata"], {})

    def register(self, made, name="press"):
        self.entry(made, type="public-event", name="form",
                   metadata={"actions": [{"name": name, "description": "d"}]})

    def test_an_invocation_clears_the_registry_too(self):
        made = self.result(testInstruction="invoke: press {}\ninvoke: press {}")
        self.register(made)
        self.assertEqual(self.turn(made)["action"]["name"], "press")
        self.register(made)  # names of the previous turn do not conflict
        self.assertEqual(self.turn(made)["action"]["name"], "press")
        late = self.result(testInstruction="invoke: press {}\ninvoke: press {}")
        self.register(late)
        self.turn(late)
        self.entry(late, "applied")
        self.assertTrue(self.turn(late)["end_chat"])
        self.assertEqual(self.get_result(late)["endReason"], "action_error")

    def test_with_actions_the_tester_may_still_speak(self):
        made = self.result(testInstruction="say: no, thank you")
        self.register(made)
        turn = self.turn(made)
        self.assertEqual((turn["message"], turn["action"]), ("no, thank you", None))


class LogRules(SystemTest):
    def test_an_external_log_needs_an_externalId_of_its_own(self):
        self.problem(self.http.post(LOGS, {}), 400, "/externalId")
        external = unique("log")
        self.create(LOGS, externalId=external)
        self.problem(self.http.post(LOGS, {"externalId": external}), 409)

    def test_an_external_log_keeps_its_fields(self):
        tag, agent = self.create("/tags/", name=unique("tag")), self.agent()
        made = self.create(LOGS, externalId=unique("log"), timestamp="2026-02-03T04:05:06.007Z", description="Three short words",
                           externalSource="crm", tags=tag["id"], agents=[agent["id"]], metadata={"k": [1]})
        after = self.ok(self.http.get(LOGS + made["id"]))
        self.assertEqual((after["timestamp"], after["description"], after["externalSource"], after["metadata"]),
                         ("2026-02-03T04:05:06.007Z", "Three short words", "crm", {"k": [1]}))
        self.assertEqual([[link["id"] for link in after[field]] for field in ("tags", "agents")], [[tag["id"]], [agent["id"]]])
        self.assertEqual(after["conversation"], [])
        rows = self.ok(self.http.get(f"{LOGS}?agent={agent['id']}"))
        self.assertEqual([row["id"] for row in rows["data"]], [made["id"]])

    def test_an_external_log_is_updated(self):
        agent = self.agent()
        made = self.create(LOGS, externalId=unique("log"), conversation=[{"content": "old"}], metadata={"a": 1, "b": 2})
        after = self.ok(self.http.patch(LOGS + made["id"], {
            "conversation": [{"content": "new"}, {"type": "tool", "name": "t"}], "metadata": {"c": 3}, "description": "d",
            "agents": [agent["id"]]}))
        self.assertEqual([(entry["type"], entry["content"]) for entry in after["conversation"]],
                         [("message", "new"), ("tool", None)])
        self.assertEqual((after["metadata"], after["description"], after["agents"][0]["id"], after["externalId"]),
                         ({"c": 3}, "d", agent["id"], made["externalId"]))
        self.assertEqual(self.ok(self.http.get(LOGS + made["id"])), after)
