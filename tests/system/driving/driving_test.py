#!/usr/bin/env python3
"""Conversations that the server drives (D43, D47, D47a, D52, D70, D71, D74; I6, I8, I36, I49; F16-F20, F24):
fake agents on real sockets, and the real binary."""
import json
import random
import re
import time

from support import cases, marks
from support.driven import GOT, Driven
from support.fakes import model, webhook
from support.fakes.base import Reply

class Agents(Driven):
    def test_D70_a_demo_agent_needs_nothing(self):
        run = self.ended(self.launched(self.agent(type="DEMO"), 2, assertions=[{"type": "min-turns", "config": {"value": 1}}]))
        self.assertEqual((run["status"], run["result"]["completed"], run["result"]["score"]), ("completed", 2, 100))

    def test_D71_a_webhook_receives_each_turn_and_its_answer_is_recorded(self):
        def respond(turn):
            return {"message": f"said {turn['message']}", "tools": [{"name": "find", "metadata": {"arguments": {"n": 1}}}],
                    "events": [{"name": "shown", "public": True}], "metadata": {"inputTokens": 7, "cost": 0.5}}
        with webhook.WebhookAgent(respond) as fake:
            run = self.ended(self.launched(self.hosted(fake)))
            [result] = self.results_of(run)
            turns = fake.turns()
        self.assertEqual([turn["message"] for turn in turns], ["one", "two"])
        self.assertEqual([turn["turn"] for turn in turns], [0, 1])
        self.assertEqual({turn["testResultId"] for turn in turns}, {result["id"]})
        self.assertEqual([entry["type"] for entry in result["conversation"]], ["message", "tool", "public-event", "message"] * 2)
        self.assertEqual([entry["turn"] for entry in result["conversation"]], [0] * 4 + [1] * 4)
        message = result["conversation"][3]
        self.assertGreaterEqual(message["metadata"]["responseTime"], 1, "what was measured is never 0")
        self.assertEqual(message["metadata"]["inputTokens"], 7)
        self.assertEqual((result["status"], result["endReason"], result["score"]), ("completed", "tester_ended", 100))
        self.assertEqual(run["result"]["averages"]["cost"], 0.5)

    def test_D70_an_openai_agent_is_asked_with_the_conversation_so_far(self):
        answers = [model.tool("find", {"n": 1}, "said one"), model.text("said two", cost=0.25)]
        with model.Model(answers, key="sk-1") as fake:
            agent = self.agent(type="OPENAI", secrets={"apiKey": "sk-1"},
                               config={"url": fake.base_url, "model": "m", "system": "Be brief.", "parameters": {"temperature": 0}})
            [result] = self.results_of(self.ended(self.launched(agent)))
            first, second = fake.asked()
        self.assertEqual((result["status"], result["score"]), ("completed", 100), result)
        self.assertEqual([entry["type"] for entry in result["conversation"]], ["message", "tool", "message", "message", "message"])
        self.assertEqual(result["conversation"][1]["metadata"]["arguments"], {"n": 1})
        self.assertGreater(result["conversation"][2]["metadata"]["inputTokens"], 0)
        self.assertEqual((first["model"], first["temperature"]), ("m", 0))
        self.assertEqual([message["role"] for message in first["messages"]], ["system", "user"])
        self.assertEqual(second["messages"][-1], {"role": "user", "content": "two"})

    def test_D54_an_openai_agent_is_asked_with_names_that_its_endpoint_takes(self):
        def say(asked):
            names = [call["function"]["name"] for message in asked["messages"] for call in message.get("tool_calls", [])]
            if not all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names):
                return Reply({"error": {"message": "string does not match pattern"}}, 400)
            return model.tool("multi_tool_use.parallel", {}, "said") if not names else "said"
        with model.Model(say) as fake:
            agent = self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})
            [result] = self.results_of(self.ended(self.launched(agent)))
        self.assertEqual((result["status"], result["score"]), ("completed", 100), result)
        self.assertEqual([entry["name"] for entry in result["conversation"] if entry["type"] == "tool"],
                         ["multi_tool_use.parallel"])

    def test_F21_an_openai_agent_that_answers_nonsense_fails_its_result_only(self):
        nonsense = [Reply({}), Reply({"choices": []}), Reply("null"), Reply([1]), Reply({"choices": [{"message": 3}]}), Reply("x", 500)]
        for answer in nonsense:
            with self.subTest(answer), model.Model([answer]) as fake:
                agent = self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})
                [result] = self.results_of(self.ended(self.launched(agent)))
                self.assertEqual((result["status"], result["endReason"], result["metadata"]["error"]["source"]),
                                 ("failed", "agent_error", "agent"))

    def test_D70_an_openai_agent_is_taken_as_it_answers(self):
        said = lambda **message: Reply({"choices": [{"message": {"role": "assistant", **message}}]})
        rows = [(said(content=None), []), (said(), []), (said(content=[{"type": "thinking", "text": "hm"}]), []),
                (said(content=None, function_call={"name": "find", "arguments": '{"n": 1}'}), [{"n": 1}]),
                (model.tool("find", "no json"), ["no json"]), (model.tool("find", "[1]"), [[1]])]
        for answer, calls in rows:
            with self.subTest(answer), model.Model([answer]) as fake:
                agent = self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})
                [result] = self.results_of(self.ended(self.launched(agent, instruction="say: one")))
                self.assertEqual((result["status"], result["endReason"]), ("completed", "tester_ended"), result)
                self.assertEqual(self.words(result), [("tester", "one"), ("chatbot", "")], "it says nothing (D47)")
                self.assertEqual([entry["metadata"]["arguments"] for entry in result["conversation"] if entry["type"] == "tool"],
                                 calls)

    def test_each_call_carries_a_trace_that_continues_the_one_of_the_launch(self):
        launched = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        with webhook.WebhookAgent({"message": "said"}) as fake:
            scenario, agent = self.scenario(), self.hosted(fake)
            self.a_test(scenario, "say: one\nsay: two")
            body = {"scenario": scenario["id"], "agent": agent["id"], "status": "pending"}
            for headers in ({"traceparent": launched}, {}):
                fake.requests.clear()
                run = self.ended(self.ok(self.http.post("/runs/", body, headers), 201))
                [result] = self.results_of(run)
                traces = [request.headers["traceparent"].split("-") for request in fake.requests]
                expected = launched.split("-")[1] if headers else result["id"].replace("-", "")
                self.assertEqual([(trace[0], trace[1], trace[3]) for trace in traces], [("00", expected, "01")] * 2)
                self.assertEqual(len({trace[2] for trace in traces} | {"b7ad6b7169203331"}), 3, "a parent of its own each")

    def test_D10_the_check_carries_the_trace_of_the_caller(self):
        trace = "0af7651916cd43dd8448eb211c80319c"
        with webhook.WebhookAgent({"message": "said"}) as fake:
            path = f"/agents/{self.hosted(fake)['id']}/check"
            for headers in ({"traceparent": f"00-{trace}-b7ad6b7169203331-01"}, {}):
                self.ok(self.http.post(path, None, headers), 200)
            first, second = (request.headers["traceparent"].split("-")[1] for request in fake.requests)
        self.assertEqual(first, trace)
        self.assertNotEqual(second, trace)

    def test_calls_and_slots_are_counted_in_the_metrics(self):
        def figures():
            rows = [line.rsplit(" ", 1) for line in self.http.get("/metrics").body.decode().splitlines() if line[:1] != "#"]
            return {name: float(value) for name, value in rows}
        before = figures()
        with webhook.WebhookAgent({"message": "said"}, latency=1) as fake:
            run = self.launched(self.hosted(fake), 3, maxConcurrentTests=2)
            fake.wait(lambda now: now.in_flight == 2)
            under_way = figures()
            self.ended(run)
        after = figures()
        gone = fake.url
        self.ended(self.launched(self.agent(type="HTTP", config={"url": gone}), instruction="say: one"))
        self.assertEqual([under_way[name] for name in ("parley_calls_in_flight", "parley_driving_slots_taken",
                                                       "parley_driving_slots_awaited")], [2, 2, 1])
        self.assertEqual(after["parley_call_answers_total"] - before["parley_call_answers_total"], 6)
        self.assertGreater(after["parley_call_sent_bytes_total"], before["parley_call_sent_bytes_total"])
        self.assertGreater(after["parley_call_received_bytes_total"], before["parley_call_received_bytes_total"])
        refused = figures()
        self.assertEqual(refused["parley_call_retries_total"] - after["parley_call_retries_total"], 2, "tried twice more (D71)")
        kind = 'parley_call_failures_total{kind="connect"}'
        self.assertEqual(refused[kind] - after[kind], 1)

    def test_I36_an_agent_never_sees_internal_events(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said", "events": [{"name": "secret-thought"}]}) as fake:
            self.ended(self.launched(self.hosted(fake)))
            told = json.dumps(fake.turns())
        self.assertNotIn("secret-thought", told)

    def test_D47_an_agent_that_says_an_empty_text_is_recorded_as_an_empty_message(self):
        with webhook.WebhookAgent(lambda turn: {"message": ""}) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
        self.assertEqual(self.words(result), [("tester", "one"), ("chatbot", "")])

    def test_an_agent_may_end_the_conversation(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said", "end": True}) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake))))
        self.assertEqual((result["status"], result["endReason"], len(result["conversation"])), ("completed", "agent_ended", 2))

    def test_actions_that_an_agent_offers_are_invoked_and_sent_to_it(self):
        def respond(turn):
            if turn.get("action"):
                return {"message": f"said {turn['action']['name']} {turn['action']['arguments']['size']}"}
            offer = {"name": "buy", "description": "buys", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
            return {"message": "said", "events": [{"name": "buttons", "metadata": {"actions": [offer]}}]}
        with webhook.WebhookAgent(respond) as fake:
            [good] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction='say: hi\ninvoke: buy {"size": 3}')))
            [bad] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction='say: hi\ninvoke: buy {"size": "x"}')))
        self.assertEqual(self.words(good)[-1], ("chatbot", "said buy 3"))
        self.assertEqual((bad["status"], bad["endReason"], bad["metadata"]["error"]["source"]), ("failed", "action_error", "tester"))

    def test_D47a_an_agent_that_fails_is_reported_separately_and_lowers_no_score(self):
        modes = ["hang", "status-500", "status-302", "rst", "not-json", "gzip-bomb", "early-close"]
        modes = [mode for mode in modes if mode in webhook.base.modes.MODES or mode.startswith("status-")]
        self.assertGreaterEqual(len(modes), 4)
        with webhook.WebhookAgent() as fake:
            for mode in modes:
                with self.subTest(mode):
                    agent = self.agent(type="HTTP", config={"url": f"{fake.url}/hostile/{mode}", "timeoutMs": 700})
                    run = self.ended(self.launched(agent))
                    [result] = self.results_of(run)
                    self.assertEqual((result["status"], result["endReason"]), ("failed", "agent_error"))
                    self.assertEqual(result["metadata"]["error"]["source"], "agent")
                    self.assertTrue(result["metadata"]["error"]["detail"])
                    self.assertEqual((run["status"], run["result"]["score"], run["result"]["failed"]), ("completed", None, 1))

    def test_every_hostile_mode_fails_its_own_result_only(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}) as fake:
            hostile = [self.launched(self.agent(type="HTTP", config={"url": f"{fake.url}/hostile/{mode}", "timeoutMs": 1500}))
                       for mode in webhook.base.modes.MODES]
            good = self.ended(self.launched(self.hosted(fake), 5))
            self.assertEqual((good["result"]["completed"], good["result"]["score"]), (5, 100))
            for run in hostile:
                run = self.ended(run, 40)
                [result] = self.results_of(run)
                if result["status"] == "completed":
                    continue  # an unusual but valid answer
                self.assertEqual((result["status"], result["metadata"]["error"]["source"]), ("failed", "agent"))
                self.assertEqual(run["result"]["passed"], 0)

    def test_D71_retries_repeat_the_turn_under_its_key(self):
        with webhook.WebhookAgent([Reply("no", 503), {"message": "said"}]) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake, retries=2), instruction="say: one")))
            self.assertEqual(result["status"], "completed")
            self.assertEqual(list(fake.keys.values()), [2])
        with webhook.WebhookAgent([Reply("no", 503), {"message": "said"}]) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
            self.assertEqual((result["status"], len(fake.requests)), ("failed", 1))

    def test_D74_a_check_reports_the_answer(self):
        with webhook.WebhookAgent() as fake:
            check = self.ok(self.http.post(f"/agents/{self.hosted(fake)['id']}/check"), 200)
            self.assertEqual((check["ok"], check["status"], check["error"]), (True, 200, None))
            self.assertIn("said", check["reply"]["message"])
            agent = self.agent(type="HTTP", config={"url": f"{fake.url}/hostile/status-404"})
            check = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
            self.assertEqual((check["ok"], check["status"], check["reply"]), (False, 404, None))
            self.assertTrue(check["error"]["detail"])
        self.problem(self.http.post(f"/agents/{self.agent()['id']}/check"), 400)

    def test_D52_a_person_talks_to_a_hosted_agent(self):
        with webhook.WebhookAgent() as fake:
            made = self.result(self.hosted(fake), isManual=True, assertionResults=[GOT])
            self.problem(self.next_message(made), 409)
            self.entry(made, "hello", type="message", role="tester")
            self.wait_for(lambda: len(self.get_result(made)["conversation"]) == 2)
            self.assertEqual(self.words(self.get_result(made)), [("tester", "hello"), ("chatbot", "You said: hello")])
            self.ok(self.finish(made), 202)
        self.assertEqual((self.settled(made)["score"], self.get_result(made)["endReason"]), (100, "tester_ended"))

    def test_D71_clients_may_add_tools_and_events_but_no_messages(self):
        with webhook.WebhookAgent(latency=0.3) as fake:
            made = self.result(self.hosted(fake), testInstruction="say: one")
            self.wait_for(lambda: fake.in_flight == 1)
            self.problem(self.post_entry(made, "me"), 409)
            self.problem(self.post_entry(made, "me", role="tester"), 409)
            self.problem(self.post_entry(made, type="action", name="go"), 409)
            self.problem(self.next_message(made), 409)
            self.entry(made, type="public-event", name="seen")
            result = self.settled(made)
            self.assertEqual(len(fake.requests), 1)
        self.assertEqual([entry["type"] for entry in result["conversation"]], ["message", "public-event", "message"])

    def test_a_retry_is_driven_again(self):
        with webhook.WebhookAgent([Reply("no", 500), {"message": "said"}]) as fake:
            run = self.launched(self.hosted(fake), instruction="say: one")
            self.ended(run)
            clone = self.ok(self.retry(self.results_of(run)[0]), 201)
            self.assertEqual(self.settled(clone)["score"], 100)
            run = self.ended(run)
        self.assertEqual((run["result"]["completed"], run["result"]["failed"], run["result"]["score"]), (1, 0, 100))


