"""The assertion types that need no model, each with passing and failing examples (D31)."""
from support.cases import SystemTest


def message(content, **metadata):
    return {"content": content, **({"metadata": metadata} if metadata else {})}


def tool(name, arguments=None):
    return {"type": "tool", "name": name, "metadata": {} if arguments is None else {"arguments": arguments}}


# type, config, replies (each a list of entries after one tester turn), the expected status
TEXT = [[message("Hello there, 1,000 Euro!")], [message("The second one")], [message("Bye")]]
ROWS = [
    ("contains", {"value": "hello"}, TEXT, "passed"),
    ("contains", {"value": "hello", "ignore": []}, TEXT, "failed"),
    ("contains", {"value": "absent"}, TEXT, "failed"),
    ("contains", {"value": "absent", "negate": True}, TEXT, "passed"),
    ("contains", {"values": ["absent", "second"]}, TEXT, "passed"),
    ("contains", {"values": ["absent", "second"], "match": "all"}, TEXT, "failed"),
    ("contains", {"values": ["hello", "there"], "match": "all"}, TEXT, "passed"),
    ("contains", {"value": "1000", "ignore": ["commas"]}, TEXT, "passed"),
    ("contains", {"value": "1000"}, TEXT, "failed"),
    ("contains", {"value": "secondone", "ignore": ["case", "whitespace"]}, TEXT, "passed"),
    ("contains", {"value": "there 1000", "ignore": ["punctuation"]}, TEXT, "passed"),
    ("contains", {"value": "bye", "scope": "last"}, TEXT, "passed"),
    ("contains", {"value": "hello", "scope": "last"}, TEXT, "failed"),
    ("contains", {"value": "hello", "scope": "first"}, TEXT, "passed"),
    ("contains", {"value": "second", "scope": "first"}, TEXT, "failed"),
    ("contains", {"value": "e", "scope": "all"}, TEXT, "passed"),
    ("contains", {"value": "hello", "scope": "all"}, TEXT, "failed"),
    ("contains", {"value": "second", "scope": "turn:1"}, TEXT, "passed"),
    ("contains", {"value": "second", "scope": "turn:0"}, TEXT, "failed"),
    ("contains", {"value": "STRASSE"}, [[message("Stra\u00dfe")]], "passed"),
    ("contains", {"value": "caf\u00e9"}, [[message("CAFE\u0301 au lait")]], "passed"),
    ("contains", {"value": "turn 1"}, TEXT, "failed"),  # messages of the tester do not count
    ("contains", {"value": "tool"}, [[tool("tool", {"a": "tool"}), message("x")]], "failed"),
    ("equals", {"value": "Bye"}, TEXT, "passed"),
    ("equals", {"value": "bye"}, TEXT, "failed"),
    ("equals", {"value": "bye", "ignore": ["case"]}, TEXT, "passed"),
    ("equals", {"value": "By"}, TEXT, "failed"),
    ("equals", {"value": "Bye", "scope": "all"}, TEXT, "failed"),
    ("equals", {"value": "Bye", "negate": True}, TEXT, "failed"),
    ("regex", {"pattern": r"\d,\d{3}"}, TEXT, "passed"),
    ("regex", {"pattern": "^second"}, TEXT, "failed"),
    ("regex", {"pattern": "(?i)^the SECOND"}, TEXT, "passed"),
    ("regex", {"pattern": ".", "scope": "all"}, TEXT, "passed"),
    ("regex", {"pattern": "Bye", "scope": "first"}, TEXT, "failed"),
    ("tool-called", {"name": "buy"}, [[tool("buy"), message("x")]], "passed"),
    ("tool-called", {"name": "sell"}, [[tool("buy"), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "negate": True}, [[tool("buy"), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "min": 2}, [[tool("buy"), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "min": 2}, [[tool("buy"), tool("buy"), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "max": 1}, [[tool("buy"), tool("buy"), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "min": 0, "max": 0}, [[message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}}, [[tool("buy", {"a": 1, "b": 2}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}}, [[tool("buy", {"a": 1.0}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}}, [[tool("buy", {"a": "1"}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}}, [[tool("buy", {"a": True}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": {"b": 1}}},
     [[tool("buy", {"a": {"b": 1, "c": 2}}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}}, [[tool("buy"), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1, "b": 2}},
     [[tool("buy", {"a": 1}), tool("buy", {"b": 2}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}, "mode": "exact"},
     [[tool("buy", {"a": 1, "b": 2}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": [1, 2]}, "mode": "exact"},
     [[tool("buy", {"a": [1, 2]}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": [1, 2]}, "mode": "exact"},
     [[tool("buy", {"a": [2, 1]}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1, "b": 2}, "mode": "within"},
     [[tool("buy", {"a": 1}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}, "mode": "within"},
     [[tool("buy", {"a": 1, "b": 2}), message("x")]], "failed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}, "mode": "within"},
     [[tool("buy", {}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1, "b": 9}, "mode": "within", "keys": ["a"]},
     [[tool("buy", {"a": 1, "b": 2}), message("x")]], "passed"),
    ("tool-called", {"name": "buy", "arguments": {"a": 1}, "keys": []},
     [[tool("buy", {"a": 5}), message("x")]], "passed"),
    ("tool-not-called", {"name": "buy"}, [[tool("sell"), message("x")]], "passed"),
    ("tool-not-called", {"name": "buy"}, [[tool("buy"), message("x")]], "failed"),
    ("tool-order", {"names": ["a", "b"]}, [[tool("a"), tool("x"), tool("b"), message("x")]], "passed"),
    ("tool-order", {"names": ["a", "b"]}, [[tool("b"), tool("a"), message("x")]], "failed"),
    ("tool-order", {"names": ["a", "b"], "mode": "strict"}, [[tool("a"), tool("x"), tool("b"), message("x")]],
     "failed"),
    ("tool-order", {"names": ["a", "b"], "mode": "strict"}, [[tool("a"), tool("b"), message("x")]], "passed"),
    ("tool-order", {"names": ["a", "a"]}, [[tool("a"), message("x")]], "failed"),
    # a measure equals its bound if their first 12 digits are equal
    ("cost", {"max": 2 / 3}, [[message("x", cost=2 / 3, responseTime=200 / 3)]], "passed"),
    ("cost", {"max": 0.666666666666}, [[message("x", cost=2 / 3, responseTime=200 / 3)]], "failed"),
    ("response-time", {"average": 200 / 3, "max": 200 / 3}, [[message("x", cost=2 / 3, responseTime=200 / 3)]],
     "passed"),
    ("cost", {"max": 1.23456789012}, [[message("x", cost=1.23456789014)]], "failed"),
    ("tokens", {"max": 12345678901233}, [[message("x", inputTokens=12345678901234)]], "failed"),
    ("assert-set", {"threshold": 1 / 3, "assertions": [{"type": "max-turns", "config": {"value": n}} for n in (0, 0, 1)]},
     [[message("abc")]], "passed"),
    ("levenshtein", {"value": "axy", "threshold": 1 / 3}, [[message("abc")]], "passed"),
    ("tool-f1", {"names": ["a", "x", "y"], "threshold": 1 / 3},
     [[tool("a", {"n": 2 / 3}), tool("b"), tool("c"), message("x")]], "passed"),
    ("tool-called", {"name": "a", "arguments": {"n": 0}, "tolerance": 2 / 3},
     [[tool("a", {"n": 2 / 3}), tool("b"), tool("c"), message("x")]], "passed"),
    *(("no-loop", {"repeats": 2}, [[tool("a", one), tool("a", other), message("x")]], expected)
      for one, other, expected in (({"a": 1, "b": 2}, {"b": 2, "a": 1}, "failed"), ({"a": 1}, {"a": 1.0}, "failed"),
                                   ({}, None, "failed"), ({}, "{}", "failed"), ({"a": 1}, '{"a": 1}', "failed"),
                                   ({"a": 1}, {"a": "1"}, "passed"), ({"a": [1, 2]}, {"a": [2, 1]}, "passed"))),
    *(("no-loop", {"of": "messages"}, [[message(text)] for text in texts], expected)
      for texts, expected in ((("Which size?", " Which size?", "Which size?\n"), "failed"),
                              (("OK", "ok", "Ok"), "passed"), (("a b", "ab", "a  b"), "passed"))),
    ("max-turns", {"value": 3}, TEXT, "passed"),
    ("max-turns", {"value": 2}, TEXT, "failed"),
    ("max-turns", {"value": 2, "negate": True}, TEXT, "passed"),
]


class Assertions(SystemTest):
    def test_D31_each_row_of_the_table(self):
        # rows with the same conversation are scored in one result
        groups = {}
        for kind, config, replies, expected in ROWS:
            groups.setdefault(str(replies), (replies, []))[1].append((kind, config, expected))
        for replies, rows in groups.values():
            assertions = [{"type": kind, "config": config} for kind, config, _ in rows]
            test = self.a_test(self.scenario(), "\n".join(f"say: turn {n}" for n in range(len(replies))), assertions)
            made = self.result(test=test["id"])
            for entries in replies:
                self.turn(made)
                for entry in entries:
                    self.entry(made, **entry)
            self.assertTrue(self.turn(made)["end_chat"])
            for (kind, config, expected), row in zip(rows, self.settled(made)["assertionResults"]):
                with self.subTest(type=kind, config=config, replies=replies):
                    self.assertEqual(row["status"], expected, row)
                    self.assertTrue(row["reason"])

    def test_D31_action_invoked(self):
        rows = [({"name": "press"}, "passed"), ({"name": "other"}, "failed"),
                ({"name": "press", "arguments": {"a": 1}}, "passed"),
                ({"name": "press", "arguments": {"a": 2}}, "failed"),
                ({"name": "press", "arguments": {"a": 1, "b": "x"}}, "passed"),
                ({"name": "press", "negate": True}, "failed")]
        made = self.result(testInstruction='say: hi\ninvoke: press {"a": 1, "b": "x"}',
                           assertionResults=[{"type": "action-invoked", "config": config} for config, _ in rows])
        self.turn(made)
        self.ok(self.post_entry(made, type="public-event", name="form", metadata={"actions": [
            {"name": "press", "description": "d", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}]}))
        self.turn(made)
        self.entry(made, "done")
        self.assertTrue(self.turn(made)["end_chat"])
        for (config, expected), row in zip(rows, self.settled(made)["assertionResults"]):
            with self.subTest(config=config):
                self.assertEqual(row["status"], expected, row)

    def test_a_set_says_how_many_assertions_it_takes(self):
        for count in (51, 201):
            row = {"type": "assert-set", "config": {"assertions": [{"type": "max-turns", "config": {"value": 1}}] * count}}
            document = self.problem(self.http.post("/test-results/", {"agent": self.agent()["id"], "assertionResults": [row]}),
                                    400)
            self.assertEqual([(fault["pointer"], fault["detail"]) for fault in document["errors"]],
                             [("/assertionResults/0/config/assertions", "must hold 1 to 50 objects")])

    def test_a_tool_call_recorded_late_counts(self):
        made = self.in_state("W", assertionResults=[{"type": "tool-called", "config": {"name": "late"}},
                                                    {"type": "tool-order", "config": {"names": ["early", "late"]}}])
        late = self.entry(made, type="tool", name="late")
        self.entry(made, type="tool", name="early", before=late["id"])
        self.ok(self.finish(made), 202)
        self.assertEqual([row["status"] for row in self.settled(made)["assertionResults"]], ["passed", "passed"])

    def test_evidence_names_the_entries(self):
        made = self.in_state("W", assertionResults=[{"type": "tool-called", "config": {"name": "buy"}}])
        call = self.entry(made, type="tool", name="buy")
        self.ok(self.finish(made), 202)
        self.assertEqual(self.settled(made)["assertionResults"][0]["evidence"], [call["id"]])
