"""finish, completion and score (D33, D34, D49, D51; I19-I27)."""
from support.cases import SystemTest, TERMINAL

PASSES = {"type": "contains", "config": {"value": "fine"}}
FAILS = {"type": "contains", "config": {"value": "never said"}}
SKIPPED = {"criteria": "The chatbot is polite."}


class Finish(SystemTest):
    def test_I25_finish_in_each_state(self):
        for letter, status in (("P", 400), ("R", 400), ("C", 400), ("F", 400), ("X", 400)):
            with self.subTest(state=letter):
                made = self.in_state(letter)
                self.problem(self.finish(made), status)
                self.assertEqual(self.get_result(made), made)

    def test_finish_claims_and_a_second_one_is_409_until_the_score_lands(self):
        with self.scoring_paused():
            made = self.in_state("W")
            self.ok(self.finish(made), 202)
            claimed = self.get_result(made)
            self.assertEqual(claimed["status"], "running")
            self.assertTrue(claimed["scoringEnqueuedAt"])
            self.assertEqual(claimed["score"], 0)
            self.problem(self.finish(made), 409)
            self.assertEqual(self.get_result(made), claimed)
        after = self.settled(made)
        self.assertEqual((after["status"], after["scoringEnqueuedAt"]), ("completed", claimed["scoringEnqueuedAt"]))
        self.problem(self.finish(made), 400)

    def test_finish_on_an_ended_auto_result_is_409_while_it_is_scored(self):
        with self.scoring_paused():
            self.problem(self.finish(self.in_state("S")), 409)

    def test_finish_on_an_open_manual_mode_result_is_400(self):
        made = self.result(testInstruction="say: a", completionMode="manual")
        self.turn(made)
        self.problem(self.finish(made), 400)

    def test_I26_finish_closes_the_conversation(self):
        with self.scoring_paused():
            made = self.in_state("W")
            self.ok(self.finish(made), 202)
            first = made["conversation"][0]
            self.problem(self.post_entry(made, "late"), 409)
            self.problem(self.post_entry(made, "late", after=first["id"]), 409)
            self.problem(self.patch_entry(made, first, {"a": 1}), 409)
        self.assertEqual(self.settled(made)["conversation"], made["conversation"])

    def test_I27_a_result_canceled_while_it_is_scored_gets_no_score(self):
        with self.scoring_paused():
            made = self.in_state("S")
            after = self.ok(self.patch_result(made, status="canceled"), 200)
            self.assertEqual(after["status"], "canceled")
        other = self.in_state("C")
        self.assertEqual(other["status"], "completed")
        after = self.get_result(made)
        self.assertEqual((after["status"], after["score"]), ("canceled", 0))
        self.assertTrue(all(row["status"] == "pending" for row in after["assertionResults"]), after)

    def test_metadata_and_links_can_be_changed_in_every_state(self):
        for letter in "PRWCFX":
            made = self.in_state(letter)
            after = self.ok(self.patch_result(made, metadata={"a": 1}, externalLinks=[{"url": "u"}]), 200)
            self.assertEqual((after["metadata"]["a"], after["externalLinks"]), (1, [{"url": "u"}]))
            self.assertEqual(after["status"], made["status"])

    def test_D49_every_terminal_result_has_ended_with_a_reason(self):
        for letter in "CFX":
            made = self.in_state(letter)
            self.assertIn(made["status"], TERMINAL)
            self.assertTrue(made["isEnded"])
            self.assertTrue(made["endReason"])

    def test_I18_isEnded_and_endReason_go_together(self):
        for letter in "PRW":
            made = self.in_state(letter)
            self.assertEqual(made["isEnded"], made["endReason"] is not None)
            self.assertEqual(made["isEnded"], letter == "W")


class Score(SystemTest):
    def outcome(self, *assertions):
        after = self.scored(assertions)
        self.assertEqual(after["status"], "completed")
        return after["score"], after["overallPassed"]

    def test_D34_the_score_is_the_weighted_share_rounded_half_up(self):
        passes, fails, skipped = ({**one, "severity": "MAJOR"} for one in (PASSES, FAILS, SKIPPED))
        for assertions, expected in (
                ([], (100, True)), ([passes], (100, True)), ([fails], (0, True)),
                ([{**passes, "severity": "BLOCKER"}, fails], (63, True)),          # 5 of 8 = 62.5
                ([passes, {**fails, "severity": "BLOCKER"}], (38, False)),         # 3 of 8 = 37.5
                ([{**passes, "severity": "MINOR"}, fails], (25, True)),            # 1 of 4
                ([passes, passes, fails], (67, True)),
                ([{**passes, "weight": 1}, {**fails, "weight": 199 - 100}], (1, True)),
                ([{**passes, "weight": 1}, {**fails, "weight": 100}, {**fails, "weight": 99}], (1, True)),  # 0.5
                ([{**passes, "weight": 0}, fails], (0, True)), ([{**fails, "weight": 0}, passes], (100, True)),
                ([skipped], (0, True)), ([skipped, passes], (100, True)),
                ([{**skipped, "severity": "BLOCKER"}, passes], (100, False)),
                ([{**fails, "severity": "BLOCKER"}], (0, False)),
                ([{**passes, "severity": "BLOCKER"}], (100, True)),
                # without a severity it is a BLOCKER
                ([FAILS], (0, False)), ([PASSES], (100, True)), ([PASSES, FAILS], (50, False)),
                ([PASSES, fails], (63, True)), ([SKIPPED, passes], (100, False))):
            with self.subTest(assertions=assertions):
                self.assertEqual(self.outcome(*assertions), expected)

    def test_D33_without_a_judge_a_criteria_assertion_is_skipped_and_says_how_to_configure_one(self):
        row = self.scored([SKIPPED])["assertionResults"][0]
        self.assertEqual((row["status"], row["passed"]), ("skipped", None))
        self.assertIn("judge", row["reason"].lower())

    def test_D32_an_assertion_result_says_why_and_on_what_it_rests(self):
        after = self.scored([{**PASSES, "name": "n", "severity": "MINOR", "weight": 7}, FAILS])
        passed, failed = after["assertionResults"]
        self.assertEqual((passed["status"], passed["passed"], failed["status"], failed["passed"]),
                         ("passed", True, "failed", False))
        self.assertEqual((passed["type"], passed["name"], passed["severity"], passed["weight"], passed["config"]),
                         ("contains", "n", "MINOR", 7, {"value": "fine"}))
        self.assertTrue(passed["reason"])
        self.assertTrue(failed["reason"])
        said = [entry["id"] for entry in after["conversation"] if entry["role"] == "chatbot"]
        self.assertEqual(passed["evidence"], said)
        self.assertIsInstance(failed["evidence"], list)

    def test_I21_scores_and_completed_become_visible_in_one_step(self):
        made = self.result(testInstruction="say: a", assertionResults=[PASSES, FAILS])
        self.converse(made)
        while True:
            seen = self.get_result(made)
            statuses = {row["status"] for row in seen["assertionResults"]}
            if seen["status"] == "completed":
                self.assertEqual(statuses, {"passed", "failed"})
                break
            self.assertEqual((seen["status"], seen["score"], statuses), ("running", 0, {"pending"}))
