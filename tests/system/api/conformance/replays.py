"""External logs become tests, are replayed against agents, and are scored unchanged (D24)."""
import json

from support.cases import SystemTest, unique

FINE = {"id": "fine", "type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
TALK = [{"role": "assistant", "content": "Hello, fine day!"}, {"role": "user", "content": "I am {{name}}.\nend"},
        {"type": "tool", "name": "look_up", "metadata": {"result": {"order": 41}}}, {"role": "assistant", "content": "Order 41 or 42?"},
        {"type": "action", "role": "user", "name": "choose", "metadata": {"arguments": {"order": 41}}},
        {"role": "user", "content": "bye"}]
SAYS = ["I am {{name}}.\nend", {"name": "choose", "arguments": {"order": 41}}, "bye"]


class Replays(SystemTest):
    def log(self, conversation=None, **body):
        return self.create("/external-conversation-logs/", externalId=unique("log"),
                           conversation=TALK if conversation is None else conversation, **body)

    def played(self, result):
        """The messages and actions of the tester. The chatbot answers each turn and offers the action that the tester invokes."""
        turns = []
        while True:
            self.entry(result, type="internal-event", name="offer", metadata={"actions": [
                {"name": "choose", "description": "Choose", "properties": {"order": {"type": "integer"}}}]})
            self.entry(result, "fine")
            turn = self.turn(result)
            if turn["end_chat"]:
                return turns
            turns.append(turn["message"] if turn["action"] is None else turn["action"])

    def score(self, log, **body):
        return self.http.post(f"/external-conversation-logs/{log['id']}/score", body)

    def test_a_log_becomes_a_test_that_says_what_its_user_said(self):
        log, scenario, agent = self.log(description="Asks for order"), self.scenario(fields={"name": "Eve"}), self.agent()
        test = self.create("/tests/", scenario=scenario["id"], sourceConversationLog=log["id"], assertions=[FINE])
        self.assertEqual(test["sourceConversationLog"],
                         {"id": log["id"], "name": "Asks for order", "externalId": log["externalId"]})
        self.assertEqual(test["name"], "Asks for order")
        run = self.a_run(scenario, agent)
        made = self.result(agent, run=run["id"], test=test["id"])
        self.assertEqual(made["sourceConversationLog"]["id"], log["id"])
        self.assertEqual(self.played(made), SAYS)
        after = self.settled(made)
        self.assertEqual((after["endReason"], after["score"]), ("tester_ended", 100))
        clone = self.ok(self.retry(made), 201)
        self.assertEqual(clone["sourceConversationLog"], made["sourceConversationLog"])

    def test_a_launch_plays_the_log_against_a_hosted_agent(self):
        log, scenario, agent = self.log([{"role": "user", "content": "Where is order 42?"}]), self.scenario(), self.agent(type="DEMO")
        self.create("/tests/", scenario=scenario["id"], sourceConversationLog=log["id"], name="mine",
                    assertions=[{"type": "tool-called", "config": {"name": "lookup_order"}}])
        run = self.run_becomes(self.a_run(scenario, agent, "pending"), "completed")
        [made] = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]
        self.assertEqual((made["sourceConversationLog"]["id"], made["score"]), (log["id"], 100))
        self.assertEqual(made["conversation"][0]["content"], "Where is order 42?")

    def test_a_log_is_played_again_without_a_test(self):
        log = self.log()
        made = self.result(sourceConversationLog=log["id"], assertionResults=[FINE])
        self.assertEqual((made["sourceConversationLog"]["id"], made["test"]), (log["id"], None))
        self.assertEqual(self.played(made), SAYS)
        self.assertTrue(self.settled(made)["overallPassed"])
        other = self.result(sourceConversationLog=log["id"], testInstruction="say: mine")
        self.assertEqual((other["testInstruction"], other["sourceConversationLog"]["id"]), ("say: mine", log["id"]))

    def test_more_turns_than_the_server_allows_are_played_to_the_end(self):
        log = self.log([{"role": "user", "content": str(n)} for n in range(40)])
        made = self.result(sourceConversationLog=log["id"])
        self.assertEqual([turn["message"] for turn in self.converse(made)], [str(n) for n in range(40)])
        self.assertEqual(self.settled(made)["endReason"], "tester_ended")

    def test_only_the_agents_of_the_log_may_play_it(self):
        allowed, other, scenario = self.agent(type="DEMO"), self.agent(type="DEMO"), self.scenario()
        log = self.log(agents=[allowed["id"]])
        body = {"sourceConversationLog": log["id"]}
        self.problem(self.http.post("/test-results/", {**body, "agent": other["id"]}), 400, "/agent")
        self.result(allowed, **body)
        test = self.create("/tests/", scenario=scenario["id"], **body)
        variant = self.create("/tests/", scenario=scenario["id"], parentTest=test["id"], instruction="say: more")
        for one in (test, variant):
            self.problem(self.http.post("/test-results/", {"agent": other["id"], "test": one["id"]}), 400, "/agent")
        launch = {"scenario": scenario["id"], "status": "pending"}
        self.problem(self.http.post("/runs/", {**launch, "agent": other["id"]}), 400, "/agent")
        self.run_becomes(self.create("/runs/", **launch, agent=allowed["id"]), "completed")

    def test_naming_another_log_opens_none_that_is_closed(self):
        allowed, other, scenario = self.agent(type="DEMO"), self.agent(type="DEMO"), self.scenario()
        closed, free = self.log(agents=[allowed["id"]])["id"], self.log()["id"]
        test = self.create("/tests/", scenario=scenario["id"], sourceConversationLog=closed, isEnabled=False)
        variant = self.create("/tests/", scenario=scenario["id"], parentTest=test["id"], sourceConversationLog=free)
        for body in ({"test": test["id"], "sourceConversationLog": free}, {"test": variant["id"]}):
            self.problem(self.http.post("/test-results/", {**body, "agent": other["id"]}), 400, "/agent")
            self.assertEqual(self.result(allowed, **body)["sourceConversationLog"]["id"], free)
        launch = {"scenario": scenario["id"], "status": "pending"}
        self.problem(self.http.post("/runs/", {**launch, "agent": other["id"]}), 400, "/agent")
        self.run_becomes(self.create("/runs/", **launch, agent=allowed["id"]), "completed")

    def test_what_cannot_be_played_is_400(self):
        scenario, agent = self.scenario(), self.any_agent()
        for conversation in ([], [{"content": "Hello"}], [{"type": "action", "role": "user", "name": "no name"}]):
            log = self.log(conversation)["id"]
            for path, body in (("/tests/", {"scenario": scenario["id"]}), ("/test-results/", {"agent": agent["id"]})):
                self.problem(self.http.post(path, {**body, "sourceConversationLog": log}), 400, "/sourceConversationLog")
            self.create("/tests/", scenario=scenario["id"], sourceConversationLog=log, instruction="say: mine")
        for path, body in (("/tests/", {"scenario": scenario["id"]}), ("/test-results/", {"agent": agent["id"]})):
            self.problem(self.http.post(path, {**body, "sourceConversationLog": scenario["id"]}), 400, "/sourceConversationLog")

    def test_a_log_is_scored_as_it_is(self):
        log = self.log()
        found = self.ok(self.score(log, assertions=[FINE, *({**one, "severity": "MAJOR"} for one in (
            {"id": "c", "criteria": "is polite"}, {"id": "t", "type": "tool-called", "config": {"name": "look_up"}},
            {"type": "contains", "config": {"value": "nope"}}))]), 200)
        self.assertEqual([row["status"] for row in found["assertionResults"]], ["passed", "skipped", "passed", "failed"])
        self.assertEqual((found["score"], found["overallPassed"], found["decided"]), (73, True, True))
        ids = [entry["id"] for entry in log["conversation"]]
        self.assertEqual(found["assertionResults"][0]["evidence"], [ids[0]])
        self.assertEqual([(row["text"], row["entry"], row["source"], row["supported"]) for row in found["claims"]],
                         [("41", ids[3], ids[2], True), ("42", ids[3], None, False)])
        self.assertEqual(self.ok(self.http.get(f"/external-conversation-logs/{log['id']}")), log)

    def test_a_log_is_scored_by_the_assertions_of_a_test(self):
        scenario = self.scenario(fields={"word": "fine"})
        test = self.a_test(scenario, assertions=[{**FINE, "config": {"value": "{{word}}"}}])
        found = self.ok(self.score(self.log(), test=test["id"]), 200)
        self.assertEqual([row["status"] for row in found["assertionResults"]], ["passed"])
        self.assertEqual(json.dumps(found).count("{{word}}"), 0)

    def test_faults_of_a_scoring(self):
        log = self.log()
        self.problem(self.score(log, assertions=[{"type": "nonsense"}]), 400, "/assertions/0/type")
        self.problem(self.score(log, test="nope"), 400, "/test")
        self.problem(self.score({"id": "nope"}), 404)
        self.assertEqual(self.ok(self.score(self.log([])))["score"], 100)
