#!/usr/bin/env python3
"""Published recordings as runs over HTTP: the run has the published pass^k; the comparison of two similar agents is undecided
and says how many repetitions would decide it; an agent compared with itself is no regression; an artificial drop is one (D35).
Skipped if the recordings are missing. Each message of the chatbot has a reward as metadata, which an assertion checks."""
import itertools
import json
import os
import pathlib
import random

from support import cases, server
from support.cases import SystemTest

TRIALS = "tau-bench/gpt-4o-airline.json"
BEFORE, AFTER = (f"tau2/trajectories/{name}_airline_1trial.json" for name in ("gpt-4.1", "gpt-4.1-finetuned"))
PUBLISHED = {"1": 0.420, "2": 0.273, "3": 0.220, "4": 0.200}
PASSES = {"type": "json", "severity": "BLOCKER",
          "config": {"pointer": "/reward", "entries": "messages", "equals": 1, "which": "last"}}
SEED = 20


def recorded(name):
    """The parsed file in data/, or None if it is absent."""
    for base in (os.environ.get("PARLEY_SHARED"), server.ROOT.parent / "shared"):
        path = pathlib.Path(base, "data", name) if base else None
        if path and path.is_file():
            return json.loads(path.read_text())
    return None


def trials():
    """{task: [reward of each trial]} of the recorded agent."""
    tasks = {}
    for row in recorded(TRIALS):
        tasks.setdefault(row["task_id"], []).append(row["reward"])
    return tasks


def rewards(name):
    return {row["task_id"]: [row["reward_info"]["reward"]] for row in recorded(name)["simulations"]}


class RecordedRuns(SystemTest):
    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()
        self.tests = {}

    def played(self, outcomes):
        """A run with a scored result for each reward of {task: [reward]}."""
        run = self.a_run(self.scenario_, self.agent_)
        made = []
        for task, list_ in outcomes.items():
            if task not in self.tests:
                self.tests[task] = self.a_test(self.scenario_, "end", [PASSES])
            for reward in list_:
                result = self.result(self.agent_, run=run["id"], test=self.tests[task]["id"])
                self.ok(self.post_entry(result, "done", {"Prefer": "return=minimal"}, metadata={"reward": reward}), 201)
                self.assertTrue(self.turn(result)["end_chat"])
                made.append(result)
        for result in made:
            self.settled(result)
        return self.get_run(run)

    def compared(self, before, after):
        return self.ok(self.http.get(f"/runs/{before['id']}/compare/{after['id']}"))

    def test_the_run_reports_the_published_pass_hat_k(self):
        result = self.played(trials())["result"]
        rows = result["repetitions"]
        self.assertEqual((len(rows), result["total"], result["passed"]), (50, 200, 84))
        for k, published in PUBLISHED.items():
            self.assertAlmostEqual(sum(row["passHatK"][k] for row in rows) / len(rows), published, delta=0.0005)
        self.assertEqual(sum(row["flaky"] for row in rows), 26)
        self.assertEqual(len(result["flaky"]), 26)
        self.assertEqual([(row["k"], row["tests"]) for row in result["passK"]], [(k, 50) for k in range(1, 5)])
        for row in result["passK"]:
            self.assertAlmostEqual(row["passHatK"], PUBLISHED[str(row["k"])], delta=0.0005)
        self.assertEqual((result["passRate"], result["coverage"]), (0.42, 1))

    def test_two_siblings_are_undecided_and_the_repetitions_that_would_decide_are_reported(self):
        found = self.compared(self.played(rewards(BEFORE)), self.played(rewards(AFTER)))
        overall = found["overall"]
        self.assertEqual([overall[key] for key in ("change", "pairs", "better", "worse", "open")],
                         ["undecided", 20, 6, 3, 0])
        self.assertAlmostEqual(overall["p"], 0.5078125, places=9)
        self.assertEqual(found["counts"], {"regressed": 0, "fixed": 0, "undecided": 9, "unchanged": 11})
        further = overall["furtherRepetitions"]
        print(f"{further} further repetitions of the 20 tests would decide between the siblings")
        # with that many repetitions and the same pass rates, the comparison is decided; the sign test alone, without the
        # required power, would need fewer
        often = {name: {task: list_ * (further + 1) for task, list_ in rewards(name).items()} for name in (BEFORE, AFTER)}
        again = self.compared(self.played(often[BEFORE]), self.played(often[AFTER]))["overall"]
        self.assertEqual((again["change"], again["pairs"]), ("fixed", 20 * (further + 1)))

    def test_one_agent_against_itself_is_not_a_regression_and_a_planted_drop_is_one(self):
        dice = random.Random(SEED)
        first, second, spoiled = {}, {}, {}
        for task, list_ in trials().items():
            list_ = dice.sample(list_, 4)
            first[task], second[task] = list_[:2] * 2, list_[2:] * 2
            spoiled[task] = [reward if dice.random() > 0.20 / 0.42 else 0 for reward in second[task]]
        before = self.played({task: list_[:2] for task, list_ in first.items()})
        after = self.played({task: list_[:2] for task, list_ in second.items()})
        found = self.compared(before, after)
        self.assertEqual((found["counts"]["regressed"], found["counts"]["fixed"]), (0, 0))
        self.assertEqual((found["overall"]["change"], found["overall"]["pairs"]), ("undecided", 100))
        dropped = self.compared(self.played(first), self.played(spoiled))["overall"]
        lost = sum(itertools.chain(*first.values())) - sum(itertools.chain(*spoiled.values()))
        self.assertEqual((dropped["change"], dropped["pairs"]), ("regressed", 200))
        self.assertEqual(dropped["worse"] - dropped["better"], lost)


if __name__ == "__main__":
    if any(recorded(name) is None for name in (TRIALS, BEFORE, AFTER)):
        cases.skip("the recordings are absent: set PARLEY_SHARED, or put them into ../shared")
    cases.main()
