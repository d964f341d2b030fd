#!/usr/bin/env python3
"""Access rights (API1, API2, API3, API5): every operation of /openapi.json with every kind of key.

The rows are in this file, not in the document: a new operation without a row fails the first test. The expected values come from
D4, D25, D80 and D82. Records of the workspace are open to every user with the right; only API keys have an owner."""
import json
import unittest

from support import cases
from support.cases import SystemTest, unique

NOBODY, READ, WRITE, ADMIN = range(4)
UNKNOWN = "01900000-0000-7000-8000-000000000000"
PAST = "2020-01-01T00:00:00.000Z"
CONTAINS = {"type": "contains", "config": {"value": "fine"}}
RECORDS = {"/scenarios": "scenario", "/tests": "test", "/agents": "agent", "/personalities": "personality",
           "/folders": "folder", "/run-groups": "group", "/tags": "tag", "/scenario-configurations": "configuration",
           "/external-conversation-logs": "log", "/scheduled-runs": "schedule", "/runs": "run", "/test-results": "result",
           "/users": "user", "/webhooks": "webhook"}
# Exceptions to "GET needs the right to read, everything else the right to write".
OPEN = {("get", path) for path in ("/healthz", "/readyz", "/version", "/openapi.json", "/docs")}
FOR_ADMINS = {("put", "/admin/scoring"), ("post", "/admin/switchover"), ("post", "/users"), ("get", "/users"), ("get", "/users/{id}"), ("patch", "/users/{id}"),
              ("delete", "/runs/{id}"), ("delete", "/test-results/{id}"), ("delete", "/external-conversation-logs/{id}")}
# The key is in the body (conformance/sessions.py); the answer does not end (conformance/events.py);
# labels and notes of failures are in conformance/dashboard.py.
SIGN_IN = {("post", "/session"), ("get", "/events"), ("post", "/labels"), ("delete", "/labels/{id}"),
           ("put", "/runs/{id}/failures/{signature}/note")}
# Signing in and out, and reads by POST: allowed with any right.
FOR_READERS = {("delete", "/session"), ("post", "/session/codes"), ("delete", "/sessions"),
               ("post", "/runs/{id}/grep"), ("post", "/validate")}