class Caps(Driven):
    options = ("--max-concurrent-tests", "7", "--max-conversations", "20")

    def test_I49_the_cap_of_a_run_is_reached_and_never_passed(self):
        for own, cap in ((0, 7), (3, 3)):
            with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=0.05) as fake:
                run = self.ended(self.launched(self.hosted(fake), 5, repetitions=5, maxConcurrentTests=own))
                self.assertEqual((run["result"]["completed"], fake.in_flight_max), (25, cap))

    def test_several_runs_share_the_server_fairly(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=0.05) as fake:
            agent = self.hosted(fake)
            large = self.launched(agent, 2, repetitions=100, maxConcurrentTests=100)
            small = self.launched(agent, 1, repetitions=5, maxConcurrentTests=5)
            self.assertEqual(self.ended(small)["result"]["completed"], 5)
            self.assertEqual(self.get_run(large)["status"], "running", "the small run does not wait for the large one")
            self.assertEqual(self.ended(large, 40)["result"]["completed"], 200)
            self.assertEqual(fake.in_flight_max, 20)

    def test_cancel_run_stops_the_calls_and_starts_no_other(self):
        with webhook.WebhookAgent() as fake:
            run = self.launched(self.agent(type="HTTP", config={"url": f"{fake.url}/hostile/hang"}), 2, repetitions=20)
            fake.wait(lambda now: now.in_flight == 7)
            self.ok(self.cancel_run(run), 200)
            self.assertTrue(fake.wait(lambda now: now.in_flight == 0, 5), "every call was stopped")
            calls = len(fake.requests)
            time.sleep(0.3)
            self.assertEqual(len(fake.requests), calls)
        results = self.results_of(run)
        self.assertEqual({result["status"] for result in results}, {"canceled"})
        self.assertEqual(self.get_run(run)["result"]["canceled"], 40)

    def test_I49_a_failed_result_gives_its_slot_to_the_next(self):
        with webhook.WebhookAgent([Reply("no", 500)] * 2 + [Reply(b"no json")] * 2 + [{"message": "said"}]) as fake:
            run = self.ended(self.launched(self.hosted(fake), 1, repetitions=6, maxConcurrentTests=1, instruction="say: one"))
            self.assertEqual((run["result"]["failed"], run["result"]["completed"], fake.in_flight_max), (4, 2, 1))

    def test_a_canceled_result_gives_its_slot_to_the_next(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}, latency=lambda request: 30 if len(fake.requests) <= 7 else 0) as fake:
            run = self.launched(self.hosted(fake), 1, repetitions=8, instruction="say: one")
            fake.wait(lambda now: now.in_flight == 7)
            running = self.results_of(run, status="running")
            for result in running:
                self.ok(self.patch_result(result, status="canceled"), 200)
            self.assertEqual(self.ended(run)["result"]["completed"], 1)


