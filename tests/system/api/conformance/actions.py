"""Registering actions and invoking them (D47, D52, D53, D62; I31, I33)."""
from support.cases import SystemTest


def action(name, **more):
    return {"name": name, "description": "does it", **more}


class Actions(SystemTest):
    def open_result(self, script="say: a\nsay: b\nsay: c"):
        return self.result(testInstruction=script)

    def register(self, result, *actions, kind="public-event", **more):
        return self.post_entry(result, type=kind, name="form", metadata={"actions": list(actions)}, **more)

    def test_both_kinds_of_events_register_actions(self):
        for kind in ("public-event", "internal-event"):
            made = self.open_result()
            self.ok(self.register(made, action("press"), kind=kind), 201)
            self.assertEqual(self.get_result(made)["conversation"][0]["metadata"]["actions"], [action("press")])

    def test_a_name_is_registered_once_a_turn(self):
        made = self.open_result()
        self.problem(self.register(made, action("press"), action("press")), 400, "/metadata/actions/1/name")
        self.ok(self.register(made, action("press")), 201)
        self.problem(self.register(made, action("pull"), action("press")), 400, "/metadata/actions/1/name")
        self.problem(self.register(made, action("other"), action("press"), kind="internal-event"), 400)
        self.ok(self.register(made, action("other")), 201)
        self.assertEqual(len(self.get_result(made)["conversation"]), 2)

    def test_I33_every_tester_turn_clears_the_registry(self):
        made = self.open_result()
        self.turn(made)
        self.ok(self.register(made, action("press")), 201)
        self.turn(made)
        self.ok(self.register(made, action("press")), 201)

    def test_I33_after_the_end_a_name_is_still_registered_once_in_the_last_turn(self):
        """A manual result accepts late events until finish; they belong to the last turn."""
        for order in ("before and after", "after"):
            made = self.result(testInstruction="say: a", completionMode="manual")
            self.turn(made)
            if order != "after":
                self.ok(self.register(made, action("press")), 201)
            self.entry(made, "bye")
            self.assertTrue(self.turn(made)["end_chat"])
            if order == "after":
                self.ok(self.register(made, action("press")), 201)
            self.problem(self.register(made, action("press")), 400)
            self.ok(self.register(made, action("other")), 201)

    def test_D52_a_late_action_is_held_against_the_turn_it_is_inserted_in(self):
        made = self.result(isManual=True)

        def message(text, role="chatbot"):
            return self.entry(made, text, type="message", role=role)["id"]

        first = message("hi", "tester")
        form = self.ok(self.register(made, action("buy")), 201)["conversation"][-1]["id"]
        message("choose")
        second = message("not now", "tester")
        self.ok(self.register(made, action("sell")), 201)
        for name, place, status in (("buy", {"after": form}, 201), ("buy", {"before": second}, 201), ("buy", {"before": form}, 400),
                                    ("buy", {"after": second}, 400), ("sell", {"after": form}, 400), ("sell", {"after": first}, 400)):
            with self.subTest(name=name, place=place):
                answer = self.post_entry(made, type="action", name=name, **place)
                self.ok(answer, 201) if status == 201 else self.problem(answer, 400, "/name")
        self.problem(self.post_entry(made, type="action", name="buy"), 400, "/name")
        self.ok(self.post_entry(made, type="action", name="sell"), 201)
        self.assertEqual([entry["turn"] for entry in self.get_result(made)["conversation"] if entry["name"] == "buy"], [0, 1])

    def test_names_are_snake_case(self):
        for name in ("a", "_", "_a1", "press_it", "A", "a" * 64):
            self.ok(self.register(self.open_result(), action(name)), 201)
        for name in ("1a", "a-b", "", "a b", "ä", "a.b", 5, None):
            with self.subTest(name=name):
                made = self.open_result()
                self.problem(self.register(made, action(name)), 400)
                self.assertEqual(self.get_result(made), made)

    def test_D53_definitions_are_checked_strictly(self):
        for bad in ("press", {}, {"name": "a"}, {"description": "x"}, {**action("a"), "nonsense": 1},
                    {**action("a"), "description": 5}, action("a", properties=[]),
                    action("a", properties={"x": "string"}), action("a", properties={"x": {}}),
                    action("a", properties={"x": {"type": "object"}}), action("a", properties={"x": {"type": "array"}}),
                    action("a", properties={"x": {"type": "date"}}),
                    action("a", properties={"x": {"type": "string", "enum": ["a"]}}),
                    action("a", properties={"x": {"type": "string", "description": 5}}),
                    action("a", required=["x"]), action("a", properties={"x": {"type": "string"}}, required=["y"]),
                    action("a", required="x"), action("a", properties={"x": {"type": "string"}}, required=[5])):
            with self.subTest(definition=bad):
                made = self.open_result()
                self.problem(self.register(made, bad), 400)
                self.assertEqual(self.get_result(made), made)
        for actions in ("x", {}, 5):
            self.problem(self.post_entry(self.open_result(), type="public-event", name="form",
                                         metadata={"actions": actions}), 400)

    def test_good_definitions_are_taken(self):
        for good in (action("a", properties={}), action("a", required=[]),
                     action("a", properties={kind: {"type": kind, "description": "d"}
                                             for kind in ("string", "number", "integer", "boolean")},
                            required=["string", "boolean"])):
            self.ok(self.register(self.open_result(), good), 201)
        self.ok(self.register(self.open_result()), 201)

    def test_D53_on_a_message_or_a_tool_actions_is_a_key_like_any_other(self):
        made = self.open_result()
        self.assertEqual(self.entry(made, "x", metadata={"actions": "anything"})["metadata"], {"actions": "anything"})
        tool = self.entry(made, type="tool", name="t", metadata={"actions": [1]})
        self.assertEqual(tool["metadata"], {"actions": [1]})

    def test_an_inserted_entry_cannot_register_actions(self):
        made = self.open_result()
        anchor = self.entry(made, "x")["id"]
        self.problem(self.register(made, action("press"), after=anchor), 400)
        self.problem(self.register(made, action("press"), before=anchor), 400)
        self.ok(self.post_entry(made, type="public-event", name="form", after=anchor), 201)

    def test_the_tester_invokes_a_registered_action(self):
        made = self.open_result('say: hi\ninvoke: press {"count": 2, "note": "x"}\nsay: done')
        self.turn(made)
        self.ok(self.register(made, action("press", properties={"count": {"type": "integer"},
                                                                "note": {"type": "string"}})), 201)
        turn = self.turn(made)
        self.assertEqual((turn["message"], turn["action"], turn["end_chat"]),
                         (None, {"name": "press", "arguments": {"count": 2, "note": "x"}}, False))
        entry = self.get_result(made)["conversation"][-1]
        self.assertEqual((entry["id"], entry["type"], entry["role"], entry["name"]),
                         (turn["message_id"], "action", "tester", "press"))
        self.assertEqual(entry["metadata"]["arguments"], {"count": 2, "note": "x"})
        self.assertEqual(self.turn(made), turn)
        self.entry(made, "applied")
        self.assertEqual(self.turn(made)["message"], "done")

    def test_an_action_without_arguments_is_invoked(self):
        made = self.open_result("invoke: press")
        self.ok(self.register(made, action("press")), 201)
        turn = self.turn(made)
        self.assertEqual(turn["action"]["name"], "press")
        self.assertIn(turn["action"].get("arguments", {}), ({}, None))

    def test_D62_arguments_that_do_not_fit_abort_the_test(self):
        schema = {"n": {"type": "integer"}, "x": {"type": "number"}, "s": {"type": "string"}, "b": {"type": "boolean"}}
        for script, required in (("invoke: unknown {}", []), ("invoke: press {}", ["n"]),
                                 ('invoke: press {"n": "1"}', []), ('invoke: press {"n": 1.5}', []),
                                 ('invoke: press {"n": true}', []), ('invoke: press {"n": null}', ["n"]),
                                 ('invoke: press {"x": "1.5"}', []), ('invoke: press {"s": 1}', []),
                                 ('invoke: press {"b": 1}', []), ('invoke: press {"b": "true"}', [])):
            with self.subTest(script=script):
                made = self.open_result(script)
                self.ok(self.register(made, action("press", properties=schema, required=required)), 201)
                turn = self.turn(made)
                self.assertEqual((turn["end_chat"], turn["ready"], turn["message"], turn["action"],
                                  turn["message_id"]), (True, True, None, None, None))
                after = self.get_result(made)
                self.assertEqual((after["status"], after["isEnded"], after["endReason"]),
                                 ("failed", True, "action_error"))
                error = after["metadata"]["error"]
                self.assertEqual(error["source"], "tester")
                self.assertTrue(error["code"])
                self.assertIn(script.split()[1], str(error["detail"]))

    def test_D62_arguments_that_fit(self):
        schema = {"n": {"type": "integer"}, "x": {"type": "number"}, "s": {"type": "string"}, "b": {"type": "boolean"}}
        for script in ('invoke: press {"n": 2}', 'invoke: press {"n": 2.0}', 'invoke: press {"x": 3}',
                       'invoke: press {"x": 1.25, "s": "", "b": false}', "invoke: press {}"):
            with self.subTest(script=script):
                made = self.open_result(script)
                self.ok(self.register(made, action("press", properties=schema)), 201)
                self.assertEqual(self.turn(made)["action"]["name"], "press")

    def test_I31_an_action_of_an_earlier_turn_is_unknown(self):
        made = self.open_result("say: hi\ninvoke: press {}")
        self.ok(self.register(made, action("press")), 201)
        self.turn(made)
        self.entry(made, "reply")
        self.assertTrue(self.turn(made)["end_chat"])
        self.assertEqual(self.get_result(made)["endReason"], "action_error")


