#!/usr/bin/env python3
"""The table of operations on results in each state, every cell through HTTP, and the table of runs.

A cell is `STATUS>STATE`: the status of the answer, and the letter of the new state if it changes.
A refused operation must leave the record unchanged, byte for byte. "The same value is a no-op" (D46) is part of the
cells."""
from support import cases
from support.cases import SystemTest, state_of

STATES = "PRWSCFX"

# One row per operation, one cell per state: P R W S C F X. `200=`: nothing changes, not even updatedAt.
TABLE = {
    "next-message":              "200>R 200>R 200=  200=  200=  200=  200=",
    "POST conversation":         "201>R 201>R 201>W 409   409   409   409",
    "PATCH entry":               "404   200>R 200>W 409   409   409*  409*",
    "finish":                    "400   400   202>S 409   400   400   400",
    "finish, open isManual":     "202>S 202>S -     -     400   400   400",
    "PATCH status canceled":     "200>X 200>X 200>X 200>X 200>X 409   200=",
    "PATCH status running":      "200>R 200=  200=  200=  409   409   409",
    "PATCH status failed":       "200>F 200>F 200>F 409   409   200=  409",
    "PATCH status completed":    "409   409   409   409   200=  409   409",
    "PATCH status pending":      "200=  409   409   409   409   409   409",
    "PATCH status unknown":      "400   400   400   400   400   400   400",
    # automatic results, except in W, which only manual results reach
    "PATCH completionMode manual": "200>P 200>R 200=  409   409   409   409",
    "PATCH completionMode auto":   "200=  200=  200>S 200=  200=  200=  200=",
    # the same two operations on manual results
    "manual: PATCH completionMode manual": "200=  200=  200=  200=  200=  200=  200=",
    "manual: PATCH completionMode auto":   "200>P 200>R 200>S 409   409   409   409",
    "PATCH metadata":            "200>P 200>R 200>W 200>S 200>C 200>F 200>X",
    "PATCH externalLinks":       "200>P 200>R 200>W 200>S 200>C 200>F 200>X",
    "PATCH empty":               "200=  200=  200=  200=  200=  200=  200=",
    "retry":                     "400   400   400   400   201>X 201>X 201>X",
    "retry, clone in flight":    "-     -     -     -     400   400   400",
    "retry, run canceled by hand": "400   400   400   400   400   400   400",
    "cancel-run":                "200>X 200>X 200>X 200>X 200>C 200>F 200>X",
}


