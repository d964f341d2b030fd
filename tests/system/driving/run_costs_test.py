#!/usr/bin/env python3
"""Seeds, costs and usage of the models of a run (D103), and what models see of a test (D108): fake models on real sockets."""
import json
import tempfile

from support import cases, command
from support.driven import Driven, transcript_of, verdict_of
from support.fakes import model

CRITERION = {"type": "criteria", "criteria": "The chatbot greets."}
USED = {"prompt_tokens": 1000, "completion_tokens": 100}


class RunCosts(cases.OwnServerTest, Driven):
    """One fake model is chatbot, tester and judge; only the questions of the judge have a schema."""

    def begin(self, said="Hello.", prices="m-*: {input: 10, output: 20}\nm-judge: {input: 1, output: 1}\n"):
        self.fake = model.Model(lambda asked: self.answer(asked, said)).start()
        self.addCleanup(self.fake.stop)
        file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.addCleanup(file.close)
        file.write(prices)
        file.flush()
        self.own_server("--tester-url", self.fake.base_url, "--tester-model", "m-tester", "--judge-url", self.fake.base_url,
                        "--judge-model", "m-judge", "--prices", file.name)
        self.bot = self.agent(type="OPENAI", config={"url": self.fake.base_url, "model": "m-bot"}, secrets={"apiKey": "k"})

    @staticmethod
    def answer(asked, said):
        if "response_format" in asked:
            return model.text(verdict_of(asked), **USED)
        if asked["model"] == "m-tester":
            spoken = sum(message["role"] == "assistant" for message in asked["messages"])
            return model.tool("end_conversation", {"reason": "goal_reached"}, **USED) if spoken > 1 else model.text("Go on.", **USED)
        return model.text(said, **USED)

    def of_model(self, name):
        return [asked for asked in self.fake.asked() if asked["model"] == name]

    def test_D103_seed_and_prices_reach_every_model_of_a_run(self):
        self.begin()
        run = self.launched(self.bot, instruction="Greet.", assertions=[CRITERION], seed=4711)
        done = self.ended(run)
        self.assertEqual((done["result"]["passed"], done["result"]["total"]), (1, 1))
        self.assertEqual({asked.get("seed") for asked in self.fake.asked()}, {4711})
        usage = done["usage"]
        self.assertEqual(usage["agent"], {"calls": 2, "inputTokens": 2000, "outputTokens": 200, "cost": 0.024})
        self.assertEqual(usage["tester"], {"calls": 3, "inputTokens": 3000, "outputTokens": 300, "cost": 0.036})
        self.assertEqual(usage["judge"], {"calls": 1, "inputTokens": 1000, "outputTokens": 100, "cost": 0.0011})
        unseeded = self.ended(self.launched(self.bot, instruction="Greet."))
        self.assertEqual([asked.get("seed") for asked in self.fake.asked()[-1:]], [None])
        self.assertIsNone(unseeded["usage"]["judge"]["cost"])

    def test_D108_models_see_the_history_and_the_judge_judges_a_turn(self):
        self.begin()
        history = [{"role": "user", "content": "I am Ada."}, {"role": "assistant", "content": "Hi Ada."}]
        scenario = self.scenario()
        self.a_test(scenario, 'first: "It is me again."\nGreet.', [{**CRITERION, "config": {"scope": "turn:1"}}], history=history)
        done = self.ended(self.a_run(scenario, self.bot, "pending"))
        [result] = self.results_of(done)
        self.assertEqual([entry["content"] for entry in result["conversation"]],
                         ["I am Ada.", "Hi Ada.", "It is me again.", "Hello."])
        self.assertEqual([message["content"] for message in self.of_model("m-bot")[0]["messages"]],
                         ["I am Ada.", "Hi Ada.", "It is me again."])
        seen = json.dumps(self.of_model("m-tester")[0]["messages"])
        self.assertIn("Hi Ada.", seen)
        self.assertNotIn("first:", seen)
        self.assertEqual(result["assertionResults"][0]["status"], "failed", "the conversation has no turn 1")
        self.a_test(scenario := self.scenario(), "say: a\nsay: b", [{**CRITERION, "config": {"scope": "turn:1"}}], history=history)
        self.ended(self.a_run(scenario, self.bot, "pending"))
        [asked] = self.of_model("m-judge")
        self.assertEqual([entry.get("history", False) for entry in transcript_of(asked)], [True, True, False, False, False, False])
        system = asked["messages"][0]["content"]
        self.assertIn("whose turn is 1", system)
        self.assertIn('"history": true', system)

    def test_D97_prose_that_a_model_plays_is_not_warned_of(self):
        self.begin("")
        [result] = self.results_of(self.ended(self.launched(self.bot, instruction="Greet.", assertions=[])))
        self.assertEqual([warning["code"] for warning in result["warnings"]], ["no_assertions", "empty_answers"])
        self.assertEqual(self.a_test(self.scenario(), "Greet.", [CRITERION])["warnings"], [])

    def test_D103_a_faulty_price_file_stops_the_start_with_its_line(self):
        for text, why in (("m: 3\n", ":1: m must be"), ("m: {input: 1}\n", ":1: lacks output"),
                          ("a: {input: 1, output: 1}\nm: {input: x, output: 1}\n", ":2: input must be"),
                          ("m: {input: 1, output: 1, cached: 1}\n", "unknown key cached"), ("m: {input: 1\n", "yaml"),
                          ("- m\n", "must be a map")):
            with self.subTest(text=text), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text)
                file.flush()
                ended = command.parley("serve", "--prices", file.name)
                self.assertEqual(ended.returncode, 2, ended)
                self.assertIn(why, ended.stderr)
        ended = command.parley("serve", "--prices", "/nothing/there.yaml")
        self.assertEqual((ended.returncode, "cannot be read" in ended.stderr), (2, True), ended)


if __name__ == "__main__":
    cases.main()