# The URL of a webhook can be a secret.
FOR_WRITERS = {("get", "/webhooks"), ("get", "/webhooks/{id}"), ("get", "/webhooks/{id}/deliveries")}
# Operations in addition to those of RECORDS: method, path, kind of record, body, status.
OTHERS = [
    ("get", "/metrics", None, None, 200),
    ("put", "/admin/scoring", None, {"paused": False}, 200),
    ("post", "/admin/switchover", None, {}, 409),  # a single node
    ("get", "/session", None, None, 200),
    ("delete", "/session", None, None, 204),
    ("post", "/session/codes", None, None, 200),
    ("delete", "/sessions", None, None, 204),
    ("post", "/apply", None, {"project": "coffee"}, 200),
    ("post", "/agents/local", None, {"name": "runner", "unique_identifier": "runner"}, 200),
    ("post", "/agents/{id}/check", "demo", None, 200),
    ("get", "/scenarios/{id}/tests", "scenario", None, 200),
    ("post", "/external-conversation-logs/batch", None, {"externalId": "batch"}, 200),
    ("post", "/v1/traces", None, {}, 200),
    ("post", "/tags/{id}/apply", "tag", None, 409),    # the tag is not smart
    ("post", "/external-conversation-logs/{id}/score", "log", {"assertions": [CONTAINS]}, 200),
    ("delete", "/external-conversation-logs/{id}", "new log", None, 204),
    ("get", "/webhooks/{id}/deliveries", "webhook", None, 200),
    ("post", "/webhooks/{id}/test", "webhook", None, 202),
    ("delete", "/webhooks/{id}", "new webhook", None, 204),
    ("post", "/api-keys", None, {"name": "k"}, 201),
    ("get", "/api-keys", None, None, 200),
    ("get", "/api-keys/{id}", "key", None, 200),
    ("delete", "/api-keys/{id}", "key", None, 204),
    ("delete", "/runs/{id}", "canceled run", None, 204),
    ("post", "/runs/{run_id}/cancel", "new run", None, 200),
    ("get", "/runs/{id}/test-results", "run", None, 200),
    ("get", "/runs/{id}/repetitions", "run", None, 200),
    ("get", "/runs/{id}/cells", "run", None, 200),
    ("get", "/runs/{id}/compare/{other}/trials", "run", None, 200),
    ("post", "/runs/{id}/grep", "run", {"text": "fine"}, 200),
    ("get", "/trends", None, None, 200),
    ("get", "/labels", None, None, 200),
    ("get", "/agreement", None, None, 200),
    ("post", "/validate", None, {"kind": "folder", "body": {}}, 200),
    ("post", "/agents/check", None, {"name": "d", "type": "DEMO"}, 200),
    ("get", "/test-results/{id}/compare/{other}", "done", None, 200),
    ("get", "/runs/{id}/failures", "run", None, 200),
    ("get", "/runs/{id}/report", "run", None, 200),
    ("get", "/test-results/{id}/entries", "done", None, 200),
    ("get", "/runs/{id}/compare/{other}", "run", None, 200),
    ("post", "/runs/{id}/detect-hallucinations", "run", {}, 200),
    ("post", "/runs/{id}/rescore", "run", {"assertions": [CONTAINS]}, 200),
    ("delete", "/test-results/{id}", "done", None, 204),
    ("post", "/test-results/{id}/retry", "failed", None, 201),
    ("post", "/test-results/{id}/conversation", "talk", {"role": "chatbot", "content": "c"}, 201),
    ("patch", "/test-results/{id}/conversation/{message_id}", "talk", {"metadata": {"a": 1}}, 200),
    ("post", "/test-results/{id}/next-message", "result", None, 200),
    ("post", "/test-results/{id}/finish", "ended", None, 202),
    ("post", "/test-results/{id}/rescore", "done", {"assertions": [CONTAINS]}, 200),
    ("post", "/test-results/{id}/review", "done", {"model": False}, 200),
    ("get", "/test-results/{id}/verdicts", "done", None, 200),
]
# Fields that only the server sets, with values that it would never use.
POISON = {"id": UNKNOWN, "createdAt": PAST, "updatedAt": PAST, "createdBy": UNKNOWN, "score": 99, "scoringEnqueuedAt": PAST,
          "isEnded": True, "endReason": "canceled", "retiredBy": UNKNOWN, "retryOf": UNKNOWN, "key": "parley_mine",
          "prefix": "mineminE", "hash": "0" * 64, "lastUsedAt": PAST, "hallucinationStatus": "failed", "total": 99, "lastRunAt": PAST,
          "passed": True, "overallPassed": False, "review": {"valid": True}, "claims": [{"text": "mine"}], "revision": 99,
          "runGroupName": "mine", "verdict": "passed", "duration": 99, "owner": UNKNOWN, "nextRunAt": PAST, "user_id": UNKNOWN}


def right_of(method, path):
    if (method, path) in OPEN:
        return NOBODY
    if (method, path) in FOR_ADMINS:
        return ADMIN
    if (method, path) in FOR_WRITERS:
        return WRITE
    return READ if method == "get" or (method, path) in FOR_READERS else WRITE


