"""The script tester, driven by the loop of a client (D49, D60)."""
import json

from support.cases import SystemTest


class Script(SystemTest):
    def played(self, script, replies=("fine",)):
        """(the messages of the tester, the endReason of the result)."""
        made = self.result(testInstruction=script)
        turns = self.converse(made, replies)
        return [turn["message"] for turn in turns], self.get_result(made)["endReason"]

    def test_each_script_line(self):
        for script, said, reason in (
                ("", ["Hello"], "tester_ended"),
                (" \n\t\n", ["Hello"], "tester_ended"),
                ("# only a comment", [], "tester_ended"),
                ("# a comment\nmax turns: 3", [], "tester_ended"),
                ("max turns: 1\nsay: 1\nsay: 2\nsay: 3\nmax turns: 2", ["1", "2"], "max_turns"),
                ("say: one\nsay: two", ["one", "two"], "tester_ended"),
                ("Any other line is said.\nsay: x", ["Any other line is said.", "x"], "tester_ended"),
                ("# a comment\n\n   \nsay: one\n# another\n", ["one"], "tester_ended"),
                ('say: "quoted"', ["quoted"], "tester_ended"),
                ('say: "two\\nlines \\u00e9 \\"q\\" \\\\"', ['two\nlines é "q" \\'], "tester_ended"),
                ('say: "# not a comment"\nsay: ""', ["# not a comment", ""], "tester_ended"),
                ('say: "a" and "b"', ['"a" and "b"'], "tester_ended"),
                ("say: one\nend\nsay: never", ["one"], "tester_ended"),
                ("max turns: 2\nsay: 1\nsay: 2\nsay: 3", ["1", "2"], "max_turns"),
                ("say: 1\nsay: 2\nsay: 3\nmax turns: 1", ["1"], "max_turns"),
                ("\n".join(f"say: {n}" for n in range(40)), [str(n) for n in range(30)], "max_turns"),
                ("max turns: 40\n" + "\n".join(f"say: {n}" for n in range(35)), [str(n) for n in range(35)],
                 "tester_ended")):
            with self.subTest(script=script[:60]):
                self.assertEqual(self.played(script), (said, reason))

    def test_rules_are_taken_once_in_order_before_plain_lines(self):
        said, reason = self.played("say: 1\nif /blue/ say: rule blue\nif /b/ say: rule b\nsay: 2\nsay: 3",
                                   ("blue", "blue", "blue", "red"))
        self.assertEqual((said, reason), (["1", "rule blue", "rule b", "2", "3"], "tester_ended"))

    def test_a_rule_may_invoke(self):
        made = self.result(testInstruction='say: 1\nif /button/ invoke: press {"a": 1}\nsay: 2')
        self.turn(made)
        self.ok(self.post_entry(made, type="public-event", name="form", metadata={
            "actions": [{"name": "press", "description": "d", "properties": {"a": {"type": "integer"}}}]}), 201)
        self.entry(made, "here is a button")
        self.assertEqual(self.turn(made)["action"], {"name": "press", "arguments": {"a": 1}})
        self.entry(made, "done, the button is gone")
        self.assertEqual(self.turn(made)["message"], "2")

    def test_end_if_ends_with_goal_reached_before_anything_else(self):
        self.assertEqual(self.played("max turns: 1\nend if /done/\nif /done/ say: never\nsay: 1\nsay: 2", ("done",)),
                         (["1"], "goal_reached"))
        self.assertEqual(self.played("end if /done/\nsay: 1\nsay: 2\nsay: 3", ("no", "all done", "no")),
                         (["1", "2"], "goal_reached"))

    def test_patterns(self):
        for pattern, reply, matches in (("(?i)HELLO", "say hello there", True), ("HELLO", "hello", False),
                                        ("^b", "a\nb", False), ("(?m)^b", "a\nb", True), (r"a\/b", "x a/b y", True),
                                        (r"\d{3}", "12", False), (r"\d{3}", "1234", True), ("é", "café", True),
                                        ("a.b", "aéb", True)):
            with self.subTest(pattern=pattern, reply=reply):
                said, reason = self.played(f"end if /{pattern}/\nsay: 1\nsay: 2", (reply,))
                self.assertEqual(reason, "goal_reached" if matches else "tester_ended")

    def test_a_pattern_sees_all_messages_since_the_last_turn_and_no_others(self):
        made = self.result(testInstruction="if /one\\ntwo/ say: both\nsay: 1\nsay: 2\nsay: 3")
        self.assertEqual(self.turn(made)["message"], "1")
        self.entry(made, type="tool", name="one", metadata={"a": "one\ntwo"})
        self.entry(made, type="internal-event", name="one\ntwo")
        self.entry(made, "one")
        self.assertEqual(self.turn(made)["message"], "2")
        self.entry(made, "two")
        self.assertEqual(self.turn(made)["message"], "3")
        made = self.result(testInstruction="if /one\\ntwo/ say: both\nsay: 1\nsay: 2")
        self.turn(made)
        self.entry(made, "one")
        self.entry(made, type="tool", name="between")
        self.entry(made, "two")
        self.assertEqual(self.turn(made)["message"], "both")

    def test_any_text_comes_back_byte_for_byte(self):
        texts = ["###STOP###", "a\nb\r\nc\td", "  spaces around  ", "say: say: x", '"', "\\", "\u2028\x00\x1f", "😀 é",
                 "end", "{{name}}", "if /x/ say: y", "x" * 50000]
        script = "\n".join("say: " + json.dumps(text) for text in texts)
        self.assertEqual(self.played(script), (texts, "tester_ended"))
        script = "\n".join("say: " + json.dumps(text, ensure_ascii=False) for text in texts)
        self.assertEqual(self.played(script)[0], texts)
