"""Fields that results copy from their test: metadata, tags, history (D108); failures that a client reports (D101)."""
import urllib.parse

from support.cases import SystemTest, unique

HISTORY = [{"role": "user", "content": "My order is late."},
           {"type": "tool", "role": "assistant", "name": "lookup_order", "metadata": {"arguments": {"order": "7"}}},
           {"role": "assistant", "content": "fine, please wait", "metadata": {"responseTime": 9000}}]


class Carried(SystemTest):
    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()

    def names(self, path, **query):
        page = self.ok(self.http.get(f"{path}?{urllib.parse.urlencode(query)}"))
        return [row["name"] for row in page["data"]]

    # ---- metadata ----

    def test_D108_metadata_of_a_test_is_copied_into_its_results(self):
        test = self.a_test(self.scenario_, metadata={"team": "shop", "depth": 2})
        self.assertEqual(test["metadata"], {"team": "shop", "depth": 2})
        made = self.result(self.agent_, test=test["id"], metadata={"depth": 3, "mine": True})
        self.assertEqual(made["metadata"], {"team": "shop", "depth": 3, "mine": True})
        self.ok(self.http.patch(f"/tests/{test['id']}", {"metadata": {"team": "other"}}))
        self.assertEqual(self.get_result(made)["metadata"]["team"], "shop")
        variant = self.a_test(self.scenario_, "say: more", parentTest=test["id"], metadata={"depth": 9})
        self.assertEqual(self.result(self.agent_, test=variant["id"])["metadata"], {"team": "other", "depth": 9})

    def test_D108_a_retry_plays_with_the_same_metadata(self):
        test = self.a_test(self.scenario_, metadata={"team": "shop"})
        made = self.result(self.agent_, test=test["id"], metadata={"mine": True})
        self.ok(self.patch_result(made, status="failed"))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual(clone["metadata"], {"team": "shop", "previous_test_result_id": made["id"]})

    def test_D108_metadata_has_a_bound(self):
        for metadata, fits in (({"a": "x" * 16_000}, True), ({"a": "x" * 16_384}, False)):
            answer = self.http.post("/tests/", {"scenario": self.scenario_["id"], "metadata": metadata})
            if fits:
                self.ok(answer, 201)
            else:
                self.problem(answer, 400, "/metadata")

    # ---- tags ----

    def test_D108_tests_are_listed_by_tag(self):
        one = self.a_test(self.scenario_, tags=["smoke", "a tag of more than sixteen bytes"])
        two = self.a_test(self.scenario_, tags=["smoke", "smoke"])
        self.assertEqual(one["tags"], ["smoke", "a tag of more than sixteen bytes"])
        for path in ("/tests/", f"/scenarios/{self.scenario_['id']}/tests"):
            query = {"scenario": self.scenario_["id"]} if path == "/tests/" else {}
            self.assertEqual(self.names(path, tag="smoke", **query), [two["name"], one["name"]])
            self.assertEqual(self.names(path, tag="a tag of more than sixteen bytes", **query), [one["name"]])
            self.assertEqual(self.names(path, tag="smok", **query), [])
        self.ok(self.http.patch(f"/tests/{one['id']}", {"tags": ["slow"]}))
        self.assertEqual(self.names("/tests/", scenario=self.scenario_["id"], tag="smoke"), [two["name"]])
        self.problem(self.http.patch(f"/tests/{one['id']}", {"tags": ["fine", ""]}), 400, "/tags/1")
        self.problem(self.http.patch(f"/tests/{one['id']}", {"tags": "smoke"}), 400, "/tags")

    def test_D108_a_run_plays_the_tests_with_a_tag(self):
        shop = self.agent(type="DEMO")
        one = self.a_test(self.scenario_, "say: Hello", tags=["smoke"])
        self.a_test(self.scenario_, "say: Hello", tags=["slow"])
        self.a_test(self.scenario_, "say: Hello", tags=["smoke"], isEnabled=False)
        both = self.a_test(self.scenario_, "say: Hello", tags=["smoke", "slow"])
        run = self.a_run(self.scenario_, shop, "pending", testConfigs=[{"tags": ["smoke"], "repetitions": 2}])
        self.assertEqual([(row["test"]["id"], row["repetitions"], row["tags"]) for row in run["testConfigs"]],
                         [(one["id"], 2, []), (both["id"], 2, [])])
        self.run_becomes(run, "completed")
        self.assertEqual(self.get_run(run)["result"]["total"], 4)
        for config, pointer in (({"tags": ["none"]}, "/testConfigs/0/tags"), ({}, "/testConfigs/0/test"),
                                ({"tags": ["smoke"], "test": one["id"]}, "/testConfigs/0/test")):
            with self.subTest(config=config):
                body = {"scenario": self.scenario_["id"], "agent": shop["id"], "status": "new", "testConfigs": [config]}
                self.problem(self.http.post("/runs/", body), 400, pointer)

    # ---- history ----

    def told(self, test, **body):
        result = self.result(self.agent_, test=test["id"], **body)
        self.converse(result, ("goodbye",))
        return self.settled(result)

    def test_D108_history_comes_before_the_first_turn_and_counts_nowhere(self):
        checks = [{"type": "contains", "config": {"value": "fine"}}, {"type": "tool-not-called", "config": {"name": "lookup_order"}},
                  {"type": "max-turns", "config": {"value": 1}}, {"type": "equals", "config": {"value": "goodbye", "scope": "first"}}]
        test = self.a_test(self.scenario_, "if /fine/ say: never\nsay: Hello", checks, history=HISTORY)
        self.assertEqual([(row["role"], row["content"]) for row in test["history"]],
                         [("user", "My order is late."), ("assistant", None), ("assistant", "fine, please wait")])
        made = self.result(self.agent_, test=test["id"])
        self.assertEqual([(row["type"], row["role"], row["content"], row.get("history")) for row in made["conversation"]],
                         [("message", "tester", "My order is late.", True), ("tool", "chatbot", None, True),
                          ("message", "chatbot", "fine, please wait", True)])
        self.assertEqual((made["status"], made["averages"]["responseTime"]), ("pending", None))
        done = self.told(test)
        self.assertEqual([row["status"] for row in done["assertionResults"]], ["failed", "passed", "passed", "passed"])
        self.assertEqual([(row["role"], row.get("history", False)) for row in done["conversation"]],
                         [("tester", True), ("chatbot", True), ("chatbot", True), ("tester", False), ("chatbot", False)])
        self.assertIsNone(done["averages"]["responseTime"])
        self.assertEqual({row["turn"] for row in done["conversation"]}, {0})
        clone = self.ok(self.retry(done), 201)
        self.assertEqual([row["content"] for row in clone["conversation"]], ["My order is late.", None, "fine, please wait"])

    def test_D108_a_hosted_agent_sees_the_history(self):
        shop = self.agent(type="DEMO")
        test = self.a_test(self.scenario_, "say: Hello", history=HISTORY, fields={})
        run = self.a_run(self.scenario_, shop, "pending")
        self.run_becomes(run, "completed")
        row = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"][0]
        self.assertEqual((row["test"]["id"], [entry.get("history", False) for entry in row["conversation"]][:4]),
                         (test["id"], [True, True, True, False]))

    def test_D108_a_variant_takes_its_parents_history_unless_it_has_its_own(self):
        parent = self.a_test(self.scenario_, history=HISTORY)
        heir = self.a_test(self.scenario_, "say: more", parentTest=parent["id"])
        own = self.a_test(self.scenario_, "say: more", parentTest=parent["id"], history=[{"role": "user", "content": "Own."}])
        self.assertEqual(len(self.result(self.agent_, test=heir["id"])["conversation"]), 3)
        self.assertEqual([row["content"] for row in self.result(self.agent_, test=own["id"])["conversation"]], ["Own."])

    def test_D133_an_event_of_the_history_offers_actions_to_the_first_turn(self):
        offer = {"type": "public-event", "name": "buttons",
                 "metadata": {"actions": [{"name": "track_order", "description": "Track"}]}}
        test = self.a_test(self.scenario_, "invoke: track_order", history=[*HISTORY, offer])
        made = self.result(self.agent_, test=test["id"])
        turn = self.ok(self.http.post(f"/test-results/{made['id']}/next-message", {}))
        self.assertEqual((turn["message"], turn["action"]["name"]), (None, "track_order"))
        twice = self.http.post("/tests/", {"scenario": self.scenario_["id"], "history": [offer, offer]})
        self.assertEqual(twice.status, 400)

    def test_D108_a_faulty_history_is_refused(self):
        for message, pointer in (({"role": "user"}, "/history/0/content"), ({"type": "tool"}, "/history/0/name"),
                                 ({"role": "nobody", "content": "x"}, "/history/0/role"), ("x", "/history/0")):
            with self.subTest(message=message):
                body = {"scenario": self.scenario_["id"], "history": [message]}
                self.problem(self.http.post("/tests/", body), 400, pointer)

    # ---- scope of a turn ----

    def test_D108_types_about_tools_and_events_look_at_one_turn(self):
        def of(kind, scope, **config):
            return {"type": kind, "config": {**config, "scope": scope}}
        rows = [(of("tool-called", "turn:0", name="look"), "passed"), (of("tool-called", "turn:1", name="look"), "failed"),
                (of("tool-called", "first", name="look"), "passed"), (of("tool-called", "last", name="look"), "failed"),
                (of("tool-not-called", "turn:1", name="look"), "passed"), (of("tool-not-called", "turn:7", name="look"), "failed"),
                (of("tool-set", "turn:1", names=["buy"]), "passed"), (of("tool-set", "first", names=["buy"]), "failed"),
                (of("tool-order", "last", names=["buy"], mode="strict"), "passed"),
                (of("tool-order", "first", names=["look", "buy"]), "failed"),
                (of("event-recorded", "turn:1", name="paid"), "passed"), (of("event-recorded", "turn:0", name="paid"), "failed")]
        test = self.a_test(self.scenario_, "say: one\nsay: two", [row for row, _ in rows])
        result = self.result(self.agent_, test=test["id"])
        self.turn(result)
        self.entry(result, type="tool", name="look")
        self.entry(result, "found")
        self.turn(result)
        self.entry(result, type="tool", name="buy")
        self.entry(result, type="internal-event", name="paid")
        self.entry(result, "bought")
        self.turn(result)
        done = self.settled(result)
        self.assertEqual([row["status"] for row in done["assertionResults"]], [wanted for _, wanted in rows],
                         [row["reason"] for row in done["assertionResults"]])
        for scope in ("any", "all", "turn:x", "turn:-1", ""):
            body = {"scenario": self.scenario_["id"], "assertions": [of("tool-called", scope, name="x")]}
            self.problem(self.http.post("/tests/", body), 400, "/assertions/0/config/scope")

    def test_D108_a_criterion_takes_a_scope(self):
        made = self.a_test(self.scenario_, "say: a", [{"criteria": "is polite", "config": {"scope": "turn:0"}},
                                                     {"criteria": "is polite", "config": {"scope": "turn:9"}}])
        result = self.result(self.agent_, test=made["id"])
        self.converse(result)
        self.assertEqual([row["status"] for row in self.settled(result)["assertionResults"]], ["skipped", "failed"])

    def test_D108_first_words_are_said_even_if_no_model_plays(self):
        result = self.result(self.agent_, testInstruction='# a goal\nmax turns: 3\nfirst: "Hi, it\'s \\"me\\""\nAsk for help.')
        self.assertEqual(self.turn(result)["message"], 'Hi, it\'s "me"')
        self.problem(self.http.post("/test-results/", {"agent": self.agent_["id"], "testInstruction": "first:"}), 400,
                     "/testInstruction")

    # ---- reports of the client about its chatbot (D101) ----

    def test_D101_a_client_says_that_the_chatbot_hung_up(self):
        for mode, status in (("auto", "completed"), ("manual", "running")):
            result = self.result(self.agent_, testInstruction="say: one\nsay: two", completionMode=mode)
            self.turn(result)
            answer = self.ok(self.post_entry(result, "Good bye.", {"Prefer": "return=minimal"}, end=True), 201)
            self.assertTrue(answer["isEnded"])
            self.assertTrue(self.turn(result)["end_chat"])
            if mode == "manual":
                self.assertEqual(self.get_result(result)["state"], "h")
                self.ok(self.finish(result), 202)
            done = self.settled(result)
            self.assertEqual((done["status"], done["endReason"], len(done["conversation"])), ("completed", "agent_ended", 2))

    def test_D101_only_a_message_of_the_chatbot_ends_a_conversation(self):
        result = self.result(self.agent_, testInstruction="say: one")
        turn = self.turn(result)
        for body in ({"type": "tool", "name": "x"}, {"content": "x", "after": turn["message_id"]},
                     {"type": "public-event", "name": "x"}):
            with self.subTest(body=body):
                self.problem(self.post_entry(result, end=True, **body), 400, "/end")
        self.assertFalse(self.get_result(result)["isEnded"])
        self.entry(result, "still here", end=False)
        self.assertFalse(self.get_result(result)["isEnded"])

    def test_D101_a_runner_reports_that_its_agent_broke(self):
        for source, reason, state in (("agent", "agent_error", "a"), ("client", "client_error", "c"),
                                      ("infrastructure", "infrastructure_error", "i")):
            with self.subTest(source=source):
                result = self.result(self.agent_)
                error = {"source": source, "code": "exit_3", "detail": unique("it ended with 3")}
                shown = self.ok(self.patch_result(result, status="failed", error=error))
                self.assertEqual((shown["status"], shown["endReason"], shown["state"], shown["overallPassed"]),
                                 ("failed", reason, state, False))
                self.assertEqual(shown["metadata"]["error"], error)

    def test_D101_an_error_without_the_status_failed_is_refused(self):
        result = self.result(self.agent_)
        error = {"source": "agent", "code": "x", "detail": "y"}
        self.problem(self.patch_result(result, error=error), 400, "/error")
        self.problem(self.patch_result(result, error=error, status="canceled"), 400, "/error")
        self.problem(self.patch_result(result, status="failed", error={"source": "judge"}), 400, "/error/source")
        self.problem(self.patch_result(result, status="failed", error={"code": "x"}), 400, "/error/source")
        self.assertEqual(self.get_result(result)["status"], "pending")

    # ---- launch with the status running (D43) ----

    def test_D43_running_launches_what_the_service_drives(self):
        self.a_test(self.scenario_, "say: Hello")
        shop = self.agent(type="DEMO")
        body = {"scenario": self.scenario_["id"], "agent": shop["id"], "status": "running", "repetitions": 2}
        run = self.create("/runs/", **body)
        self.run_becomes(run, "completed")
        self.assertEqual(self.get_run(run)["result"]["total"], 2)
        patched = self.a_run(self.scenario_, shop, "new")
        self.ok(self.patch_run(patched, status="running"))
        self.run_becomes(patched, "completed")
        self.assertEqual(self.get_run(patched)["result"]["total"], 1)
        for body in ({"agent": shop, "generateResults": False}, {"agent": self.agent_}):
            made = self.a_run(self.scenario_, body.pop("agent"), "running", **body)
            self.assertEqual(self.ok(self.http.get(f"/runs/{made['id']}/test-results"))["total"], 0)
            self.assertEqual(self.get_run(made)["status"], "running")
