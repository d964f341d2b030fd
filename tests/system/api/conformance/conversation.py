"""Recording entries: kinds, order, merging of metadata (D2, D11, D52-D57)."""
import json

from support.cases import SystemTest, dumps

UNKNOWN = "01890000-0000-7000-8000-000000000000"


def sized(size):
    """Metadata whose compact JSON has `size` bytes."""
    return {"a": "x" * (size - len('{"a":""}'))}


class Conversation(SystemTest):
    def open_result(self, **body):
        return self.result(testInstruction="say: a\nsay: b\nsay: c\nsay: d", **body)

    def ids_of(self, result):
        return [entry["id"] for entry in self.get_result(result)["conversation"]]

    def test_an_append_answers_the_result_ending_with_the_entry(self):
        made = self.open_result()
        for number in range(3):
            after = self.ok(self.post_entry(made, f"text {number}"), 201)
            self.assertEqual(after["id"], made["id"])
            self.assertEqual(after["conversation"][-1]["content"], f"text {number}")
            self.assertEqual(len(after["conversation"]), number + 1)
        self.assertEqual(self.get_result(made), after)

    def test_D40_the_first_entry_starts_the_result(self):
        made = self.open_result()
        self.assertEqual(self.ok(self.post_entry(made, "hello"), 201)["status"], "running")

    def test_D11_a_minimal_answer_holds_only_the_entry(self):
        made = self.open_result()
        answer = self.ok(self.post_entry(made, "hello", {"Prefer": "return=minimal"}, metadata={"a": 1}), 201)
        self.assertEqual(set(answer), {"entry", "status", "isEnded"})
        self.assertEqual((answer["entry"]["content"], answer["status"], answer["isEnded"]), ("hello", "running", False))
        answer = self.ok(self.patch_entry(made, answer["entry"], {"b": 2}, {"Prefer": "return=minimal"}), 200)
        self.assertEqual(answer["entry"]["metadata"], {"a": 1, "b": 2})

    def test_D53_an_entry_carries_its_fields(self):
        made = self.open_result()
        entry = self.entry(made, "hello", metadata={"responseTime": 12.5})
        self.assertEqual((entry["type"], entry["role"], entry["content"], entry["metadata"], entry["turn"]),
                         ("message", "chatbot", "hello", {"responseTime": 12.5}, 0))
        self.assertRegex(entry["createdAt"], r"Z$")
        tool = self.entry(made, type="tool", name="look_up", metadata={"arguments": {"a": 1}, "result": [1]})
        self.assertEqual((tool["type"], tool["name"], tool["role"]), ("tool", "look_up", "chatbot"))
        self.assertEqual(self.ids_of(made), [entry["id"], tool["id"]])

    def test_D53_turns_are_numbered(self):
        made = self.open_result()
        self.entry(made, "greeting")
        self.turn(made)
        self.entry(made, type="tool", name="t")
        first = self.entry(made, "reply")
        self.turn(made)
        self.entry(made, "reply")
        self.entry(made, type="tool", name="late", after=first["id"])
        turns = [(entry["turn"], entry["role"], entry["type"]) for entry in self.get_result(made)["conversation"]]
        self.assertEqual(turns, [(0, "chatbot", "message"), (0, "tester", "message"), (0, "chatbot", "tool"),
                                 (0, "chatbot", "message"), (0, "chatbot", "tool"), (1, "tester", "message"),
                                 (1, "chatbot", "message")])

    def test_each_kind_needs_its_fields(self):
        made = self.open_result()
        for body, pointer in (({}, "/content"), ({"type": "message"}, "/content"),
                              ({"type": "message", "name": "x"}, "/content"), ({"type": "tool"}, "/name"),
                              ({"type": "internal-event"}, "/name"), ({"type": "public-event"}, "/name"),
                              ({"type": "tool", "name": ""}, "/name"), ({"type": "tool", "name": "x" * 257}, "/name"),
                              ({"type": "nonsense", "content": "x"}, "/type"), ({"type": "Message"}, "/type"),
                              ({"content": 5}, "/content"), ({"content": "x", "metadata": []}, "/metadata"),
                              ({"content": "x", "metadata": "x"}, "/metadata"),
                              ({"content": "x", "after": 5}, "/after")):
            with self.subTest(body=body):
                self.problem(self.post_entry(made, **body), 400, pointer)
        self.assertEqual(self.get_result(made), made)

    def test_D54_content_may_be_empty_and_a_name_long(self):
        made = self.open_result()
        self.assertEqual(self.entry(made, "")["content"], "")
        self.assertEqual(len(self.entry(made, type="tool", name="x" * 256)["name"]), 256)
        self.entry(made, "x", metadata=None, name=None)

    def test_D52_only_a_manual_session_takes_a_testers_turn(self):
        made = self.open_result()
        self.problem(self.post_entry(made, "x", role="tester"), 400)
        self.problem(self.post_entry(made, type="action", name="press"), 400)
        self.assertEqual(self.entry(made, "x", role="chatbot")["role"], "chatbot")

    def test_D52_an_inserted_action_has_to_be_registered_too(self):
        made = self.result(testInstruction="say: a", isManual=True)
        anchor = self.entry(made, "hello", role="tester")["id"]
        self.problem(self.post_entry(made, type="action", name="delete_all", metadata={"arguments": {}}), 400)
        self.problem(self.post_entry(made, type="action", name="delete_all", metadata={"arguments": {}}, after=anchor), 400)

    def test_entries_are_inserted_after_and_before(self):
        made = self.open_result()
        b, d = self.entry(made, "b")["id"], self.entry(made, "d")["id"]
        c = self.entry(made, "c", after=b)["id"]
        a = self.entry(made, "a", before=b)["id"]
        e = self.entry(made, "e", after=d)["id"]
        self.assertEqual(self.ids_of(made), [a, b, c, d, e])
        self.assertEqual(self.ids_of(made)[0], a)
        f = self.entry(made, "f", before=e)["id"]
        self.assertEqual(self.ids_of(made), [a, b, c, d, f, e])

    def test_I34_inserts_at_one_anchor_lie_next_to_it(self):
        made = self.open_result()
        a, z = self.entry(made, "a")["id"], self.entry(made, "z")["id"]
        one = self.entry(made, "1", after=a)["id"]
        two = self.entry(made, "2", after=a)["id"]
        three = self.entry(made, "3", before=z)["id"]
        four = self.entry(made, "4", before=z)["id"]
        self.assertEqual(self.ids_of(made), [a, two, one, three, four, z])

    def test_after_and_before_exclude_each_other(self):
        made = self.open_result()
        anchor = self.entry(made, "x")["id"]
        self.problem(self.post_entry(made, "y", after=anchor, before=anchor), 400)

    def test_D54_an_unknown_anchor_is_400(self):
        made, other = self.open_result(), self.open_result()
        foreign = self.entry(other, "x")["id"]
        for field in ("after", "before"):
            for anchor in (UNKNOWN, "nothing", foreign, ""):
                with self.subTest(field=field, anchor=anchor):
                    self.problem(self.post_entry(made, "y", **{field: anchor}), 400, "/" + field)
        self.assertEqual(self.get_result(made), made)

    def test_D3_the_body_is_checked_before_the_state_and_the_state_before_the_anchor(self):
        failed = self.in_state("F")
        self.problem(self.post_entry(failed, type="nonsense"), 400)
        self.problem(self.post_entry(failed, "x", after=UNKNOWN), 409)
        self.problem(self.post_entry(failed, type="public-event", name="x", metadata={"actions": 5}), 400)

    def test_a_patch_merges_top_level_keys(self):
        made = self.open_result()
        entry = self.entry(made, "x", metadata={"keep": 1, "change": {"a": 1}, "drop": 2})
        after = self.ok(self.patch_entry(made, entry, {"change": {"b": 2}, "drop": None, "new": 1.0}), 200)
        self.assertEqual(after["conversation"][0]["metadata"],
                         {"keep": 1, "change": {"b": 2}, "drop": None, "new": 1.0})
        self.assertEqual(self.get_result(made), after)

    def test_a_patch_reaches_any_entry(self):
        made = self.open_result()
        turn = self.turn(made)
        tool = self.entry(made, type="tool", name="t")
        for entry in (turn["message_id"], tool):
            self.ok(self.patch_entry(made, entry, {"seen": True}), 200)

    def test_a_patch_needs_metadata_and_a_known_entry(self):
        made, other = self.open_result(), self.open_result()
        entry, foreign = self.entry(made, "x"), self.entry(other, "x")
        path = f"/test-results/{made['id']}/conversation/"
        self.problem(self.http.patch(path + entry["id"], {}), 400, "/metadata")
        self.problem(self.http.patch(path + entry["id"], {"metadata": []}), 400, "/metadata")
        for unknown in (UNKNOWN, "nothing", foreign["id"]):
            self.problem(self.http.patch(path + unknown, {"metadata": {}}), 404)

    def test_D57_a_patch_cannot_carry_actions(self):
        made = self.open_result()
        entry = self.entry(made, "x", metadata={"a": 1})
        self.problem(self.patch_entry(made, entry, {"actions": []}), 400, "/metadata/actions")
        self.assertEqual(self.get_result(made)["conversation"][0]["metadata"], {"a": 1})

    def test_I57_entry_metadata_up_to_102400_bytes(self):
        made = self.open_result()
        self.assertEqual(len(dumps(sized(102400))), 102400)
        entry = self.entry(made, "x", metadata=sized(102400))
        self.problem(self.post_entry(made, "x", metadata=sized(102401)), 400, "/metadata")
        self.problem(self.patch_entry(made, entry, {"b": 1}), 400)
        self.assertEqual(self.get_result(made)["conversation"][0]["metadata"], sized(102400))
        self.ok(self.patch_entry(made, entry, {"a": "short"}), 200)

    def test_D53_the_size_is_that_of_the_value_however_it_is_escaped(self):
        made = self.open_result()
        for text, most in (("\u00e4", 51196), ("\U0001f600", 25598), ("/", 102392)):
            with self.subTest(text=text):
                metadata = {"a": text * most}
                sent = json.dumps({"content": "x", "metadata": metadata}).replace("/", "\\/").encode()
                path = f"/test-results/{made['id']}/conversation"
                entry = self.ok(self.http.post(path, sent, {"Prefer": "return=minimal"}), 201)["entry"]
                self.assertEqual(entry["metadata"], metadata)
                self.ok(self.patch_entry(made, entry, {"a": text * most}))
                self.problem(self.patch_entry(made, entry, {"b": "c" * 100}), 400, "/metadata")
                over = sent.replace(b'"a"', b'"ab"')
                self.problem(self.http.post(path, over), 400, "/metadata")
        self.ok(self.patch_result(made, metadata={"a": "\u00e4" * 51196}))
        self.problem(self.patch_result(made, metadata={"ab": "\u00e4" * 51196}), 400, "/metadata")

    def test_D53_the_size_is_that_of_the_compact_text(self):
        made = self.open_result()
        spaced = b'{"content":"x","metadata":{"a":' + b" " * 200000 + b'1}}'
        self.ok(self.http.post(f"/test-results/{made['id']}/conversation", spaced), 201)
        bytes_in_utf8 = {"a": "ä" * 51197}
        self.assertGreater(len(dumps(bytes_in_utf8).encode()), 102400)
        self.problem(self.post_entry(made, "x", metadata=bytes_in_utf8), 400, "/metadata")

    def test_D55_a_message_holds_up_to_1_MiB(self):
        made = self.open_result()
        self.assertEqual(len(self.entry(made, "x" * 1024 * 1024)["content"]), 1024 * 1024)
        self.problem(self.post_entry(made, "x" * (1024 * 1024 + 1)), 400, "/content")

    def test_D57_writes_on_what_is_over_are_409(self):
        for letter in "CFX":
            made = self.in_state(letter)
            self.problem(self.post_entry(made, "late"), 409)
            if made["conversation"]:
                self.problem(self.patch_entry(made, made["conversation"][0], {"a": 1}), 409)
            self.assertEqual(self.get_result(made), made)

    def test_late_data_is_taken_until_finish(self):
        made = self.in_state("W")
        first = made["conversation"][0]["id"]
        self.entry(made, type="tool", name="late", after=first)
        self.entry(made, type="internal-event", name="at-the-end")
        self.ok(self.patch_entry(made, first, {"late": True}), 200)
        self.ok(self.finish(made), 202)
        after = self.settled(made)
        self.assertEqual([entry["name"] for entry in after["conversation"] if entry.get("name")],
                         ["late", "at-the-end"])