class AccessMatrix(SystemTest):
    options = ("--fsync", "off")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls("test_API9_every_operation_has_its_row")
        cls.operations = {(method, path) for path, item in cls.http.get("/openapi.json").json()["paths"].items()
                          for method in item if method in ("get", "post", "put", "patch", "delete")} - SIGN_IN
        cls.keys = made.people()
        cls.clients = {who: cls.server.client(key=key) for who, (key, _) in cls.keys.items()}
        cls.kept = made.everything()

    @classmethod
    def tearDownClass(cls):
        for client in cls.clients.values():
            client.close()
        super().tearDownClass()

    def people(self):
        """{kind of caller: (text of its key, the right of the key)}."""
        admin = self.create("/users", name="a second admin", role="admin")["id"]
        users = {word: self.create("/users", name=word, role=role)["id"]
                 for word, role in (("owner", "member"), ("other", "member"), ("viewer", "viewer"), ("disabled", "member"))}
        key = {word: self.create("/api-keys", name=word, user=user) for word, user in users.items()}
        reader = self.create("/api-keys", name="reader", user=users["owner"], scopes=["read"])
        narrowed = self.create("/api-keys", name="an admin's for writing", user=admin, scopes=["write"])
        expired = self.create("/api-keys", name="expired", user=users["owner"], expiresAt=PAST)
        revoked = self.create("/api-keys", name="revoked", user=users["owner"])
        seen = self.server.client(key=revoked["key"])
        self.ok(seen.get("/scenarios"), 200)  # so that the revoked key is in the cache
        seen.close()
        self.assertEqual(self.http.send("DELETE", f"/api-keys/{revoked['id']}").status, 204)
        self.ok(self.http.patch(f"/users/{users['disabled']}", {"isDisabled": True}), 200)
        self.users = type(self).users = {**users, "admin": admin}
        return {"owner": (key["owner"]["key"], WRITE), "other": (key["other"]["key"], WRITE),
                "without the scope": (reader["key"], READ), "viewer": (key["viewer"]["key"], READ),
                "admin": (self.server.key, ADMIN), "an admin's key for writing": (narrowed["key"], WRITE),
                "no key": ("", NOBODY), "unknown key": ("parley_unknown1_" + "u" * 43, NOBODY),
                "revoked": (revoked["key"], NOBODY), "expired": (expired["key"], NOBODY),
                "disabled user": (key["disabled"]["key"], NOBODY)}

    def bodies(self):
        made = getattr(self, "kept", {})
        return {"/scenarios": {"name": "s"}, "/tests": {"name": "t", "scenario": made.get("scenario")},
                "/agents": {"name": "a", "type": "EXTERNAL"}, "/personalities": {"name": "p"}, "/folders": {"name": "f"},
                "/run-groups": {"name": "g"}, "/tags": {"name": "t"}, "/scenario-configurations": {"name": "c"},
                "/external-conversation-logs": {"externalId": unique("log"), "conversation": [{"role": "user", "content": "hi"}]},
                "/scheduled-runs": {"name": "s", "scenario": made.get("scenario"), "agent": made.get("agent"), "cron": "0 0 1 1 *"},
                "/users": {"name": "u"}, "/webhooks": {"url": "http://127.0.0.1:9/"}, "/runs": {"scenario": made.get("scenario"), "agent": made.get("agent"), "status": "new"},
                "/test-results": {"agent": made.get("agent"), "testInstruction": "say: hi"}}

    def everything(self):
        """One record of each kind, created by `owner` if possible."""
        self.kept = {}
        for path in RECORDS:
            client = self.http if path == "/users" else self.clients["owner"]
            self.kept[RECORDS[path]] = self.ok(client.post(path, self.bodies()[path]), 201)["id"]
        self.kept["demo"] = self.ok(self.clients["owner"].post("/agents", {"name": "d", "type": "DEMO"}), 201)["id"]
        return self.kept

    def fresh(self, kind):
        """The id of a record in the state that the operation needs."""
        owner = self.clients["owner"]
        if kind == "key":
            return self.ok(owner.post("/api-keys", {"name": "fresh"}), 201)["id"]
        if kind == "new webhook":
            return self.ok(owner.post("/webhooks", self.bodies()["/webhooks"]), 201)["id"]
        if kind == "new log":
            return self.ok(owner.post("/external-conversation-logs", self.bodies()["/external-conversation-logs"]), 201)["id"]
        if kind in ("new run", "canceled run"):
            run = self.ok(owner.post("/runs", self.bodies()["/runs"]), 201)["id"]
            if kind == "canceled run":
                self.ok(owner.post(f"/runs/{run}/cancel"), 200)
            return run
        return self.conversation(owner, kind) if kind in ("talk", "ended", "done", "failed") else self.kept[kind]

    def conversation(self, owner, kind):
        made = self.ok(owner.post("/test-results", {"agent": self.kept["agent"], "testInstruction": "say: hi",
                                                    "completionMode": "manual"}), 201)["id"]
        place = f"/test-results/{made}"
        if kind == "failed":
            self.ok(owner.patch(place, {"status": "failed"}), 200)
            return made
        self.ok(owner.post(f"{place}/next-message"), 200)
        self.ok(owner.post(f"{place}/conversation", {"role": "chatbot", "content": "fine"}), 201)
        if kind == "talk":
            return made
        self.assertTrue(self.ok(owner.post(f"{place}/next-message"), 200)["end_chat"])
        if kind == "done":
            self.ok(owner.post(f"{place}/finish"), 202)
            self.ok(owner.get(place, {"Prefer": "wait=10"}), 200)
            self.assertEqual(self.ok(owner.get(place), 200)["status"], "completed")
        return made

    def rows(self):
        """Yields (method, path, kind of record or None, body, status for a caller with the right)."""
        for path, kind in RECORDS.items():
            yield "post", path, None, self.bodies()[path], 201
            yield "get", path, None, None, 200
            yield "get", f"{path}/{{id}}", kind, None, 200
            yield "patch", f"{path}/{{id}}", kind, {}, 200
        yield from OTHERS
        for _, path in sorted(OPEN):
            yield "get", path, None, None, 200

    def place(self, path, record):
        """The path with ids; for entries, the id of the first one."""
        if "{message_id}" in path:
            entry = UNKNOWN if record == UNKNOWN else self.get_result(record)["conversation"][0]["id"]
            path = path.replace("{message_id}", entry)
        for name in ("{id}", "{run_id}", "{other}"):
            path = path.replace(name, str(record))
        return path

    def send(self, who, method, path, body):
        headers = {} if who != "no key" else {"Authorization": None}
        return self.clients[who].send(method.upper(), path, body, headers)

    # ---- the tests --------------------------------------------------------------------------------------------

    def test_API9_every_operation_has_its_row(self):
        rows = [(method, path) for method, path, *_ in self.rows()]
        self.assertEqual(sorted(set(rows)), sorted(self.operations))
        self.assertEqual(len(rows), len(set(rows)))
        self.assertGreaterEqual(len(rows), 80)

    def test_API1_API5_every_operation_with_every_key(self):
        refusals, calls = {401: set(), 403: set()}, 0
        for method, path, kind, body, status in self.rows():
            needed = right_of(method, path)
            for who, (_, right) in self.keys.items():
                record = self.fresh(kind) if kind and right >= needed else self.kept.get(kind, UNKNOWN)
                expected = status if right >= needed else 401 if right == NOBODY else 403
                if kind == "key" and who not in ("owner", "without the scope", "admin") and expected == status:
                    expected = 404  # the key of another user
                sent = dict(body, externalId=unique("log")) if path == "/external-conversation-logs" and body else body
                answer = self.send(who, method, self.place(path, record), sent)
                calls += 1
                with self.subTest(method=method, path=path, who=who):
                    self.assertEqual(answer.status, expected, answer)
                    if expected in refusals:
                        refusals[expected].add(self.told(answer))
                    if expected == 401:
                        self.assertEqual(answer.headers.get("www-authenticate"), "Bearer")
        self.assertGreater(calls, 850)
        self.assertEqual(len(refusals[401]), 1, refusals[401])  # no answer reveals why a key is invalid (I69)
        self.assertEqual(len(refusals[403]), 2, refusals[403])  # the missing right, and nothing about the record

    def told(self, answer, *ids):
        """The text of an answer without the request id and the requested ids."""
        text = json.dumps({name: value for name, value in answer.json().items() if name != "instance"})
        for each in ids:
            text = text.replace(each, "ID")
        return text

    def test_API1_an_unknown_id_is_404_for_callers_with_the_right_and_reveals_nothing_to_others(self):
        for method, path, kind, body, _ in self.rows():
            if kind is None:
                continue
            for who, (_, right) in self.keys.items():
                needed = right_of(method, path)
                answer = self.send(who, method, self.place(path, UNKNOWN), body)
                with self.subTest(method=method, path=path, who=who):
                    self.assertEqual(answer.status, 404 if right >= needed else 401 if right == NOBODY else 403, answer)

    def test_API1_the_key_of_another_user_is_answered_like_an_unknown_one(self):
        key = self.fresh("key")
        for who in ("other", "viewer", "without the scope", "an admin's key for writing"):
            for method in ("get", "delete"):
                if who == "without the scope" or right_of(method, "/api-keys/{id}") > self.keys[who][1]:
                    continue
                foreign = self.send(who, method, f"/api-keys/{key}", None)
                unknown = self.send(who, method, f"/api-keys/{UNKNOWN}", None)
                with self.subTest(who=who, method=method):
                    self.assertEqual((foreign.status, unknown.status), (404, 404))
                    self.assertEqual(self.told(foreign, key), self.told(unknown, UNKNOWN))
                    self.assertEqual([name for name, _ in foreign.fields], [name for name, _ in unknown.fields])
        listed = {row["user"]["id"] for row in self.ok(self.clients["other"].get("/api-keys?limit=1000"))["data"]}
        self.assertEqual(listed, {self.users["other"]})
        asked = self.ok(self.clients["other"].get(f"/api-keys?user={self.users['owner']}"))
        self.assertEqual((asked["data"], asked["total"]), ([], 0))
        self.ok(self.clients["owner"].get(f"/api-keys/{key}"), 200)  # the key was not revoked

    def test_API2_no_user_can_raise_their_own_rights(self):
        for who, body in (("owner", {"name": "k", "scopes": ["admin"]}), ("without the scope", {"name": "k", "scopes": ["write"]}),
                          ("owner", {"name": "k", "user": self.users["other"]}), ("other", {"name": "k", "user": self.users["admin"]}),
                          ("an admin's key for writing", {"name": "k", "scopes": ["admin"]})):
            with self.subTest(who=who, body=body):
                self.assertIn(self.clients[who].post("/api-keys", body).status, (400, 403))
        for who in ("owner", "other", "viewer", "an admin's key for writing"):
            with self.subTest(who=who):
                self.problem(self.clients[who].patch(f"/users/{self.users['owner']}", {"role": "admin"}), 403)
        self.assertEqual(self.ok(self.http.get(f"/users/{self.users['owner']}"))["role"], "member")

    def test_API2_a_key_counts_in_its_header_alone(self):
        key = self.keys["admin"][0]
        for path in (f"/scenarios?access_token={key}", f"/scenarios?key={key}", f"/scenarios?api_key={key}"):
            self.problem(self.send("no key", "get", path, None), 401)
        for value in (key, f"Basic {key}", f"Bearer\t{key}", f"Bearer {key}x", "Bearer", f"Bearer {key[:-1]}", f"Token {key}"):
            with self.subTest(value=value.replace(key, "KEY")):
                self.problem(self.clients["no key"].send("GET", "/scenarios", None, {"Authorization": value}), 401)

    def test_API2_guessing_a_key_finds_nothing_and_leaves_the_owner_alone(self):
        key = self.keys["owner"][0]
        statuses = {self.clients["no key"].send("GET", "/scenarios", None, {"Authorization": f"Bearer {key[:-3]}{n:03}"}).status
                    for n in range(300) if not key.endswith(f"{n:03}")}
        self.assertEqual(statuses, {401})
        self.ok(self.clients["owner"].get("/scenarios"), 200)

    def test_API3_what_the_service_sets_is_not_settable(self):
        """Every operation that creates or changes records ignores server fields in a body, like all unknown fields (D5)."""
        for path, kind in RECORDS.items():
            who = "admin" if path == "/users" else "owner"
            for method, place, body in (("post", path, self.bodies()[path]), ("patch", f"{path}/{self.kept[kind]}", {})):
                answer = self.send(who, method, place, {**body, **{name: value for name, value in POISON.items()
                                                                   if name not in ("nextRunAt",) or kind != "schedule"}})
                with self.subTest(method=method, path=path):
                    shown = self.ok(answer)
                    for name, value in POISON.items():
                        if name in shown:
                            self.assertNotEqual(shown[name], value, name)
                    if "createdBy" in shown:
                        self.assertEqual(shown["createdBy"]["id"], self.users["owner"])
                    if kind == "result":
                        self.assertEqual((shown["score"], shown["isEnded"]), (0, False))
        self.problem(self.clients["owner"].post("/api-keys", {"name": "k", **POISON}), 400, "/score")  # similar to `scopes` (D99)
        ignored = {name: value for name, value in POISON.items() if name != "score"}
        made = self.ok(self.clients["owner"].post("/api-keys", {"name": "k", **ignored}), 201)
        for name in ("id", "createdAt", "key", "prefix", "lastUsedAt"):
            self.assertNotEqual(made.get(name), POISON[name])
        self.assertEqual(made["user"]["id"], self.users["owner"])
        self.assertNotIn("hash", made)

    def test_API3_an_entry_takes_nothing_that_the_service_sets(self):
        result = self.fresh("talk")
        poison = {"id": UNKNOWN, "createdAt": PAST, "touchedAt": PAST, "ordinal": 0, "turn": 99, "index": 0}
        answer = self.ok(self.clients["owner"].post(f"/test-results/{result}/conversation",
                                                    {"role": "chatbot", "content": "c", **poison},
                                                    {"Prefer": "return=minimal"}), 201)
        for name, value in poison.items():
            if name in answer["entry"]:
                self.assertNotEqual(answer["entry"][name], value, name)

    def test_API8_headers_of_every_sort_of_answer(self):
        """The exact headers, so that a person reviews new ones. No header names the software (D13)."""
        usual = {"content-type", "content-length", "date", "cache-control", "x-content-type-options", "x-request-id", "vary"}
        for who, method, path, status, more in (
                ("owner", "get", "/scenarios", 200, {"link"}), ("owner", "get", f"/scenarios/{self.kept['scenario']}", 200, {"etag"}),
                ("owner", "post", "/folders", 201, {"location", "etag"}), ("no key", "get", "/scenarios", 401, {"www-authenticate"}),
                ("without the scope", "post", "/folders", 403, set()), ("owner", "get", f"/runs/{UNKNOWN}", 404, set()),
                ("owner", "get", "/nowhere", 404, set()), ("owner", "put", "/scenarios", 405, {"allow"}),
                ("no key", "get", "/version", 200, set()), ("no key", "get", "/healthz", 200, set())):
            body = {"name": "f"} if method == "post" else None
            answer = self.send(who, method, path, body)
            with self.subTest(who=who, method=method, path=path):
                self.assertEqual(answer.status, status, answer)
                self.assertEqual({name.lower() for name, _ in answer.fields}, usual | more)
                self.assertEqual(answer.headers["cache-control"], "no-store")
                self.assertEqual(answer.headers["x-content-type-options"], "nosniff")
        asked = self.clients["owner"].send("GET", "/scenarios", None, {"Origin": "https://evil.example"})
        self.assertEqual([name for name, _ in asked.fields if name.lower().startswith("access-control")], [])


if __name__ == "__main__":
    cases.main()
