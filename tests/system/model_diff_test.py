#!/usr/bin/env python3
"""Random courses of operations, the server against the reference model (support/model.py): status codes, states,
scores, ends, order of entries, states and counters of runs.

PARLEY_OPERATIONS (3000) operations; PARLEY_SEED repeats a course."""
import os
import random
import time

from support import cases, model
from support.cases import SystemTest

OPERATIONS = int(os.environ.get("PARLEY_OPERATIONS", "3000"))
SEED = int(os.environ.get("PARLEY_SEED", random.randrange(10 ** 9)))
CHECK_ALL_EVERY = 500
KINDS = [("contains", "fine", "MAJOR"), ("contains", "bad", "BLOCKER"), ("contains", "fine", "BLOCKER"),
         ("tool-called", "buy", "MINOR"), ("tool-not-called", "sell", "MAJOR"), ("criteria", "is polite", "MINOR"),
         ("criteria", "is brief", "BLOCKER")]
RECENT = 12  # operations choose among the newest results and runs, so that each sees many of them


def assertion(kind, word, severity):
    if kind == "criteria":
        return {"type": kind, "criteria": word, "severity": severity}
    return {"type": kind, "severity": severity, "config": {"value" if kind == "contains" else "name": word}}


class ModelDiff(SystemTest):
    def test_a_random_course_agrees_with_the_model(self):
        print(f"seed {SEED}, {OPERATIONS} operations")
        self.random = random.Random(SEED)
        self.model = model.Model()
        self.ids = {}      # model object -> id
        self.history = []
        self.tests, self.runs = [], []
        self.agent_, self.scenario_ = self.agent(), self.scenario()
        self.words = model.numbered(["fine", "bad", "so so"])
        for _ in range(3):
            self.make_test()
        self.make_run()
        choices, weights = zip(*self.operations())
        for number in range(OPERATIONS):
            operation = self.random.choices(choices, weights)[0]
            if self.model.is_paused and self.random.random() < 0.1:
                operation = self.toggle_pause  # most verdicts are to land soon
            self.history.append(operation.__name__)
            try:
                operation()
                if number % CHECK_ALL_EVERY == CHECK_ALL_EVERY - 1:
                    self.check_all()
            except AssertionError as fault:
                raise AssertionError(f"seed {SEED}, operation {number}, after {self.history[-8:]}: {fault}") from None
        self.set_pause(False)
        self.check_all()
        scores = [result.score for result in self.model.results if result.is_scored]
        print({word: self.history.count(word) for word in sorted(set(self.history))})
        print(f"{len(self.model.results)} results, {len(scores)} scored, {len(set(scores))} different scores")
        self.assertGreater(len(set(scores)), 5 if OPERATIONS >= 3000 else 0, "the course tells too little")

    def operations(self):
        return [(self.make_result, 8), (self.next_turn, 20), (self.reply, 16), (self.tool, 6), (self.insert, 5),
                (self.merge, 3), (self.finish_it, 8), (self.set_status, 3), (self.set_mode, 3), (self.retry_it, 6),
                (self.play_on, 12), (self.make_run, 2), (self.cancel_it, 0.5), (self.set_run_status, 1.5),
                (self.make_test, 1), (self.change_test, 0.5), (self.toggle_pause, 1)]

    # ---- choice and comparison --------------------------------------------------------------------------------

    def some_result(self):
        if not self.model.results:
            self.make_result()
        recent = self.model.results[-RECENT:]
        live = [result for result in recent if result.is_live]
        return self.random.choice(live if live and self.random.random() < 0.6 else recent)

    def some_run(self):
        return self.random.choice(self.runs[-4:])

    def becomes(self, read, expected, what):
        """Waits for what comes after the answer: a verdict, the end of a run."""
        until = time.monotonic() + 5
        while True:
            seen = read()
            if seen == expected or time.monotonic() > until:
                self.assertEqual(seen, expected, what)
                return
            time.sleep(0.002)

    def read_result(self, result):
        shown = self.get_result(self.ids[result])
        return {"isClaimed": shown["scoringEnqueuedAt"] is not None, "isRetired": shown["retiredBy"] is not None,
                "entries": [entry["id"] for entry in shown["conversation"]],
                **{key: shown[key] for key in ("status", "isEnded", "endReason", "completionMode", "score",
                                               "overallPassed")}}

    def read_run(self, run):
        shown = self.get_run(self.ids[run])
        wanted = run.outcome()
        return shown["status"], {key: shown["result"].get(key) for key in wanted} if run.results else {}

    def check_result(self, result):
        self.becomes(lambda: self.read_result(result), result.shown(), f"result {self.ids[result]}")
        if result.run:
            self.check_run(result.run)

    def check_run(self, run):
        expected = (run.status, run.outcome() if run.results else {})
        self.becomes(lambda: self.read_run(run), expected, f"run {self.ids[run]}")

    def check_all(self):
        for result in self.model.results:
            self.becomes(lambda: self.read_result(result), result.shown(), f"result {self.ids[result]}")
        for run in self.runs:
            self.check_run(run)
            for status in model.STATUSES:
                rows = self.ok(self.http.get(f"/test-results/?run={self.ids[run]}&status={status}&limit=1000"
                                             "&output=minimal&sortOrder=asc"))
                expected = [self.ids[result] for result in run.results if result.status == status]
                self.assertEqual([row["id"] for row in rows["data"]], expected)
                self.assertEqual(rows["total"], len(expected))

    def status(self, answer, expected):
        self.assertEqual(answer.status, expected, answer)
        return answer.json() if answer.body else {}

    # ---- operations -------------------------------------------------------------------------------------------

    def make_test(self):
        lines = [f"line {n}" for n in range(self.random.randrange(1, 4))]
        assertions = self.random.sample(KINDS, self.random.choice([0, 1, 2, 2, 3, 3, 4]))
        made = self.a_test(self.scenario_, "\n".join(f"say: {line}" for line in lines),
                           [assertion(*kind) for kind in assertions])
        test = model.Test(lines, assertions)
        self.ids[test] = made["id"]
        self.tests.append(test)

    def change_test(self):
        test = self.random.choice(self.tests)
        field, name = self.random.choice([("isEnabled", "is_enabled"), ("isArchived", "is_archived")])
        setattr(test, name, not getattr(test, name))
        self.ok(self.http.patch(f"/tests/{self.ids[test]}", {field: getattr(test, name)}), 200)

    def make_run(self):
        repetitions = self.random.choice([1, 1, 2])
        made = self.a_run(self.scenario_, self.agent_, "running", repetitions=repetitions)
        run = model.Run(self.tests, repetitions)
        self.ids[run] = made["id"]
        self.runs.append(run)

    def make_result(self):
        run = self.random.choice([None, self.some_run(), self.some_run()])
        test = self.random.choice(self.tests)
        if run and test.is_archived and run.is_forgetful:
            return  # the decisions do not say whether a forgotten case is still an expected one
        mode = self.random.choice(["auto", "manual"])
        expected, result = self.model.create(run, test, mode)
        answer = self.status(self.http.post("/test-results/", {
            "agent": self.agent_["id"], "test": self.ids[test], "completionMode": mode,
            **({"run": self.ids[run]} if run else {})}), expected)
        if result:
            self.ids[result] = answer["id"]
            self.check_result(result)
        elif run:
            self.check_run(run)

    def next_turn(self, result=None):
        result = result or self.some_result()
        turn = self.ok(self.next_message(self.ids[result], Prefer="wait=0"), 200)
        was_open, was_covered = result.open_turn, result.is_covered
        _, text = self.model.next_message(result, turn["message_id"])
        if was_open and was_covered and not result.end_reason and not turn["ready"]:
            return self.check_result(result)  # behind a tool entry the turn may be not ready instead of repeated
        self.assertTrue(turn["ready"])
        self.assertEqual((turn["message"], turn["end_chat"]), (text, text is None))
        if was_open and text is not None:
            self.assertEqual(turn["message_id"], was_open)
        return self.check_result(result)

    def posted(self, result, kind, text, **place):
        body = {"content": text} if kind == "message" else {"type": kind, "name": text}
        answer = self.post_entry(self.ids[result], headers={"Prefer": "return=minimal"}, **body, **place)
        entry = answer.json().get("entry", {}).get("id")
        anchor = place.get("before") or place.get("after")
        self.status(answer, self.model.post(result, kind, text, entry, anchor, "before" in place))
        self.check_result(result)

    def play_on(self):
        """A few exchanges of one result, so that many come to their end."""
        result = self.some_result()
        for _ in range(3):
            self.next_turn(result)
            if result.open_turn and self.model.takes_entries(result):
                self.posted(result, "message", next(self.words))

    def reply(self):
        self.posted(self.some_result(), "message", next(self.words))

    def tool(self):
        self.posted(self.some_result(), "tool", self.random.choice(["buy", "sell", "look"]))

    def insert(self):
        result = self.some_result()
        if result.entries:
            anchor = self.random.choice(result.entries)[0]
            self.posted(result, self.random.choice(["message", "tool"]), self.random.choice(["buy", "fine"]),
                        **{self.random.choice(["before", "after"]): anchor})

    def merge(self):
        result = self.some_result()
        if result.entries:
            entry = self.random.choice(result.entries)[0]
            self.status(self.patch_entry(self.ids[result], entry, {"k": self.random.random()}),
                        self.model.patch_entry(result))
            self.check_result(result)

    def finish_it(self):
        waiting = [result for result in self.model.results[-RECENT:] if result.is_waiting]
        result = self.random.choice(waiting) if waiting and self.random.random() < 0.7 else self.some_result()
        self.status(self.finish(self.ids[result]), self.model.finish(result))
        self.check_result(result)

    def set_status(self):
        result, word = self.some_result(), self.random.choice(model.STATUSES)
        self.status(self.patch_result(self.ids[result], status=word), self.model.patch_status(result, word))
        self.check_result(result)

    def set_mode(self):
        result, mode = self.some_result(), self.random.choice(["auto", "manual"])
        self.status(self.patch_result(self.ids[result], completionMode=mode), self.model.patch_mode(result, mode))
        self.check_result(result)

    def retry_it(self):
        result = self.some_result()
        expected, clone = self.model.retry(result)
        answer = self.status(self.retry(self.ids[result]), expected)
        if clone:
            self.ids[clone] = answer["id"]
            self.assertEqual(answer["metadata"]["previous_test_result_id"], self.ids[result])
            self.check_result(clone)
        for other in result.lineage:
            self.check_result(other)

    def cancel_it(self):
        run = self.some_run()
        self.status(self.cancel_run(self.ids[run]), self.model.cancel_run(run))
        self.check_run(run)

    def set_run_status(self):
        run, word = self.some_run(), self.random.choice(["new", "pending", "running", "completed", "failed", "canceled"])
        self.status(self.patch_run(self.ids[run], status=word), self.model.patch_run(run, word))
        self.check_run(run)

    def set_pause(self, is_paused):
        self.pause_scoring(is_paused)
        self.model.pause(is_paused)

    def toggle_pause(self):
        self.set_pause(not self.model.is_paused)
        for result in self.model.results[-RECENT:]:
            self.check_result(result)


if __name__ == "__main__":
    cases.main()
