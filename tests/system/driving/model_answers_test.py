#!/usr/bin/env python3
"""How the answers of the models of agent, tester and judge are used, what a verdict reports about the input of the judge, how
the tester sees its own actions, and when the judge is no longer asked (D35, D48, D51a, D62, F21, I45): fake servers on real
sockets, and the real binary."""
import threading
import time

from support import cases
from support.driven import GOT, Driven, verdict_of
from support.fakes import model
from support.fakes.base import Reply

CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}
DOWN = "UPSTREAM DOWN"


class Agents(Driven):
    def test_D35_an_error_within_a_success_is_an_outage_and_not_an_answer(self):
        said = "said one"   # so that the assertion would pass
        beside = Reply({"error": {"message": DOWN}, "choices": [{"message": {"content": said}, "finish_reason": None}]})
        for answer in (model.broken_off("", DOWN), model.broken_off(said, DOWN), beside,
                       model.refused(DOWN)):
            with self.subTest(answer), model.Model([answer]) as fake:
                agent = self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})
                run = self.ended(self.launched(agent))
                [result] = self.results_of(run)
                error = result["metadata"]["error"]
                self.assertEqual((result["status"], result["endReason"], error["source"], error["code"]),
                                 ("failed", "agent_error", "agent", "provider_error"), result)
                self.assertIn(DOWN, error["detail"])
                self.assertEqual(self.words(result), [("tester", "one")])
                self.assertEqual(run["result"]["score"], None)
                checked = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
                self.assertEqual((checked["ok"], checked["error"]["code"]), (False, "provider_error"))

    def test_an_empty_error_is_ignored(self):
        answer = Reply({"error": {"code": None, "message": None},
                        "choices": [{"message": {"content": "said"}, "finish_reason": "stop"}]})
        with model.Model([answer]) as fake:
            run = self.ended(self.launched(self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})))
            [result] = self.results_of(run)
        self.assertEqual((result["status"], self.words(result)[:2]), ("completed", [("tester", "one"), ("chatbot", "said")]))


    def test_a_refusal_in_any_form_is_recorded_as_what_the_chatbot_said(self):
        parts = Reply({"choices": [{"message": {"content": [{"type": "refusal", "refusal": "I cannot."}]}}]})
        for answer in (model.refusal("I cannot."), parts):
            with self.subTest(answer), model.Model([answer]) as fake:
                run = self.ended(self.launched(self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m"})))
                [result] = self.results_of(run)
                said = result["conversation"][1]
                self.assertEqual((said["content"], said["metadata"]["refused"]), ("I cannot.", True))


class Models(cases.OwnServerTest, Driven):
    """Tester and judge are one fake model."""

    def begin(self, script):
        self.fake = model.Model(script).start()
        self.addCleanup(self.fake.stop)
        self.own_server("--tester-url", self.fake.base_url, "--tester-model", "t", "--judge-url", self.fake.base_url,
                        "--judge-model", "j")

    def test_D62_an_action_that_was_invoked_is_not_shown_as_the_tool_of_another(self):
        said = iter(["Hi", model.tool("action_1", {}), model.tool("end_conversation", {"reason": "tester_ended"})])
        self.begin(lambda asked: next(said))
        made = self.result(testInstruction="Buy something.")
        self.turn(made)
        for length in (65, 64):  # endpoints allow 64 characters, and the longer name is truncated to the shorter one
            self.entry(made, type="internal-event", name="buttons", metadata={"actions": [
                {"name": "x" * length, "description": "buys", "properties": {}, "required": []}]})
            self.turn(made)
        asked = self.fake.asked()
        offered = [[tool["function"]["name"] for tool in request["tools"]] for request in asked[1:]]
        self.assertEqual(offered, [["action_1", "end_conversation"], ["x" * 64, "end_conversation"]])
        [called] = [call["function"]["name"] for message in asked[2]["messages"] for call in message.get("tool_calls", [])]
        self.assertEqual(called, "x" * 62 + "_2")
        [invoked] = [entry["name"] for entry in self.settled(made)["conversation"] if entry["type"] == "action"]
        self.assertEqual(invoked, "x" * 65)

    def test_D48_an_error_within_a_success_of_the_tester_is_not_a_turn(self):
        for answer in (model.broken_off("I wan", DOWN), model.refused(DOWN)):
            with self.subTest(answer):
                self.begin([answer])
                made = self.result(testInstruction="Anything.")
                self.assertTrue(self.turn(made)["end_chat"])
                result = self.settled(made)
                self.assertEqual((result["status"], result["endReason"], result["conversation"]), ("failed", "tester_error", []))
                self.assertIn(DOWN, result["metadata"]["error"]["detail"])
                self.assertEqual(len(self.fake.requests), 3, "asked again like any void answer")
        self.begin([model.broken_off("I wan", DOWN), "I want a latte."])
        self.assertEqual(self.turn(self.result(testInstruction="Anything."))["message"], "I want a latte.")

    def test_D35_an_error_within_a_success_of_the_judge_is_not_a_verdict(self):
        for answer in (lambda asked: model.broken_off(verdict_of(asked), DOWN),
                       lambda asked: model.broken_off(verdict_of(asked, "failed"), DOWN),
                       lambda asked: model.refused(DOWN)):
            self.begin(answer)
            result = self.scored([CRITERION, GOT], ["hello, I said"])
            row = result["assertionResults"][0]
            self.assertEqual((result["status"], row["status"], row["passed"]), ("completed", "error", None))
            self.assertIn(DOWN, row["reason"])
            self.assertEqual(len(self.fake.requests), 2, "asked again like any void verdict")
        self.begin(lambda asked: model.refused(DOWN) if len(self.fake.requests) == 1 else verdict_of(asked))
        self.assertEqual(self.scored([CRITERION], ["hello"])["assertionResults"][0]["status"], "passed")

    def test_D105_a_verdict_counts_within_any_text(self):
        wrapped = (lambda text: f"```json\n{text}\n```", lambda text: f"<think>{{hm}}</think>\n{text}",
                   lambda text: f"My verdict: {text} That is all.", lambda text: '{"confidence": 0.9, ' + text[1:])
        for wrap in wrapped:
            self.begin(lambda asked, wrap=wrap: wrap(verdict_of(asked)))
            row = self.scored([CRITERION], ["hello"])["assertionResults"][0]
            self.assertEqual((row["status"], len(self.fake.requests)), ("passed", 1), row)

    def test_D105_a_void_verdict_shows_the_answer_and_logs_one_line(self):
        both = lambda asked: verdict_of(asked) + verdict_of(asked, "failed")  # noqa: E731
        for script, shown in ((["It looks fine to me. " * 30], "It looks fine to me."), (both, '{"verdict": "passed"')):
            self.begin(script)
            row = self.scored([CRITERION], ["hello"])["assertionResults"][0]
            self.assertEqual((row["status"], row["passed"]), ("error", None))
            self.assertIn(shown, row["reason"])
            self.assertLess(len(row["reason"]), 600)
            lines = [line for line in self.server.log.read_text().splitlines() if "answer of the judge is void" in line]
            self.assertEqual(len(lines), 2, "one for each answer")
            self.assertIn("final=true", lines[1])
            self.assertNotIn("hello", "".join(lines))

    def test_D105_a_tester_may_think_aloud(self):
        self.begin(["<think>I need coffee.</think>\n```\nA latte, please.\n```"])
        self.assertEqual(self.turn(self.result(testInstruction="Anything."))["message"], "A latte, please.")

    def test_a_verdict_on_cut_texts_says_so(self):
        self.begin(lambda asked: verdict_of(asked, "failed", quote="aaa"))
        for length, ends in ((1_000, "It says so."),
                             (40_000, "It says so. (The judge was shown only the beginnings of the longest texts.)")):
            row = self.scored([CRITERION], ["a" * length])["assertionResults"][0]
            self.assertEqual((row["status"], row["reason"]), ("failed", ends))

    def test_a_judge_sees_as_much_of_a_long_conversation_as_there_is_room_for(self):
        self.begin(lambda asked: verdict_of(asked, quote="aaa"))
        result = self.scored([CRITERION], ["a" * 5_000] * 300, "\n".join(["say: go on"] * 300 + ["max turns: 300"]))
        self.assertEqual(result["assertionResults"][0]["status"], "passed")
        [asked] = self.fake.asked()
        shown = len(asked["messages"][-1]["content"])
        self.assertGreater(shown, 900 << 10)
        self.assertLessEqual(shown, (1 << 20) + 200)

    def test_I45_once_a_cancel_run_is_answered_no_judge_is_asked_again(self):
        gate = threading.Event()

        def busy(asked):
            gate.wait(20)
            return Reply({"error": {"message": "busy"}}, 503, {"Retry-After": "0"})

        self.begin(busy)
        run = self.launched(self.agent(type="DEMO"), assertions=[CRITERION])
        self.wait_for(lambda: self.fake.requests)
        self.ok(self.cancel_run(run), 200)
        gate.set()
        time.sleep(2.5)  # enough time for three more attempts
        self.assertEqual(len(self.fake.requests), 1)


if __name__ == "__main__":
    cases.main()
