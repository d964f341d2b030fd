"""next-message: what counts as a reply, repetition, ends (D40, D47; I30, I32)."""
from support.cases import SystemTest

ENDED = {"message": None, "action": None, "end_chat": True, "ready": True, "message_id": None}
PRESS = {"actions": [{"name": "press", "description": "d"}]}


class Turns(SystemTest):
    def open_result(self, script="say: a\nsay: b\nsay: c"):
        return self.result(testInstruction=script)

    def test_a_turn_is_recorded_by_the_service(self):
        for text in ("a", "long" * 1000):
            made = self.open_result("say: " + text)
            turn = self.turn(made)
            self.assertEqual((turn["message"], turn["action"], turn["end_chat"], turn["ready"]), (text, None, False, True))
            after = self.get_result(made)
            self.assertEqual(after["status"], "running")
            entry = after["conversation"][0]
            self.assertEqual((entry["id"], entry["role"], entry["type"], entry["content"]),
                             (turn["message_id"], "tester", "message", text))

    def test_I32_an_unanswered_turn_is_answered_again(self):
        made = self.open_result()
        first = self.turn(made)
        for _ in range(3):
            self.assertEqual(self.turn(made), first)
        self.assertEqual(len(self.get_result(made)["conversation"]), 1)

    def test_D47_a_tool_or_a_plain_internal_event_alone_is_not_a_reply(self):
        made = self.open_result()
        first = self.turn(made)
        self.entry(made, type="tool", name="t")
        self.entry(made, type="internal-event", name="e", metadata={"a": 1})
        answer = self.ok(self.next_message(made, Prefer="wait=0"), 200)
        self.assertIn((answer["ready"], answer["message_id"]), ((False, None), (True, first["message_id"])))
        self.assertEqual(len(self.get_result(made)["conversation"]), 3)
        self.entry(made, "reply")
        self.assertEqual(self.turn(made)["message"], "b")

    def test_D47_what_counts_as_a_reply(self):
        for body in ({"content": "x"}, {"content": ""}, {"type": "public-event", "name": "e"},
                     {"type": "public-event", "name": "e", "metadata": PRESS},
                     {"type": "internal-event", "name": "e", "metadata": PRESS}):
            with self.subTest(body=body):
                made = self.open_result()
                self.turn(made)
                self.entry(made, **body)
                self.assertEqual(self.turn(made)["message"], "b")

    def test_an_inserted_message_is_not_a_reply(self):
        made = self.open_result()
        first = self.turn(made)
        self.entry(made, "earlier", before=first["message_id"])
        answer = self.ok(self.next_message(made, Prefer="wait=0"), 200)
        self.assertNotEqual(answer["message"], "b")
        self.entry(made, "reply")
        self.assertEqual(self.turn(made)["message"], "b")

    def test_D47_the_loop_ends_and_stays_ended(self):
        made = self.open_result()
        turns = self.converse(made)
        self.assertEqual([turn["message"] for turn in turns], ["a", "b", "c"])
        for _ in range(2):
            self.assertEqual(self.ok(self.next_message(made), 200), ENDED)
        after = self.settled(made)
        self.assertEqual(after["endReason"], "tester_ended")
        self.assertEqual(self.ok(self.next_message(made), 200), ENDED)

    def test_D47_every_state_after_the_end_answers_the_end(self):
        for letter in "WCFX":
            with self.subTest(state=letter):
                self.assertEqual(self.ok(self.next_message(self.in_state(letter)), 200), ENDED)

    def test_an_auto_result_is_claimed_as_soon_as_it_ends(self):
        with self.scoring_paused():
            made = self.open_result("say: a")
            self.converse(made)
            after = self.get_result(made)
            self.assertEqual((after["status"], after["isEnded"]), ("running", True))
            self.assertTrue(after["scoringEnqueuedAt"])
            self.problem(self.post_entry(made, "late"), 409)
            self.problem(self.patch_entry(made, after["conversation"][0], {"a": 1}), 409)
        self.assertEqual(self.settled(made)["scoringEnqueuedAt"], after["scoringEnqueuedAt"])

    def test_D47_a_bad_wait_is_ignored(self):
        made = self.open_result()
        for value in ("wait=x", "wait=-1", "wait=999", "nonsense"):
            self.assertTrue(self.ok(self.next_message(made, Prefer=value), 200)["ready"])

    def test_a_chatbot_may_speak_first(self):
        made = self.open_result("if /(?i)hello/ say: hello to you\nsay: a")
        self.entry(made, "Hello!")
        self.assertEqual(self.turn(made)["message"], "hello to you")

    def test_D61_the_result_says_that_a_script_played_the_tester(self):
        made = self.open_result()
        self.turn(made)
        self.assertEqual(self.get_result(made)["metadata"]["tester"], "script")
