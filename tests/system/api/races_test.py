#!/usr/bin/env python3
"""Pairs of operations started together over real sockets: in any order, only the outcomes that the
test allows may be seen. The number of a test is the number of its row in the race table.

    races_test.py                         10 rounds per row (PARLEY_ROUNDS); --full: 200. PARLEY_SEED repeats the delays."""
import re
import unittest

from races.driven import *  # noqa: F401,F403
from races.ends import *  # noqa: F401,F403
from races.kills import *  # noqa: F401,F403
from races.runners import *  # noqa: F401,F403
from races.runs import *  # noqa: F401,F403
from support import cases
from support.cases import state_of
from support.racing import RacingTest

PRESS = {"type": "public-event", "name": "form",
         "metadata": {"actions": [{"name": "press", "description": "presses"}]}}


class Races(RacingTest):
    # ---- next-message -----------------------------------------------------------------------------------------

    def test_01_next_message_twice_makes_one_turn(self):
        for _ in self.rounds():
            made = self.in_state("P")
            turns = [answer.json() for answer in self.race(*[self.operation("NM", made)] * 6)]
            self.assertEqual(len(self.ids_of(made)), 1)
            ready = [turn for turn in turns if turn["ready"]]
            self.assertTrue(ready)
            self.assertEqual({turn["message_id"] for turn in ready}, set(self.ids_of(made)))

    def test_02_next_message_and_append(self):
        for _ in self.rounds():
            made = self.in_state("P", testInstruction="say: a\nsay: b\nsay: c")
            first = self.turn(made)
            turn, entry = [answer.json() for answer in
                           self.race(self.operation("NM", made), self.operation("CP", made))]
            if turn["ready"] and turn["message_id"] != first["message_id"]:
                self.assertEqual(turn["message"], "b")
                self.assertEqual(self.ids_of(made)[1:], [entry["entry"]["id"], turn["message_id"]])
            else:
                self.assertEqual(self.ids_of(made), [first["message_id"], entry["entry"]["id"]])

    def test_05_22_next_message_that_ends_and_finish(self):
        for number in self.rounds():
            manual = number % 2 == 0
            made = self.in_state("P", manual=manual, testInstruction="say: a")
            self.turn(made)
            self.entry(made, "fine")
            turn, finish = self.race(self.operation("NM", made), self.operation("FI", made))
            self.assertTrue(self.ok(turn, 200)["end_chat"])
            # if an automatic result has already been scored, finish is 400
            self.assertIn(finish.status, (400, 202) if manual else (400, 409))
            after = self.finally_(made)
            expected = "C" if not manual or finish.status == 202 else "W"
            self.assertEqual(state_of(after), expected)

    def test_06_next_message_and_cancel(self):
        for _ in self.rounds():
            made = self.in_state("P")
            turn, cancel = self.race(self.operation("NM", made), self.operation("CA", made))
            self.ok(cancel, 200)
            turn, after = self.ok(turn, 200), self.get_result(made)
            self.assertEqual(state_of(after), "X")
            self.assertEqual(len(after["conversation"]), 0 if turn["end_chat"] else 1)

    def test_07_next_message_and_cancel_run(self):
        for _ in self.rounds():
            run, made = self.in_run("P")
            turn, cancel = self.race(self.operation("NM", made), self.operation("CR", made, run))
            self.ok(cancel, 200)
            turn, after = self.ok(turn, 200), self.get_result(made)
            self.assertEqual(state_of(after), "X")
            self.assertEqual(len(after["conversation"]), 0 if turn["end_chat"] else 1)
            self.assertEqual(self.get_run(run)["status"], "canceled")

    def test_08_next_message_that_ends_and_manual(self):
        for _ in self.rounds():
            made = self.in_state("P", testInstruction="say: a")
            self.turn(made)
            self.entry(made, "fine")
            turn, mode = self.race(self.operation("NM", made), self.operation("MO", made))
            self.assertTrue(self.ok(turn, 200)["end_chat"])
            self.assertIn(mode.status, (200, 409))
            self.assertEqual(state_of(self.finally_(made)), "W" if mode.status == 200 else "C")

    def test_09_next_message_and_retry(self):
        for _ in self.rounds():
            made = self.in_state("P")
            turn, retry = self.race(self.operation("NM", made), self.operation("RT", made))
            self.ok(turn, 200)
            self.problem(retry, 400)

    # ---- entries ----------------------------------------------------------------------------------------------

    def test_11_appends_all_arrive_and_each_answer_ends_with_its_own(self):
        for _ in self.rounds():
            made = self.in_state("P")
            path = f"/test-results/{made['id']}/conversation"
            answers = self.race(*[("POST", path, {"content": f"text {n}"}) for n in range(8)])
            for number, answer in enumerate(answers):
                self.assertEqual(self.ok(answer, 201)["conversation"][-1]["content"], f"text {number}")
            lengths = sorted(len(answer.json()["conversation"]) for answer in answers)
            self.assertEqual(lengths, list(range(1, 9)))
            longest = max((answer.json()["conversation"] for answer in answers), key=len)
            self.assertEqual([entry["id"] for entry in longest], self.ids_of(made))

    def test_12_one_action_name_is_registered_once(self):
        for _ in self.rounds():
            made = self.in_state("P")
            path = f"/test-results/{made['id']}/conversation"
            answers = self.race(*[("POST", path, PRESS)] * 4)
            self.assertEqual(sorted(self.statuses(answers)), [201, 400, 400, 400])
            self.assertEqual(len(self.ids_of(made)), 1)

    def test_13_14_inserts_at_one_anchor_and_appends(self):
        for _ in self.rounds():
            made = self.in_state("P")
            first, last = self.entry(made, "first")["id"], self.entry(made, "last")["id"]
            path, minimal = f"/test-results/{made['id']}/conversation", {"Prefer": "return=minimal"}
            answers = self.race(*[("POST", path, {"content": "i", "after": first}, minimal)] * 4,
                                *[("POST", path, {"content": "b", "before": last}, minimal)] * 2,
                                *[("POST", path, {"content": "a"}, minimal)] * 4)
            made_ids = [self.ok(answer, 201)["entry"]["id"] for answer in answers]
            ids = self.ids_of(made)
            self.assertEqual(sorted(ids), sorted([first, last, *made_ids]))
            self.assertEqual(ids[0], first)
            self.assertEqual(set(ids[1:5]), set(made_ids[:4]))
            self.assertEqual(set(ids[5:7]), set(made_ids[4:6]))
            self.assertEqual(ids[7], last)
            self.assertEqual(set(ids[8:]), set(made_ids[6:]))

    def test_16_merges_of_one_entry_all_stay(self):
        for _ in self.rounds():
            made = self.in_state("P")
            entry = self.entry(made, "x", metadata={"own": 1})
            path = f"/test-results/{made['id']}/conversation/{entry['id']}"
            answers = self.race(*[("PATCH", path, {"metadata": {f"k{n}": n, "same": n}}) for n in range(8)])
            self.assertEqual(set(self.statuses(answers)), {200})
            merged = self.get_result(made)["conversation"][0]["metadata"]
            self.assertIn(merged.pop("same"), range(8))
            self.assertEqual(merged, {"own": 1, **{f"k{n}": n for n in range(8)}})

    def test_17_18_entries_and_finish(self):
        for _ in self.rounds():
            made = self.in_state("W")
            known = self.ids_of(made)
            path = f"/test-results/{made['id']}/conversation"
            finish, append, insert, merge = self.race(
                self.operation("FI", made), self.operation("CP", made),
                ("POST", path, {"type": "tool", "name": "late", "before": known[0]}, {"Prefer": "return=minimal"}),
                ("PATCH", f"{path}/{known[0]}", {"metadata": {"late": True}}))
            self.ok(finish, 202)
            after = self.settled(made)
            ids = [entry["id"] for entry in after["conversation"]]
            expected = list(known)
            for answer, at_front in ((append, False), (insert, True)):
                self.assertIn(answer.status, (201, 409))
                if answer.status == 201:
                    entry = answer.json()["entry"]["id"]
                    expected = [entry, *expected] if at_front else [*expected, entry]
            self.assertEqual(ids, expected)
            self.assertIn(merge.status, (200, 409))
            first = after["conversation"][ids.index(known[0])]
            self.assertEqual("late" in (first["metadata"] or {}), merge.status == 200)

    def test_20_append_and_cancel(self):
        for number in self.rounds():
            run, made = self.in_run("R")
            before = len(self.ids_of(made))
            append, cancel = self.race(self.operation("CP", made),
                                       self.operation("CA" if number % 2 else "CR", made, run))
            self.ok(cancel, 200)
            self.assertIn(append.status, (201, 409))
            after = self.get_result(made)
            self.assertEqual(state_of(after), "X")
            self.assertEqual(len(after["conversation"]) - before, append.status == 201)

    # ---- finish -----------------------------------------------------------------------------------------------

    def test_21_finish_is_accepted_once(self):
        for _ in self.rounds():
            made = self.in_state("W")
            answers = self.race(*[self.operation("FI", made)] * 8)
            self.assertEqual(self.statuses(answers).count(202), 1)
            self.assertLessEqual(set(self.statuses(answers)), {202, 409, 400})
            self.assertEqual(state_of(self.settled(made)), "C")

    def test_23_finish_and_auto_make_one_claim(self):
        for _ in self.rounds():
            made = self.in_state("W")
            finish, mode = self.race(self.operation("FI", made), self.operation("AU", made))
            self.assertIn((finish.status, mode.status), ((202, 409), (409, 200), (400, 200)))
            self.assertEqual(state_of(self.settled(made)), "C")

    def test_24_25_finish_and_cancel(self):
        for number in self.rounds():
            run, made = self.in_run("W")
            finish, cancel = self.race(self.operation("FI", made),
                                       self.operation("CA" if number % 2 else "CR", made, run))
            self.ok(cancel, 200)
            self.assertIn(finish.status, (202, 400))
            after = self.finally_(made)
            by_run = number % 2 == 0
            if by_run and state_of(after) == "C":
                self.assertEqual(finish.status, 202)  # scored before the run was canceled, so it keeps its outcome (37)
            else:
                self.assertEqual(state_of(after), "X")
            if by_run:
                self.assertEqual(self.get_run(run)["status"], "canceled")

    def test_26_finish_and_retry(self):
        for _ in self.rounds():
            made = self.in_state("W")
            finish, retry = self.race(self.operation("FI", made), self.operation("RT", made))
            self.ok(finish, 202)
            self.assertIn(retry.status, (400, 201))
            after = self.settled(made)
            self.assertEqual(state_of(after), "X" if retry.status == 201 else "C")

    # ---- cancel -----------------------------------------------------------------------------------------------

    def test_31_cancel_twice(self):
        for _ in self.rounds():
            made = self.in_state("R")
            answers = self.race(*[self.operation("CA", made)] * 4)
            self.assertEqual(set(self.statuses(answers)), {200})
            self.assertEqual(len({answer.json()["updatedAt"] for answer in answers}), 1)

    def test_32_cancel_and_the_verdict(self):
        for _ in self.rounds():
            made = self.in_state("W")
            finish, cancel = self.race(self.operation("FI", made), self.operation("CA", made))
            self.ok(cancel, 200)
            after = self.finally_(made)
            self.assertEqual(state_of(after), "X")
            scored = {row["status"] for row in after["assertionResults"]}
            self.assertIn(scored, ({"pending"}, {"passed"}))
            self.assertEqual(after["score"], 100 if scored == {"passed"} else 0)

    def test_34_cancel_and_retry(self):
        for _ in self.rounds():
            run, made = self.in_run("R")
            cancel, retry = self.race(self.operation("CA", made), self.operation("RT", made))
            self.ok(cancel, 200)
            self.assertIn(retry.status, (400, 201))
            after = self.get_result(made)
            self.assertEqual(state_of(after), "X")
            self.assertEqual(after["retiredBy"] is not None, retry.status == 201)

    def test_35_cancel_and_cancel_run(self):
        for _ in self.rounds():
            run, made = self.in_run("R")
            self.assertEqual(self.statuses(self.race(self.operation("CA", made), self.operation("CR", made, run))),
                             [200, 200])
            self.assertEqual(state_of(self.get_result(made)), "X")
            counted = self.get_run(run)["result"]
            self.assertEqual((counted["canceled"], counted["total"]), (1, 1))

    # ---- retry ------------------------------------------------------------------------------------------------

    def test_44_a_storm_of_retries_makes_one_clone(self):
        for _ in self.rounds():
            run, made = self.in_run("C")
            answers = self.race(*[self.operation("RT", made)] * 8)
            self.assertEqual(sorted(self.statuses(answers)), [201] + [400] * 7)
            clone = [answer for answer in answers if answer.status == 201][0].json()
            self.assertEqual(self.get_result(made)["retiredBy"], clone["id"])
            total = self.ok(self.http.get(f"/runs/{run['id']}/test-results?retired=all&limit=1"))["total"]
            self.assertEqual(total, 2)
            self.assertEqual(self.get_run(run)["result"]["total"], 1)

    def test_45_retry_and_cancel_run(self):
        for _ in self.rounds():
            run, made = self.in_run("C")
            retry, cancel = self.race(self.operation("RT", made), self.operation("CR", made, run))
            self.ok(cancel, 200)
            self.assertIn(retry.status, (201, 400))
            self.assertEqual(self.get_run(run)["status"], "canceled")
            if retry.status == 201:
                self.assertEqual(state_of(self.get_result(retry.json())), "X")
            else:
                self.assertEqual(state_of(self.get_result(made)), "C")

    def test_46_retry_and_a_run_that_is_closed(self):
        for _ in self.rounds():
            run, made = self.in_run("C")
            retry, close = self.race(self.operation("RT", made), ("PATCH", f"/runs/{run['id']}",
                                                                  {"status": "completed"}))
            self.ok(retry, 201)
            self.assertIn(close.status, (200, 409))
            self.assertEqual(self.get_run(run)["status"], "running")  # a pending clone keeps it open

    # ---- runs -------------------------------------------------------------------------------------------------

    def test_50_cancel_run_is_accepted_once(self):
        for _ in self.rounds():
            run, made = self.in_run("R")
            answers = self.race(*[self.operation("CR", made, run)] * 6)
            self.assertEqual(sorted(self.statuses(answers)), [200] + [400] * 5)

    def test_51_cancel_run_and_new_results(self):
        for _ in self.rounds():
            run, made = self.in_run("R")
            body = {"run": run["id"], "test": self.test_["id"], "agent": self.agent_["id"]}
            cancel, *created = self.race(self.operation("CR", made, run), *[("POST", "/test-results/", body)] * 5)
            self.ok(cancel, 200)
            self.assertLessEqual(set(self.statuses(created)), {201, 409})
            for row in self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]:
                self.assertEqual(row["status"], "canceled")
            counted = self.get_run(run)["result"]
            self.assertEqual(counted["canceled"], 1 + self.statuses(created).count(201))

    def test_40_41_42_the_last_results_of_a_run(self):
        for number in self.rounds():
            run = self.a_run(self.scenario_, self.agent_, repetitions=2)
            made = [self.in_state("W", agent=self.agent_, run=run["id"], test=self.test_["id"], assertionResults=[])
                    for _ in range(2)]
            third = (("POST", "/test-results/", {"run": run["id"], "test": self.test_["id"],
                                                 "agent": self.agent_["id"]}),
                     self.operation("CR", made[0], run))[number % 2]
            *_, last = self.race(self.operation("FI", made[0]), self.operation("FI", made[1]), third)
            states = [state_of(self.finally_(result)) for result in made]
            if number % 2 == 0:
                self.assertEqual(states, ["C", "C"])
                self.ok(last, 201)  # the result reopened the run or kept it open
                self.assertEqual(self.get_run(run)["status"], "running")
            elif last.status == 200:
                self.assertEqual(self.get_run(run)["status"], "canceled")
                self.assertLessEqual(set(states), {"C", "X"})
            else:
                self.problem(last, 400)
                self.run_becomes(run, "completed")
                self.assertEqual(states, ["C", "C"])

    def test_57_results_posted_together(self):
        for _ in self.rounds():
            run = self.a_run(self.scenario_, self.agent_, repetitions=6)
            body = {"run": run["id"], "test": self.test_["id"], "agent": self.agent_["id"]}
            answers = self.race(*[("POST", "/test-results/", body)] * 6)
            self.assertEqual(len({self.ok(answer, 201)["id"] for answer in answers}), 6)
            self.assertEqual(self.get_run(run)["result"]["total"], 6)


class Rows(unittest.TestCase):
    def test_every_row_of_the_matrix_is_raced(self):
        names = [name for case in list(globals().values()) if isinstance(case, type) and issubclass(case, RacingTest)
                 for name in vars(case) if name.startswith("test_")]
        raced = {int(number) for name in names for number in re.findall(r"(?<=_)\d\d(?=_)", name)}
        self.assertEqual(raced, set(range(1, 66)))


if __name__ == "__main__":
    cases.main()