class ManualSessions(SystemTest):
    def session(self, **body):
        return self.result(isManual=True, **body)

    def test_D52_a_person_posts_the_testers_turns(self):
        made = self.session()
        said = self.entry(made, "hello", role="tester")
        self.assertEqual((said["role"], said["type"]), ("tester", "message"))
        self.problem(self.post_entry(made, type="action", name="press"), 400, "/name")
        self.ok(self.post_entry(made, type="public-event", name="form", metadata={
            "actions": [action("press", properties={"a": {"type": "integer"}})]}), 201)
        self.entry(made, "hi, what can I do?")
        self.problem(self.post_entry(made, type="action", name="press", metadata={"arguments": {"a": "1"}}), 400,
                     "/metadata/arguments")
        pressed = self.entry(made, type="action", name="press", metadata={"arguments": {"a": 1}})
        self.assertEqual((pressed["role"], pressed["type"], pressed["name"]), ("tester", "action", "press"))

    def test_D47_next_message_on_an_open_session_is_409(self):
        made = self.session()
        self.problem(self.next_message(made), 409)
        self.entry(made, "hello", role="tester")
        self.problem(self.next_message(made), 409)

    def test_D52_finish_ends_an_open_session(self):
        for entries in (0, 1):
            made = self.session(assertionResults=[{"type": "max-turns", "config": {"value": 5}}])
            for _ in range(entries):
                self.entry(made, "hello", role="tester")
            self.ok(self.finish(made), 202)
            after = self.settled(made)
            self.assertEqual((after["status"], after["endReason"], after["score"]), ("completed", "tester_ended", 100))
            self.assertTrue(self.ok(self.next_message(made))["end_chat"])