class StateTable(SystemTest):
    """Scoring is paused while a cell in S is tested, and resumes before the next state is built."""

    def setUp(self):
        self.scenario_ = self.scenario()
        self.agent_ = self.agent()
        self.test_ = self.a_test(self.scenario_, "say: a\nsay: b",
                                 [{"type": "contains", "config": {"value": "fine"}}])

    def tearDown(self):
        self.pause_scoring(False)

    def placed(self, letter, operation):
        """A run that stays running, and its only result, which is in the given state."""
        run = self.a_run(self.scenario_, self.agent_, repetitions=3)
        body = {"agent": self.agent_, "run": run["id"], "test": self.test_["id"], "assertionResults": []}
        if "isManual" in operation:
            return run, self.session(letter, body)
        if letter == "S":
            self.pause_scoring(True)
        manual = operation.startswith("manual:") or letter == "W"
        return run, self.in_state(letter, manual=manual, **body)

    def session(self, letter, body):
        """A manual chat session (D52), whose tester is a person."""
        made = self.result(isManual=True, **body)
        if letter == "R":
            self.entry(made, "hello", role="tester")
        elif letter in "FX":
            self.ok(self.patch_result(made, status="failed" if letter == "F" else "canceled"))
        elif letter == "C":
            self.ok(self.finish(made), 202)
            self.settled(made)
        return self.get_result(made)

    def perform(self, operation, run, made):
        words = operation.replace("manual: ", "")
        if words == "next-message":
            return self.next_message(made)
        if words == "POST conversation":
            return self.post_entry(made, type="tool", name="late")
        if words == "PATCH entry":
            # a result without entries: use an id that is not an entry
            entry = made["conversation"][0]["id"] if made["conversation"] else made["id"]
            return self.patch_entry(made, entry, {"late": True})
        if words.startswith("finish"):
            return self.finish(made)
        if words.startswith("PATCH status"):
            word = words.split()[-1]
            return self.patch_result(made, status="nonsense" if word == "unknown" else word)
        if words.startswith("PATCH completionMode"):
            return self.patch_result(made, completionMode=words.split()[-1])
        if words == "PATCH metadata":
            return self.patch_result(made, metadata={"patched": True})
        if words == "PATCH externalLinks":
            return self.patch_result(made, externalLinks=[{"url": "u"}])
        if words == "PATCH empty":
            return self.patch_result(made)
        if words == "cancel-run":
            return self.cancel_run(run)
        if words == "retry, clone in flight":
            self.ok(self.retry(made), 201)
        elif words == "retry, run canceled by hand":
            self.ok(self.cancel_run(run), 200)
        return self.retry(made)

    def check(self, operation, letter, cell):
        run, made = self.placed(letter, operation)
        self.assertEqual(state_of(made), letter)
        answer = self.perform(operation, run, made)
        after = self.get_result(made)
        status, _, expected = cell.rstrip("=*").partition(">")
        if cell.endswith("*"):
            # F and X were made without a conversation, so the entry may be reported as unknown
            self.assertIn(answer.status, (404, 409), answer)
            self.assertEqual(after, made)
            return
        self.assertEqual(answer.status, int(status), answer)
        if answer.status >= 400:
            self.problem(answer, int(status))
        if cell.endswith("="):
            self.assertEqual(after, made)
        elif expected:
            # if scoring is not paused, the result may already be scored
            self.assertIn(state_of(after), {"S": "SC"}.get(expected, expected), after)
            self.consequences(operation, letter, made, after)
        elif "run canceled" not in operation and "in flight" not in operation:
            self.assertEqual(after, made)

    def consequences(self, operation, letter, made, after):
        if state_of(after) in "CFX":
            self.assertTrue(after["isEnded"])
            self.assertTrue(after["endReason"])
        if letter in "CFX":
            self.assertEqual(after["conversation"], made["conversation"])
            self.assertEqual(after["score"], made["score"])
        if operation in ("PATCH status canceled", "cancel-run") and letter == "S":
            self.pause_scoring(False)
            self.in_state("C")  # a later claim has been scored, so this one was dropped
            self.assertEqual(self.get_result(made), after)
        if operation == "PATCH metadata":
            self.assertTrue(after["metadata"]["patched"])

    def test_scoring_done_completes_only_a_claimed_result(self):
        run, made = self.placed("S", "")
        self.pause_scoring(False)
        after = self.settled(made)
        self.assertEqual(state_of(after), "C")
        self.assertEqual(after["scoringEnqueuedAt"], made["scoringEnqueuedAt"])
        self.assertEqual(after["score"], 100)

    def test_the_end_of_a_conversation_claims_or_waits(self):
        for script in ("say: a", "end", "max turns: 1\nsay: a\nsay: b"):
            for manual, expected in ((False, "SC"), (True, "W")):
                with self.subTest(script=script, manual=manual):
                    made = self.result(testInstruction=script, completionMode="manual" if manual else "auto")
                    self.converse(made)
                    self.assertIn(state_of(self.get_result(made)), expected)

    def test_invalid_arguments_of_an_action_fail_the_result(self):
        made = self.result(testInstruction="invoke: unknown {}")
        self.assertTrue(self.ok(self.next_message(made))["end_chat"])
        self.assertEqual(state_of(self.get_result(made)), "F")


def add_cells():
    for operation, cells in TABLE.items():
        for letter, cell in zip(STATES, cells.split(), strict=True):
            if cell == "-":
                continue

            def test(self, operation=operation, letter=letter, cell=cell):
                self.check(operation, letter, cell)
            name = "".join(c if c.isalnum() else "_" for c in operation)
            setattr(StateTable, f"test_{name}_in_{letter}", test)


