"""Tags, configurations, custom fields, external logs, local runners, deletion (D20, D22, D24, D25, D73)."""
import threading
import time

from support.cases import SystemTest, unique

LOGS = "/external-conversation-logs/"


class Fields(SystemTest):
    def configuration(self):
        city = {"key": "city", "type": "string", "required": True}
        size = {"key": "size", "type": "select", "options": ["s", "m"], "default": "m"}
        color = {"key": "color", "type": "string", "required": True}
        return self.create("/scenario-configurations/", name=unique("c"), scenarioFields=[city, size],
                           testFields=[color])

    def test_D22_fields_are_checked_and_filled_into_the_case(self):
        made = self.configuration()
        scenario = self.scenario(configuration=made["id"], fields={"city": "Rome"})
        self.assertEqual(scenario["configuration"], {"id": made["id"], "name": made["name"]})
        self.problem(self.http.post("/scenarios/", {"configuration": made["id"]}), 400, "/fields/city")
        path = f"/scenarios/{scenario['id']}"
        self.problem(self.http.patch(path, {"fields": {"city": "Rome", "size": "xl"}}), 400, "/fields/size")
        self.problem(self.http.post("/tests/", {"scenario": scenario["id"]}), 400, "/fields/color")
        test = self.a_test(scenario, "say: {{city}} {{size}} {{color}} {{none}}", fields={"color": "red"})
        variant = self.a_test(scenario, "", parentTest=test["id"], fields={"color": "blue"})
        for one, color in ((test, "red"), (variant, "blue")):
            self.assertEqual(self.result(test=one["id"])["testInstruction"], f"say: Rome m {color} {{{{none}}}}")
        agent = self.agent(type="LOCAL")
        run = self.a_run(scenario, agent, "pending")
        made = self.ok(self.http.get(f"/runs/{run['id']}/test-results?sortOrder=asc"))["data"]
        self.assertEqual(sorted(row["testInstruction"] for row in made),
                         ["say: Rome m blue {{none}}", "say: Rome m red {{none}}"])

    def test_D20_a_smart_tag_needs_a_valid_rule(self):
        self.problem(self.http.post("/tags/", {"isSmart": True}), 400, "/rule")
        bad = {"field": "content", "op": "regex", "value": "("}
        self.problem(self.http.post("/tags/", {"rule": {"conditions": [bad]}}), 400, "/rule/conditions/0/value")


class Logs(SystemTest):
    def a_log(self, **body):
        return self.create(LOGS, **{"externalId": unique("log"), **body})

    def test_what_was_created_is_read_back_equal(self):
        made = self.a_log(conversation=[{"role": "user", "content": "hi"}, {"content": "hello", "metadata": {"a": 1.0}},
                                        {"type": "tool", "name": "t"}], metadata={"n": [1, {"b": None}]})
        self.assertEqual(self.ok(self.http.get(LOGS + made["id"])), made)
        self.assertEqual([entry["role"] for entry in made["conversation"]], ["tester", "chatbot", "chatbot"])
        self.assertEqual(len({entry["id"] for entry in made["conversation"]}), 3)
        row = self.ok(self.http.get(f"{LOGS}?externalId={made['externalId'].replace(' ', '%20')}&output=minimal"))
        self.assertEqual(row["total"], 1)
        self.assertNotIn("conversation", row["data"][0])

    def test_D20_smart_tags_are_applied_on_creation_only(self):
        word = unique("word").replace(" ", "")
        rule = {"conditions": [{"field": "content", "op": "contains", "value": word}]}
        tag = self.create("/tags/", name="smart", isSmart=True, rule=rule)
        made = self.a_log(conversation=[{"content": f"say {word.upper()}!"}])
        self.assertEqual([one["id"] for one in made["tags"]], [tag["id"]])
        self.assertEqual(self.ok(self.http.get(f"{LOGS}?tag={tag['id']}"))["total"], 1)
        after = self.ok(self.http.patch(LOGS + made["id"], {"tags": [], "metadata": {"a": 1}}))
        self.assertEqual((after["tags"], after["metadata"]), ([], {"a": 1}))

    def test_I60_of_concurrent_creates_exactly_one_succeeds(self):
        for _ in range(10):
            body = {"externalId": unique("race")}
            answers = []

            def create():
                client = self.server.client()
                answers.append(client.post(LOGS, body).status)
                client.close()
            threads = [threading.Thread(target=create) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(answers), [201] + [409] * 7)

    def test_D25_a_deleted_log_is_gone_and_its_externalId_free(self):
        made = self.a_log()
        self.assertEqual(self.http.send("DELETE", LOGS + made["id"]).status, 204)
        self.problem(self.http.get(LOGS + made["id"]), 404)
        self.a_log(externalId=made["externalId"])


