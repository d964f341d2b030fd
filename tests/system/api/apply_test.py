#!/usr/bin/env python3
"""POST /apply (D110): makes the records of a project match its files, detects edits made elsewhere, is all-or-nothing."""
import copy

from support import cases
from support.cases import OwnServerTest


def document(**changes):
    """A project with an agent, a personality, and a scenario that has a test with a variant."""
    test = {"key": "latte", "name": "Orders a latte", "instruction": "say: A latte, please.", "fields": {"city": "Oslo"},
            "tags": ["smoke"],
            "assertions": [{"id": "must-1", "type": "contains", "severity": "BLOCKER", "config": {"value": "latte"}}],
            "variants": [{"key": "latte--wien", "name": "in Wien", "fields": {"city": "Wien"}}]}
    return {"project": "coffee",
            "agents": [{"key": "shop", "name": "shop", "type": "HTTP", "config": {"url": "http://127.0.0.1:9/turn"},
                        "secrets": {"Authorization": "Bearer canary-1234567"}}],
            "personalities": [{"key": "hasty", "name": "hasty", "instruction": "Short sentences."}],
            "scenarios": [{"key": "orders", "name": "Orders", "agents": ["shop"],
                           "testFields": [{"key": "city", "type": "string"}], "tests": [test]}], **changes}


class Apply(OwnServerTest):
    def setUp(self):
        self.own_server()

    def applied(self, body):
        return self.ok(self.http.post("/apply", body))

    def counts(self, answer):
        return [answer[name] for name in ("created", "updated", "unchanged", "archived")]

    def record(self, collection, key):
        rows = self.ok(self.http.get(f"/{collection}?project=coffee"))["data"]
        return next(row for row in rows if row["key"] == key)

    def test_the_same_body_twice_changes_nothing(self):
        self.assertEqual(self.counts(self.applied(document())), [6, 0, 0, 0])
        before = self.record("tests", "latte")
        self.assertEqual(self.counts(self.applied(document())), [0, 0, 6, 0])
        self.assertEqual(self.record("tests", "latte"), before)

    def test_a_dry_run_writes_nothing(self):
        self.assertEqual(self.applied(document(dryRun=True))["created"], 6)
        self.assertEqual(self.ok(self.http.get("/tests?project=coffee"))["total"], 0)

    def test_a_change_of_the_files_updates_its_record(self):
        self.applied(document())
        body = document()
        body["scenarios"][0]["tests"][0]["name"] = "Orders a large latte"
        answer = self.applied(body)
        self.assertEqual(self.counts(answer), [0, 1, 5, 0])
        fields = answer["changes"][0]["fields"]
        self.assertEqual(fields, [{"pointer": "/name", "file": "Orders a large latte", "now": "Orders a latte"}])

    def test_an_edit_elsewhere_is_found_and_force_overwrites_it(self):
        self.applied(document())
        test = self.record("tests", "latte")
        self.ok(self.http.patch(f"/tests/{test['id']}", {"instruction": "say: Tea!"}))
        refused = self.http.post("/apply", document())
        self.assertEqual((refused.status, refused.json()["type"]), (409, "/problems/changed-elsewhere"))
        self.assertEqual(refused.json()["errors"][0]["pointer"], "/scenarios/0/tests/0")
        self.assertEqual(len(self.applied(document(dryRun=True))["changedElsewhere"]), 1)
        self.assertEqual(self.record("tests", "latte")["instruction"], "say: Tea!")
        self.assertEqual(self.applied(document(force=True))["updated"], 1)
        self.assertEqual(self.record("tests", "latte")["instruction"], "say: A latte, please.")

    def test_what_left_the_files_is_archived_and_comes_back(self):
        self.applied(document())
        body = document()
        body["scenarios"][0]["tests"][0]["variants"] = []
        self.assertEqual(self.counts(self.applied({**body, "prune": "keep"}))[3], 0)
        self.assertEqual(self.counts(self.applied(body)), [0, 0, 5, 1])
        archived = self.ok(self.http.get("/tests?project=coffee&archived=true"))["data"]
        self.assertEqual([row["key"] for row in archived], ["latte--wien"])
        self.assertEqual(self.counts(self.applied(document())), [0, 1, 5, 0])

    def test_a_renamed_key_keeps_its_record(self):
        self.applied(document())
        before = self.record("tests", "latte")["id"]
        body = document(renamed={"latte": "flat-white"})
        body["scenarios"][0]["tests"][0]["key"] = "flat-white"
        self.applied(body)
        self.assertEqual(self.record("tests", "flat-white")["id"], before)

    def test_faults_have_pointers_and_nothing_is_written(self):
        body = document()
        test = body["scenarios"][0]["tests"][0]
        test["assertions"] = [{"type": "contians", "config": {"value": "x"}}]
        test["variants"].append(copy.deepcopy(test["variants"][0]))
        refused = self.http.post("/apply", body)
        self.assertEqual(refused.status, 400)
        pointers = {each["pointer"] for each in refused.json()["errors"]}
        self.assertIn("/scenarios/0/tests/0/variants/1/key", pointers)
        self.assertTrue(any(each.startswith("/scenarios/0/tests/0/assertions/0/type") for each in pointers), pointers)
        self.assertEqual(self.ok(self.http.get("/tests?project=coffee"))["total"], 0)

    def test_a_changed_secret_is_an_update_and_is_never_shown(self):
        self.applied(document())
        body = document()
        body["agents"][0]["secrets"]["Authorization"] = "Bearer canary-7654321"
        answer = self.http.post("/apply", body)
        self.assertEqual(answer.json()["updated"], 1)
        self.assertNotIn(b"canary", answer.body)


if __name__ == "__main__":
    cases.main()
