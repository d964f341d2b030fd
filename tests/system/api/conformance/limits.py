"""Limits that take some load to reach (D55)."""
import threading

from support.cases import SystemTest, unique


class Limits(SystemTest):
    """Uses a separate server, so that its large records do not appear in the lists of other tests."""
    options = ("--max-turns", "30")

    def fill(self, result, count):
        """Adds `count` entries over eight concurrent connections."""
        path = f"/test-results/{result['id']}/conversation"
        faults = []

        def append():
            client = self.server.client()
            for _ in range(count // 8):
                answer = client.post(path, {"content": "x"}, {"Prefer": "return=minimal"})
                if answer.status != 201:
                    faults.append(answer)
            client.close()
        threads = [threading.Thread(target=append) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def assert_full(self, answer):
        document = self.problem(answer, 409)
        self.assertTrue(document["type"].endswith("conversation-full"), document)

    def test_D55_a_conversation_holds_10000_entries_and_no_more(self):
        made = self.result(testInstruction="say: a", completionMode="manual")
        self.fill(made, 10000)
        self.assert_full(self.post_entry(made, "one too many"))
        conversation = self.get_result(made)["conversation"]
        self.assertEqual(len(conversation), 10000)
        self.assertEqual(len({entry["id"] for entry in conversation}), 10000)
        self.problem(self.post_entry(made, "between", after=conversation[5]["id"]), 409)
        self.ok(self.patch_entry(made, conversation[0], {"a": 1}, {"Prefer": "return=minimal"}), 200)
        self.assert_full(self.next_message(made))  # the script still has a line to say
        self.assertEqual(self.get_result(made)["status"], "running")

    def test_D55_a_conversation_of_10000_entries_ends_if_its_tester_has_no_more_to_say(self):
        made = self.result(testInstruction="end if /x/\nsay: a")
        self.fill(made, 10000)
        self.assertTrue(self.turn(made)["end_chat"])
        ended = self.settled(made)
        self.assertEqual((ended["status"], ended["endReason"]), ("completed", "goal_reached"))
        self.assertEqual(len(ended["conversation"]), 10000)

    def test_D55_a_conversation_of_64_MiB_takes_no_turn_and_still_ends(self):
        long = "b" * 1000
        made = self.result(testInstruction=f"max turns: 1\nsay: {long}\nsay: {long}")
        other = self.result(testInstruction=f"say: {long}")
        self.turn(made)
        for result in (made, other):
            for size in (1 << 20, 1 << 16, 1 << 12, 1 << 8, 1):
                while (answer := self.post_entry(result, "x" * size, {"Prefer": "return=minimal"})).status == 201:
                    pass
                self.assert_full(answer)
        self.assert_full(self.next_message(other))
        self.assertTrue(self.turn(made)["end_chat"])
        ended = self.settled(made)
        self.assertEqual((ended["status"], ended["endReason"]), ("completed", "max_turns"))

    def test_D55_fields_make_the_assertions_of_a_case_at_most_4_MiB_longer(self):
        """Values of 20,000 bytes fit 209 times."""
        agent, local = self.agent(), self.agent(type="LOCAL")
        scenario = self.scenario(fields={"k": "v" * 20_000})
        fitting = self.a_test(scenario, "end", [{"criteria": "{{k}}" * 209}])
        made = self.result(agent, test=fitting["id"])
        self.assertEqual(made["assertionResults"][0]["criteria"], "v" * 20_000 * 209)
        test = self.a_test(scenario, "end", [{"criteria": "{{k}}"}] * 70 + [{"criteria": "{{k}}" * 3}] * 10
                           + [{"type": "contains", "config": {"values": ["{{k}}"] * 110}}])
        launch = {"scenario": scenario["id"], "agent": local["id"], "status": "pending"}
        self.problem(self.http.post("/test-results/", {"agent": agent["id"], "test": test["id"]}), 400, "/test")
        self.problem(self.http.post("/runs/", launch), 400, "/scenario")
        self.problem(self.http.post("/runs/", {**launch, "testConfigs": [{"test": test["id"]}]}), 400, "/testConfigs")
        log = self.create("/external-conversation-logs/", externalId=unique("log"), conversation=[])
        self.problem(self.http.post(f"/external-conversation-logs/{log['id']}/score", {"test": test["id"]}), 400, "/test")

    def test_D55_a_result_is_not_scored_again_by_assertions_that_fields_made_too_long(self):
        agent, scenario = self.agent(), self.scenario(fields={"k": "v"})
        test = self.a_test(scenario, "end", [{"criteria": "{{k}}" * 30}])
        made = self.result(agent, test=test["id"])
        self.turn(made)
        self.settled(made)
        self.ok(self.http.patch(f"/scenarios/{scenario['id']}", {"fields": {"k": "v" * 200_000}}), 200)
        path = f"/test-results/{made['id']}/rescore"
        self.problem(self.http.post(path, {}), 400, "/assertions")
        self.ok(self.http.post(path, {"assertions": [{"criteria": "short"}]}), 200)
        self.assertEqual(self.ok(self.retry(made))["assertionResults"][0]["criteria"], "v" * 30)

    def test_D6_a_page_beyond_32_MiB_is_400_with_the_limit_that_fits(self):
        agent = self.agent()
        for _ in range(4):
            made = self.result(agent, testInstruction="say: a")
            for _ in range(10):
                self.entry(made, "x" * 1024 * 1024)
        document = self.problem(self.http.get(f"/test-results/?agent={agent['id']}"), 400)
        self.assertTrue(document["type"].endswith("page-too-large"), document)
        self.assertRegex(document["detail"], r"\b3\b")
        page = self.ok(self.http.get(f"/test-results/?agent={agent['id']}&limit=3"), 200)
        self.assertEqual((len(page["data"]), page["total"]), (3, 4))
        self.ok(self.http.get(f"/test-results/?agent={agent['id']}&output=minimal"), 200)

    def test_an_object_of_a_body_has_at_most_1000_keys(self):
        self.ok(self.http.post("/agents/", {"metadata": {f"k{n}": n for n in range(1000)}}), 201)
        self.problem(self.http.post("/agents/", {"metadata": {f"k{n}": n for n in range(1001)}}), 400)