class Runners(SystemTest):
    options = ("--local-lease", "1s")

    def beat(self, identifier):
        return self.ok(self.http.post("/agents/local", {"name": "r", "unique_identifier": identifier}), 200)

    def test_D73_a_runner_gets_its_work_once_and_again_after_the_lease(self):
        identifier = unique("runner")
        agent = {"id": self.beat(identifier)["agent_id"]}
        self.assertEqual(self.beat(identifier), {"agent_id": agent["id"]})
        scenario = self.scenario()
        self.a_test(scenario)
        self.a_test(scenario)
        run = self.a_run(scenario, agent, "pending")
        work = self.beat(identifier)
        self.assertEqual((work["run_id"], len(work["test_result_ids"])), (run["id"], 2))
        self.assertEqual(self.beat(identifier), {"agent_id": agent["id"]})
        started, idle = work["test_result_ids"]
        self.ok(self.next_message({"id": started}))
        time.sleep(1.2)
        self.assertEqual(self.beat(identifier)["test_result_ids"], [idle])
        self.ok(self.http.post(f"/runs/{run['id']}/cancel"))
        time.sleep(1.2)
        self.assertEqual(self.beat(identifier), {"agent_id": agent["id"]})

    def test_I61_concurrent_heartbeats_share_out_the_work(self):
        identifier = unique("runner")
        agent = {"id": self.beat(identifier)["agent_id"]}
        made = [self.result(agent, testInstruction="say: a")["id"] for _ in range(30)]
        offered = []

        def beat():
            client = self.server.client()
            answer = client.post("/agents/local", {"name": "r", "unique_identifier": identifier})
            offered.extend(answer.json().get("test_result_ids", []))
            client.close()
        threads = [threading.Thread(target=beat) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(offered), sorted(made))


class Deletion(SystemTest):
    def delete(self, path):
        return self.http.send("DELETE", path)

    def test_D12_a_deletion_is_decided_on_the_tag_that_was_read(self):
        run = self.a_run(self.scenario(), self.agent(), "canceled")
        key = self.create("/api-keys/", name=unique("key"))
        for path in (f"/runs/{run['id']}", f"/api-keys/{key['id']}"):
            with self.subTest(path=path):
                tag = self.http.get(path).headers["etag"]
                self.problem(self.http.send("DELETE", path, None, {"If-Match": '"other"'}), 412)
                self.assertEqual(self.http.send("DELETE", path, None, {"If-Match": tag}).status, 204)

    def test_D25_an_ended_run_is_deleted_with_its_results(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        made = self.result(agent, run=run["id"], test=test["id"])
        self.problem(self.delete(f"/runs/{run['id']}"), 409)
        self.problem(self.delete(f"/test-results/{made['id']}"), 409)
        self.ok(self.http.post(f"/runs/{run['id']}/cancel"))
        self.assertEqual(self.delete(f"/runs/{run['id']}").status, 204)
        self.problem(self.http.get(f"/runs/{run['id']}"), 404)
        self.problem(self.http.get(f"/test-results/{made['id']}"), 404)
        self.assertEqual(self.ok(self.http.get(f"/runs/?scenario={scenario['id']}"))["total"], 0)

    def test_D25_an_ended_result_can_be_deleted_from_a_run_that_continues(self):
        scenario, agent = self.scenario(), self.agent()
        tests = [self.a_test(scenario) for _ in range(2)]
        run = self.a_run(scenario, agent)
        one, two = (self.result(agent, run=run["id"], test=test["id"]) for test in tests)
        self.ok(self.patch_result(one, status="failed"))
        self.problem(self.delete(f"/test-results/{two['id']}"), 409)
        self.assertEqual(self.delete(f"/test-results/{one['id']}").status, 204)
        self.assertEqual((self.get_run(run)["status"], self.get_run(run)["result"]["total"]), ("running", 1))
        self.ok(self.patch_result(two, status="canceled"))
        self.assertEqual(self.get_run(run)["status"], "completed", "it waits for no case that is gone")
        # a deleted result is no longer expected: three cases become two
        run = self.a_run(scenario, agent, repetitions=3, testConfigs=[{"test": tests[0]["id"]}])
        made = [self.result(agent, run=run["id"], test=tests[0]["id"]) for _ in range(2)]
        for result in made:
            self.ok(self.patch_result(result, status="failed"))
        self.assertEqual(self.get_run(run)["status"], "running")
        self.assertEqual(self.delete(f"/test-results/{made[0]['id']}").status, 204)
        self.assertEqual(self.get_run(run)["status"], "running", "two cases are expected, one has ended")
        last = self.result(agent, run=run["id"], test=tests[0]["id"])
        self.ok(self.patch_result(last, status="failed"))
        self.assertEqual(self.get_run(run)["status"], "completed")

    def test_D25_a_deleted_result_leaves_the_score_of_its_run(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        made = self.result(agent, run=run["id"], test=test["id"])
        self.ok(self.http.patch(f"/test-results/{made['id']}", {"status": "canceled"}))
        for _ in range(100):
            if self.get_run(run)["status"] == "completed":
                break
            time.sleep(0.02)
        self.assertEqual(self.delete(f"/test-results/{made['id']}").status, 204)
        self.assertEqual(self.get_run(run)["result"], {})
        again = self.result(agent, run=run["id"], test=test["id"])
        self.assertEqual(self.get_run(run)["status"], "running")
        self.problem(self.http.post(f"/test-results/{made['id']}/retry"), 404)
        self.ok(self.http.patch(f"/test-results/{again['id']}", {"status": "canceled"}))