class Crashes(cases.OwnServerTest, Driven):
    ROUNDS = 4

    def test_I6_I8_conversations_survive_kills_with_no_turn_twice_and_none_lost(self):
        self.own_server("--max-concurrent-tests", "200")
        with webhook.WebhookAgent(lambda turn: {"message": f"said {turn['message']}"}, latency=0.15) as fake:
            instruction = "\n".join(f"say: {number}" for number in range(6))
            run = self.launched(self.hosted(fake), 10, instruction, repetitions=10)
            for _ in range(self.ROUNDS):
                time.sleep(random.uniform(0.1, 0.4))
                self.http.close()
                self.server.kill()
                self.server.start()
                self.http = self.server.client()
            run = self.ended(run, 60)
            self.assertEqual((run["result"]["completed"], run["result"]["score"]), (100, 100))
            self.assertGreater(max(fake.keys.values()), 1, "some turn was asked again")
            for result in self.results_of(run):
                self.assertEqual(self.words(result), [pair for number in range(6)
                                                      for pair in (("tester", str(number)), ("chatbot", f"said {number}"))])

    def crash_within(self, result):
        """Kills the server as if it had been working on the result."""
        self.http.close()
        self.server.kill()
        marks.leave(self.server, result)
        self.server.start()
        self.http = self.server.client()

    def test_I10_a_conversation_at_which_three_processes_ended_is_set_aside(self):
        self.own_server()
        with webhook.WebhookAgent(lambda turn: {"message": "said"},
                                  latency=lambda request: 60 if b"poison" in request.body else 0.1) as fake:
            run = self.launched(self.hosted(fake), instruction="say: poison")
            good = self.launched(self.hosted(fake), instruction="\n".join(f"say: {n}" for n in range(25)))
            fake.wait(lambda now: any(b"poison" in request.body for request in now.requests))
            [poison] = self.results_of(run)
            for _ in range(2):
                self.crash_within(poison)
                self.assertEqual(self.get_result(poison)["status"], "running", "it is tried again")
            self.crash_within(poison)
            self.assertEqual(self.ended(run)["status"], "completed")
            poison = self.get_result(poison)
            self.assertEqual((poison["status"], poison["endReason"]), ("failed", "infrastructure_error"))
            self.assertEqual([poison["metadata"]["error"][key] for key in ("source", "code")], ["infrastructure", "poison"])
            self.assertEqual(self.ended(good)["result"]["completed"], 1, "nobody else is set aside")

    def test_I10_work_is_marked_while_it_is_done(self):
        self.own_server()
        answer = {"message": "said", "tools": [{"name": "look", "metadata": {"n": list(range(50))}}] * 900}
        with webhook.WebhookAgent(lambda turn: answer) as fake:
            run = self.launched(self.hosted(fake), instruction="\n".join(f"say: {n}" for n in range(11)))
            [result] = self.results_of(run)
            seen = set()
            while result["id"] not in seen and self.get_run(run)["status"] not in cases.TERMINAL:
                for _ in range(50):
                    seen |= marks.at_work(self.server)
                    time.sleep(0.0005)
            self.assertIn(result["id"], seen)
            self.ended(run, 60)
        until = time.monotonic() + 5
        while marks.at_work(self.server) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(marks.at_work(self.server), set())


if __name__ == "__main__":
    cases.main()
