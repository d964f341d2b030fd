#!/usr/bin/env python3
"""Answers of tester and judge that are reused for the same question (--keep-answers), with a fake model that counts its
questions and the real binary."""
from support import cases
from support.driven import Driven, verdict_of
from support.fakes import model

CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}


class KeptAnswers(cases.OwnServerTest, Driven):
    """Tester and judge are one fake model; only the questions of the judge have a schema."""

    def begin(self, script):
        self.fake = model.Model(script).start()
        self.addCleanup(self.fake.stop)
        self.own_server("--tester-url", self.fake.base_url, "--tester-model", "t", "--judge-url", self.fake.base_url,
                        "--judge-model", "j", "--keep-answers", "true")

    def test_kept_answers_are_given_again_for_the_same_question_and_survive_a_restart(self):
        def script(asked):
            return verdict_of(asked) if "response_format" in asked else f"Turn {len(asked['messages'])}"
        self.begin(script)
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "Be polite.\nmax turns: 2", [CRITERION])

        def played(run):
            made = self.result(agent, run=run["id"], test=test["id"])
            while not self.turn(made)["end_chat"]:
                self.entry(made, "hello you")
            return self.settled(made)
        run = self.a_run(scenario, agent, repetitions=2)
        first = played(run)
        self.assertEqual(len(self.fake.requests), 3)
        played(run)
        self.assertEqual(len(self.fake.requests), 6, "a repetition is another look")
        self.server.kill()
        self.server.start()
        self.http.close()
        self.http = self.server.client()
        again = played(self.a_run(scenario, agent, repetitions=2))
        self.assertEqual(len(self.fake.requests), 6, "nobody was asked")
        self.assertEqual(self.words(again), self.words(first))
        self.assertEqual([again["usage"][role]["repeated"] for role in ("tester", "judge")], [2, 1])
        self.assertEqual([again["usage"][role]["calls"] for role in ("tester", "judge")], [0, 0])
        self.assertEqual(again["assertionResults"][0]["status"], "passed")
        options = self.server.options
        for self.server.options in (options[:-2], options):  # a start without the option deletes the kept answers
            self.assertEqual(self.server.stop(), 0)
            self.server.start()
        self.http.close()
        self.http = self.server.client()
        played(self.a_run(scenario, agent, repetitions=2))
        self.assertEqual(len(self.fake.requests), 9)

    def test_a_verdict_of_the_judges_second_look_is_kept_too(self):
        looks = iter(["no JSON", "failed", "passed"])

        def script(asked):
            look = next(looks)
            return look if look == "no JSON" else verdict_of(asked, look)
        self.begin(script)
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario, "say: hello", [CRITERION])
        for _ in range(2):
            made = self.result(agent, run=self.a_run(scenario, agent)["id"], test=test["id"])
            self.converse(made)
            self.assertEqual(self.settled(made)["assertionResults"][0]["status"], "failed")
        self.assertEqual(len(self.fake.requests), 2, "the second run asked nobody")


if __name__ == "__main__":
    cases.main()