add_cells()


class RunTable(SystemTest):
    """The table of runs. conformance/runs.py tests the status changes of PATCH."""

    def setUp(self):
        self.scenario_, self.agent_ = self.scenario(), self.agent()
        self.test_ = self.a_test(self.scenario_, "say: a", [{"type": "contains", "config": {"value": "fine"}}])

    def fresh(self, status, **body):
        return self.a_run(self.scenario_, self.agent_, status, **body)

    def made(self, run):
        return self.http.post("/test-results/", {"run": run["id"], "test": self.test_["id"],
                                                 "agent": self.agent_["id"]})

    def test_cancel_run(self):
        for status, expected in (("new", 200), ("pending", 200), ("running", 200), ("completed", 400), ("failed", 400),
                                 ("canceled", 400)):
            with self.subTest(status=status):
                run = self.fresh(status)
                self.assertEqual(self.cancel_run(run).status, expected)
                self.assertEqual(self.get_run(run)["status"], "canceled" if expected == 200 else status)

    def test_patch_on_a_canceled_run(self):
        run = self.fresh("canceled")
        for status in ("new", "pending", "running", "completed", "failed"):
            self.problem(self.patch_run(run, status=status), 409)
        self.assertEqual(self.ok(self.patch_run(run, status="canceled"), 200), run)

    def test_a_result_posted_on_each(self):
        for status, expected, after in (("new", 201, "new"), ("pending", 201, "pending"), ("running", 201, "running"),
                                        ("completed", 201, "running"), ("failed", 409, "failed"),
                                        ("canceled", 409, "canceled")):
            with self.subTest(status=status):
                run = self.fresh(status)
                self.assertEqual(self.made(run).status, expected)
                self.assertEqual(self.get_run(run)["status"], after)

    def test_retry_reopens_what_was_not_canceled_by_hand(self):
        for close, expected in (("completed", 201), ("failed", 201), ("canceled", 201), ("cancel-run", 400)):
            with self.subTest(close=close):
                run = self.fresh("running", repetitions=2)
                made = self.ok(self.made(run), 201)
                self.converse(made)
                self.settled(made)
                self.ok(self.cancel_run(run) if close == "cancel-run" else self.patch_run(run, status=close), 200)
                self.assertEqual(self.retry(made).status, expected)
                self.assertEqual(self.get_run(run)["status"], "running" if expected == 201 else "canceled")

    def test_the_last_live_result_completes_the_run(self):
        run = self.fresh("running")
        made = self.ok(self.made(run), 201)
        self.converse(made)
        self.run_becomes(run, "completed")

    def test_archiving_has_no_other_effect(self):
        for status in ("new", "pending", "running", "completed", "failed", "canceled"):
            run = self.fresh(status)
            after = self.ok(self.patch_run(run, isArchived=True))
            self.assertEqual(after, {**run, "isArchived": True, "updatedAt": after["updatedAt"]})


class Restart(SystemTest):
    """The row `restart of the server`: client-driven results are unchanged, claims are scored (I7, I9)."""
    options = ("--max-turns", "31")  # forces a separate server, because this one is killed

    def test_restart_in_each_state(self):
        before = {letter: self.in_state(letter) for letter in "PRWCFX"}
        self.pause_scoring(True)
        before["S"] = self.in_state("S")
        self.server.kill()
        self.server.start()
        self.http.close()
        type(self).http = self.server.client()
        self.pause_scoring(False)
        for letter in "PRWCFX":
            with self.subTest(state=letter):
                self.assertEqual(self.get_result(before[letter]), before[letter])
        after = self.settled(before["S"])
        self.assertEqual((after["status"], after["scoringEnqueuedAt"], after["conversation"]),
                         ("completed", before["S"]["scoringEnqueuedAt"], before["S"]["conversation"]))


if __name__ == "__main__":
    cases.main()
