"""The end of a conversation, its verdict, and concurrent requests (rows 3, 4, 15, 19, 28, 29, 37, 38, 59)."""
from support.cases import state_of
from support.racing import RacingTest


class EndRaces(RacingTest):
    def about_to_end(self, **body):
        """A result whose next tester turn ends the conversation."""
        made = self.in_state("P", testInstruction="say: a", **body)
        self.turn(made)
        self.entry(made, "fine")
        return made

    def test_03_a_turn_never_comes_from_half_of_what_was_said(self):
        """In either order, the turn is placed after the entries that it was chosen by."""
        for _ in self.rounds():
            made = self.in_state("P", testInstruction="say: a\nif /blue/ say: to blue\nsay: plain\nsay: more")
            self.turn(made)
            path, minimal = f"/test-results/{made['id']}/conversation", {"Prefer": "return=minimal"}
            self.ok(self.post_entry(made, "one"), 201)
            turn, _ = self.race(self.operation("NM", made), ("POST", path, {"content": "blue"}, minimal))
            turn = self.ok(turn, 200)
            entries = self.get_result(made)["conversation"]
            place = [entry["id"] for entry in entries].index(turn["message_id"])
            said = [entry["content"] for entry in entries[1:place]]
            self.assertEqual(turn["message"], "to blue" if "blue" in said else "plain")

    def test_04_an_insert_leaves_the_turn_where_it_is(self):
        for number in self.rounds():
            made = self.in_state("R")
            anchor, side = self.ids_of(made)[-1], "after" if number % 2 else "before"
            turn, insert = self.race(self.operation("NM", made),
                                     ("POST", f"/test-results/{made['id']}/conversation",
                                      {"type": "tool", "name": "late", side: anchor}, {"Prefer": "return=minimal"}))
            turn, late = self.ok(turn, 200), self.ok(insert, 201)["entry"]["id"]
            ids = self.ids_of(made)
            self.assertEqual(ids[-1], turn["message_id"])
            self.assertEqual(ids.index(late) - ids.index(anchor), 1 if side == "after" else -1)
            self.assertEqual(self.turn(made)["message_id"], turn["message_id"])

    def test_15_an_append_and_a_merge_are_independent(self):
        for _ in self.rounds():
            made = self.in_state("R")
            first = self.ids_of(made)[0]
            append, merge = self.race(self.operation("CP", made),
                                      ("PATCH", f"/test-results/{made['id']}/conversation/{first}", {"metadata": {"k": 1}}))
            self.ok(merge, 200)
            after = self.get_result(made)["conversation"]
            self.assertEqual(after[-1]["id"], self.ok(append, 201)["entry"]["id"])
            self.assertEqual(after[0]["metadata"]["k"], 1)

    def test_19_an_append_and_the_automatic_end(self):
        for _ in self.rounds():
            made = self.about_to_end()
            turn, append = self.race(self.operation("NM", made), self.operation("CP", made))
            self.assertIn(append.status, (201, 409))
            self.assertTrue(self.ok(turn, 200)["end_chat"])
            after = self.settled(made)
            self.assertEqual(len(after["conversation"]), 2 + (append.status == 201))
            self.assertEqual(after["endReason"], "tester_ended")

    def test_28_finish_and_a_patch_of_metadata_are_independent(self):
        for _ in self.rounds():
            made = self.in_state("W")
            finish, patch = self.race(self.operation("FI", made), ("PATCH", f"/test-results/{made['id']}",
                                                                   {"metadata": {"own": 1}, "externalLinks": [{"url": "u"}]}))
            self.ok(finish, 202)
            self.ok(patch, 200)
            after = self.settled(made)
            self.assertEqual((state_of(after), after["metadata"]["own"], after["externalLinks"]), ("C", 1, [{"url": "u"}]))

    def test_29_the_end_and_cancel(self):
        for _ in self.rounds():
            made = self.about_to_end()
            turn, cancel = self.race(self.operation("NM", made), self.operation("CA", made))
            self.ok(cancel, 200)
            self.assertTrue(self.ok(turn, 200)["end_chat"])
            after = self.finally_(made)
            self.assertEqual(state_of(after), "X")
            self.assertEqual(after["endReason"], "tester_ended" if after["scoringEnqueuedAt"] else "canceled")

    def test_37_the_verdict_and_cancel_run(self):
        for _ in self.rounds():
            run, made = self.in_run("W")
            self.ok(self.finish(made), 202)
            cancel, look = self.race(self.operation("CR", made, run), ("GET", f"/test-results/{made['id']}"))
            self.ok(cancel, 200)
            self.ok(look, 200)
            after, counted = self.finally_(made), self.get_run(run)
            self.assertIn(state_of(after), ("C", "X"))
            kept = state_of(after) == "C"
            self.assertEqual((counted["status"], counted["result"]["completed"], counted["result"]["canceled"]),
                             ("canceled", int(kept), int(not kept)))
            self.assertEqual(counted["result"]["score"], after["score"] if kept else None)

    def test_38_the_verdict_and_retry(self):
        for _ in self.rounds():
            run, made = self.in_run("W")
            self.ok(self.finish(made), 202)
            retry, look = self.race(self.operation("RT", made), ("GET", f"/test-results/{made['id']}"))
            self.assertIn(retry.status, (201, 400))
            self.ok(look, 200)
            after = self.finally_(made)
            self.assertEqual(state_of(after), "X" if retry.status == 201 else "C")
            self.assertEqual(self.get_run(run)["result"]["completed"], int(retry.status == 400))

    def test_59_patches_of_one_result_are_whole(self):
        for _ in self.rounds():
            made = self.in_state("R")
            path = f"/test-results/{made['id']}"
            bodies = [{"completionMode": "manual" if n % 2 else "auto", "metadata": {"n": n},
                       "externalLinks": [{"url": str(n)}] * (n + 4)} for n in range(6)]
            self.assertEqual(set(self.statuses(self.race(*[("PATCH", path, body) for body in bodies]))), {200})
            after = self.get_result(made)
            number = after["metadata"]["n"]
            self.assertEqual((after["completionMode"], after["externalLinks"]),
                             (bodies[number]["completionMode"], bodies[number]["externalLinks"]))
