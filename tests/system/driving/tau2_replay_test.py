#!/usr/bin/env python3
"""Replays recorded simulations of tau2-bench over HTTP: every verdict must agree with the recorded one, and the
turns of the tester must be reproduced byte for byte. Skipped if the recordings are missing."""
import statistics

from support import cases, tau2
from support.cases import SystemTest

SIMULATIONS = 90


class Tau2Replay(SystemTest):
    def prepared(self, scenario, simulation):
        return self.a_test(scenario, simulation.instruction, simulation.assertions)

    def replay(self, simulation, agent, run, test, mode):
        result = self.result(agent, run=run["id"], test=test["id"], completionMode=mode)
        expected = []
        for kind, content in simulation.steps:
            if kind == "entry":
                entry = self.entry(result, **content)
                expected.append((entry["id"], content.get("type"), content.get("content"), content.get("name")))
                continue
            turn = self.turn(result)
            self.assertFalse(turn["end_chat"], simulation.id)
            self.assertEqual(turn["message"].encode(), content.encode(), simulation.id)
            self.assertEqual(self.turn(result), turn, "a lost response costs nothing (D47)")
            expected.append((turn["message_id"], "message", content, None))
        self.assertTrue(self.turn(result)["end_chat"])
        if mode == "manual":
            self.ok(self.finish(result), 202)
        after = self.settled(result)
        self.assertEqual((after["status"], after["endReason"]), ("completed", "tester_ended"))
        seen = [(entry["id"], entry["type"], entry.get("content"), entry.get("name"))
                for entry in after["conversation"]]
        self.assertEqual(seen, expected, simulation.id)
        return after

    def check_verdicts(self, simulation, after):
        verdicts = [row["passed"] for row in after["assertionResults"]]
        recorded = simulation.recorded
        self.assertEqual(verdicts, recorded, simulation.id)
        share = sum(recorded) / len(recorded) if recorded else 1
        self.assertEqual(after["score"], int(share * 100 + 0.5))
        by_id = {entry["id"]: entry for entry in after["conversation"]}
        for row in after["assertionResults"]:
            for entry in row["evidence"]:
                self.assertEqual(by_id[entry]["type"], "tool" if row["type"] == "tool-called" else "message")

    def check_averages(self, simulation, after):
        for key in ("responseTime", "inputTokens", "outputTokens", "cost"):
            numbers = [content["metadata"][key] for kind, content in simulation.steps
                       if kind == "entry" and content["type"] == "message" and key in content.get("metadata", {})]
            if numbers:
                self.assertAlmostEqual(after["averages"][key], statistics.fmean(numbers), places=6)
            else:
                self.assertIsNone(after["averages"][key])

    def test_every_recorded_verdict_is_found_again(self):
        agreed = replayed = communicated = 0
        for name, simulations in tau2.load().items():
            agent, scenario = self.agent(name=name), self.scenario(name=name)
            tests = [self.prepared(scenario, simulation) for simulation in simulations]
            run = self.a_run(scenario, agent)
            scores = []
            for number, (simulation, test) in enumerate(zip(simulations, tests, strict=True)):
                with self.subTest(file=name, simulation=simulation.id):
                    after = self.replay(simulation, agent, run, test, "manual" if number % 2 else "auto")
                    self.check_verdicts(simulation, after)
                    self.check_averages(simulation, after)
                    scores.append(after["score"])
                    agreed += len(simulation.recorded)
                    communicated += len(simulation.communicated)
                    replayed += 1
            outcome = self.run_becomes(run, "completed")["result"]
            self.assertEqual((outcome["total"], outcome["completed"]), (len(simulations), len(simulations)))
            self.assertEqual(outcome["score"], int(sum(scores) / len(scores) + 0.5))
        print(f"{replayed} simulations replayed, {agreed} recorded verdicts agree, {communicated} of them on what was said")
        self.assertEqual(replayed, SIMULATIONS)
        self.assertEqual(communicated, 12)
        self.assertGreater(agreed, communicated)


if __name__ == "__main__":
    if tau2.folder() is None:
        cases.skip("the recordings of tau2-bench are absent: set PARLEY_SHARED, or put them into ../shared")
    cases.main()
