#!/usr/bin/env python3
"""Bad input, generated from the service's own /openapi.json (D3-D5, D55; F31): each field of each body of each operation
gets each fault that can be derived from its schema. Each fault is answered 400 with a pointer to it and changes nothing. The test
follows the document, so a new field or operation needs no change here; a new body needs one valid example."""
import copy
import json

from support import cases
from support.cases import SystemTest, unique

UNKNOWN = "01890000-0000-7000-8000-000000000000"
LONG = "x" * ((1 << 20) + 1)  # beyond the limits of all texts and objects (D55)
DEEP = 70
DROP = object()
WRONG = {"string": (5, True, ["x"], {"a": 1}), "boolean": ("true", 1, [], {}), "integer": ("1", True, [], {}, 1.5),
         "object": ("x", 5, True, [1]), "array": (5, True, {"a": 1})}
BEYOND = (-(10 ** 30), 10 ** 30)
UNBOUNDED = {"seed"}  # any 64-bit integer
LINKS = {"scenario", "agent", "test", "run", "personality", "runGroup", "parent", "parentTest", "configuration", "user",
         "sourceConversationLog", "agents", "folders", "tags"}


def plain(schema):
    """(the schema without null, whether null is allowed)."""
    several = schema.get("anyOf")
    if not several:
        return schema, False
    return next(one for one in several if one.get("type") != "null"), True


def at(document, path):
    for step in path:
        document = document[step]
    return document


def changed(document, path, value):
    """A copy of the document with another value at the path, or without the path."""
    made = copy.deepcopy(document)
    place = at(made, path[:-1])
    if value is DROP:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


def pointer_of(path):
    return "".join(f"/{step}" for step in path)


def faults_of(schema, example, path=(), is_patch=False):
    """Yields (fault, changed path, value, path that the answer must point to)."""
    schema, _ = plain(schema)
    kind = schema.get("type")
    if path:
        for value in WRONG.get(kind, ()):
            yield "wrong type", path, value, path
        if "enum" in schema:
            yield "unknown word", path, "no such word", path
        if "maxLength" in schema:
            yield "too long", path, "x" * (schema["maxLength"] + 1), path
        elif kind == "string" and "enum" not in schema:
            yield "too long, or no such id", path, LONG, path
        if schema.get("minLength"):
            yield "empty", path, "", path
        if schema.get("format") == "date-time":
            for value in ("yesterday", "2026-02-30T00:00:00.000Z", "2026-01-01"):
                yield "no time", path, value, path
        if path[-1] in LINKS and kind == "string":
            yield "unknown id", path, UNKNOWN, path
            yield "no id", path, "../x", path
        if kind == "integer":
            bounds = () if path[-1] in UNBOUNDED else (schema.get("minimum", 0) - 1, schema.get("maximum", 0) + 1)
            for value in (*bounds, *BEYOND):
                yield "out of range", path, value, path
    if kind == "array":
        yield from faults_of_list(schema, example, path)
    elif kind == "object" and "properties" in schema:
        yield "unknown key", (*path, "nonsense"), 1, (*path, "nonsense")
        for name, field in schema["properties"].items():
            here = (*path, name)
            if name in schema.get("required", ()) and not is_patch:
                yield "missing", here, DROP, here
                yield "null", here, None, here
            if name in example:
                yield from faults_of(field, example[name], here)
    elif kind == "object":
        yield "too long", path, {"k": LONG}, path


def faults_of_list(schema, example, path):
    items, _ = plain(schema["items"])
    if path[-1] in LINKS and items.get("type") == "string" and "maxLength" not in items:  # the tags of a test are free words
        yield "unknown id", path, [UNKNOWN], (*path, 0)
        yield "no id", path, [example[0], "../x"], (*path, 1)
    if example:
        if schema.get("maxItems", 10 ** 9) <= 1000:
            yield "too many", path, example[:1] * (schema["maxItems"] + 1), path
        for value in WRONG.get(items.get("type"), ()):
            yield "wrong type", path, [value], (*path, 0)
        yield "null", path, [None], (*path, 0)
        yield from faults_of(items, example[0], (*path, 0))


class BadBodies(SystemTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.document = cls.http.get("/openapi.json").json()

    def setUp(self):
        """One record of each kind, with links to the others."""
        folder = self.create("/folders/", name="f")["id"]
        configuration = self.create("/scenario-configurations/", name="c")["id"]
        agent, personality = self.agent()["id"], self.create("/personalities/", name="p")["id"]
        scenario = self.scenario(folders=[folder], configuration=configuration)["id"]
        test = self.a_test({"id": scenario})["id"]
        group, user = self.create("/run-groups/", name="g")["id"], self.create("/users/", name="u")["id"]
        tag = self.create("/tags/", name="t")["id"]
        made = {"folder": folder, "configuration": configuration, "agent": agent, "personality": personality,
                "scenario": scenario, "test": test, "group": group, "user": user, "tag": tag}
        made["run"] = self.a_run({"id": scenario}, {"id": agent})["id"]
        made["failed run"] = self.a_run({"id": scenario}, {"id": agent})["id"]
        failed = self.create("/test-results/", run=made["failed run"], test=test, agent=agent)["id"]
        self.ok(self.http.patch(f"/test-results/{failed}", {"status": "failed"}))
        made["signature"] = self.ok(self.http.get(f"/runs/{made['failed run']}/failures"))["groups"][0]["signature"]
        made["result"], made["done"] = self.in_state("R")["id"], self.in_state("C")["id"]
        made["assertion"] = self.get_result(made["done"])["assertionResults"][0]["id"]
        made["entry"] = self.get_result(made["result"])["conversation"][1]["id"]
        made["log"] = self.create("/external-conversation-logs/", externalId=unique("log"),
                                  conversation=[{"role": "user", "content": "hi"}])["id"]
        made["schedule"] = self.create("/scheduled-runs/", scenario=scenario, agent=agent, cron="0 0 1 1 *")["id"]
        made["webhook"] = self.create("/webhooks/", url="http://127.0.0.1:9/", isEnabled=False)["id"]
        self.made, self.bodies = made, self.examples(made)
        self.others = {"GrepBody": [{"pattern": "f.ne", "in": "all", "after": made["done"]}],
                       "SignInBody": [{"code": self.ok(self.http.post("/session/codes"))["code"]}]}

    def examples(self, made):
        """A valid body for each schema, with values for all fields that can be combined."""
        assertion = {"id": "a1", "name": "n", "type": "contains", "severity": "MAJOR", "weight": 3, "config": {"value": "x"}}
        criterion = {"criteria": "greets"}
        case = {"test": made["test"], "personality": made["personality"], "repetitions": 2}
        field = {"key": "k", "label": "l", "type": "select", "options": ["o"], "required": False, "default": "o"}
        condition = {"field": "metadata", "pointer": "/a", "op": "equals", "value": "x"}
        both = {
            "Scenario": {"name": "n", "description": "d", "isArchived": False, "agents": [made["agent"]],
                         "folders": [made["folder"]], "configuration": made["configuration"], "fields": {}},
            "Test": {"name": "n", "description": "d", "isEnabled": True, "isArchived": False, "instruction": "say: a",
                     "assertions": [assertion, criterion], "fields": {}},
            "Agent": {"name": "n", "type": "EXTERNAL", "config": {}, "metadata": {"a": 1}, "secrets": {"k": "s"},
                      "isEnabled": True, "isArchived": False},
            "Personality": {"name": "n", "description": "d", "instruction": "i", "isArchived": False},
            "Folder": {"name": "n", "parent": self.create("/folders/", name="above")["id"], "isArchived": False},
            "RunGroup": {"name": "n", "description": "d", "isArchived": False},
            "Tag": {"name": "n", "color": "red", "isSmart": True, "isArchived": False,
                    "rule": {"match": "any", "conditions": [condition]}},
            "ScenarioConfiguration": {"name": "n", "scenarioFields": [field], "testFields": [field], "isArchived": False},
            "ExternalConversationLog": {"description": "d", "externalSource": "s", "tags": [made["tag"]],
                                        "agents": [made["agent"]], "isArchived": False, "metadata": {"a": 1},
                                        "conversation": [{"type": "message", "role": "user", "content": "hi", "name": "n",
                                                          "metadata": {"a": 1}, "createdAt": "2026-01-01T00:00:00.000Z"}]},
            "ScheduledRun": {"name": "n", "scenario": made["scenario"], "agent": made["agent"], "cron": "0 0 1 1 *",
                             "timezone": "UTC", "isEnabled": False, "personality": made["personality"],
                             "testConfigs": [case], "repetitions": 2, "maxConcurrentTests": 3, "isArchived": False},
            "User": {"name": "n", "email": "a@b.example", "role": "viewer", "isDisabled": False, "isArchived": False},
            "Webhook": {"name": "n", "url": "http://127.0.0.1:9/", "events": ["run.ended"], "secret": "s", "format": "standard",
                        "isEnabled": False, "isArchived": False},
            "TestResult": {"metadata": {"a": 1}, "externalLinks": [{"url": "u"}], "completionMode": "manual"}}
        bodies = {f"{name}{kind}": dict(body) for name, body in both.items() for kind in ("Body", "Patch")}
        bodies["TestBody"].update(scenario=made["scenario"], parentTest=made["test"], sourceConversationLog=made["log"])
        bodies["ExternalConversationLogBody"].update(externalId="e", timestamp="2026-01-01T00:00:00.000Z")
        bodies["TestResultBody"].update(agent=made["agent"], isManual=False, testInstruction="say: a",
                                        assertionResults=[assertion], personality=made["personality"],
                                        sourceConversationLog=made["log"])
        bodies["TestResultPatch"].update(status="running")
        bodies["RunBody"] = {"scenario": made["scenario"], "status": "new", "agent": made["agent"], "testConfigs": [case],
                             "personality": made["personality"], "repetitions": 2, "maxConcurrentTests": 3,
                             "isArchived": False, "runGroup": made["group"], "generateResults": False, "result": {"a": 1}}
        bodies["RunPatch"] = {"scenario": made["scenario"], "status": "running", "result": {"a": 1}, "isArchived": False}
        bodies["LocalAgentBody"] = {"name": "n", "unique_identifier": "i"}
        bodies["ApiKeyBody"] = {"name": "n", "user": made["user"], "scopes": ["read"], "expiresAt": "2099-01-01T00:00:00.000Z"}
        bodies["RescoreBody"] = {"assertions": [assertion], "preview": True}
        bodies["ReviewBody"] = {"model": False}
        bodies["ScoreLogBody"] = {"assertions": [assertion], "test": made["test"]}
        bodies["EntryBody"] = {"type": "message", "role": "chatbot", "content": "c", "name": "n", "metadata": {"a": 1},
                               "after": made["entry"]}
        bodies["EntryPatchBody"] = {"metadata": {"a": 1}}
        bodies["ScoringBody"] = {"paused": False}
        bodies["SwitchoverBody"] = {"to": "http://127.0.0.1:1"}
        for kind in ("Body", "Patch"):
            bodies[f"Run{kind}"].update(name="n", seed=7, metadata={"a": 1})
            bodies[f"Test{kind}"].update(metadata={"a": 1}, tags=["word"],
                                         history=[{"type": "message", "role": "user", "content": "hi", "name": "n", "metadata": {"a": 1}}])
            bodies[f"Scenario{kind}"].update(baselines={})
        bodies["ScoreLogBody"].update(save=False, judge=False)
        bodies["EntryBody"].update(end=False)
        bodies["LabelBody"] = {"result": made["done"], "assertion": made["assertion"], "verdict": "passed", "note": "n",
                               "entries": [self.get_result(made["done"])["conversation"][1]["id"]]}
        bodies["FailureNote"] = {"note": "known"}
        bodies["GrepBody"] = {"text": "fine", "in": "all"}
        bodies["SignInBody"] = {"key": self.server.key}
        bodies["ValidateBody"] = {"kind": "test", "body": {"name": "n", "scenario": made["scenario"]}, "fields": {}}
        bodies["ApplyBody"] = {"project": "p", "prune": "keep", "dryRun": True, "force": False, "renamed": {}, "agents": [],
                               "personalities": [], "scenarios": []}
        return bodies

    def examples_of(self, path, name):
        """The example, and further ones with fields that cannot be combined with those of the first."""
        own = {"type": "HTTP", "config": {"url": "http://127.0.0.1:9/"}} if path == "/agents/check" else {}
        return [{**self.bodies[name], **own}, *self.others.get(name, ())]

    def operations(self):
        """Yields (method, path with real ids, name of the body schema) for every operation with a body."""
        ids = {"scenarios": "scenario", "tests": "test", "agents": "agent", "personalities": "personality",
               "folders": "folder", "run-groups": "group", "tags": "tag", "scenario-configurations": "configuration",
               "external-conversation-logs": "log", "scheduled-runs": "schedule", "users": "user", "runs": "run",
               "test-results": "result", "webhooks": "webhook"}
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if "application/json" not in operation.get("requestBody", {}).get("content", {}):
                    continue
                schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
                place = path.replace("{message_id}", self.made["entry"]).replace("{signature}", self.made["signature"])
                if "{signature}" in path:
                    place = place.replace("{id}", self.made["failed run"])
                if "{id}" in place:
                    kind = "done" if path in ("/test-results/{id}/rescore", "/test-results/{id}/review") else ids[path.split("/")[1]]
                    place = place.replace("{id}", self.made[kind])
                yield method.upper(), place, schema

    def schema(self, name):
        """The schema from the document. A message of an external log is an entry with a time and more role names."""
        schema = self.document["components"]["schemas"][name]
        if not name.startswith("ExternalConversationLog"):
            return schema
        schema = copy.deepcopy(schema)
        message = dict(self.document["components"]["schemas"]["EntryBody"]["properties"])
        message["createdAt"] = {"type": "string", "format": "date-time"}
        message = {name: field for name, field in message.items() if name not in ("after", "before")}
        schema["properties"]["conversation"] = {"type": "array", "items": {"type": "object", "properties": message}}
        return schema

    def everything(self):
        """All records and their totals, without lastUsedAt of keys."""
        lists = [path for path, methods in self.document["paths"].items() if "get" in methods and "{" not in path
                 and '"sortBy"' in json.dumps(methods["get"])]
        self.assertGreater(len(lists), 12)
        shown = {(path, archived): self.ok(self.http.get(f"{path}?limit=1000&archived={archived}"), 200)
                 for path in lists for archived in ("false", "true")}
        for answer in shown.values():
            for row in answer["data"]:
                row.pop("lastUsedAt", None)
        return shown

    def faulty(self):
        for method, path, name in self.operations():
            for example in self.examples_of(path, name):
                for what, place, value, pointed in faults_of(self.schema(name), example, is_patch=method == "PATCH"):
                    # A PATCH has only the faulty field: other fields could hide whether the fault was found.
                    base = example if method != "PATCH" else {place[0]: example[place[0]]} if place[0] in example else {}
                    yield method, path, what, changed(base, place, value), pointer_of(pointed)

    def test_D3_every_field_of_every_body_with_every_fault_is_400_at_its_pointer_and_changes_nothing(self):
        before, count = self.everything(), 0
        for method, path, what, body, pointer in self.faulty():
            headers = {"Prefer": "handling=strict"} if what == "unknown key" else None
            answer = self.http.send(method, path, body, headers)
            count += 1
            with self.subTest(method=method, path=path, what=what, pointer=pointer, sent=json.dumps(body)[:200]):
                self.problem(answer, 400, pointer)
        print(f"{count} bad bodies")
        self.assertGreater(count, 1000)
        self.same(before)

    def same(self, before):
        after = self.everything()
        for path, shown in before.items():
            self.assertEqual(after[path], shown, path)

    def test_D5_text_that_is_not_JSON_is_400_at_every_operation_and_changes_nothing(self):
        before, count = self.everything(), 0
        for method, path, name in self.operations():
            body = self.bodies[name]
            for what, text in self.spoiled(body, self.schema(name)):
                answer = self.http.send(method, path, text)
                count += 1
                with self.subTest(method=method, path=path, what=what, sent=text[:80]):
                    document = self.problem(answer, 400)
                    self.assertRegex(str(document), r"\d", "the offset is named")
        print(f"{count} bad texts")
        self.same(before)

    @staticmethod
    def spoiled(body, schema):
        """Yields (fault, text): duplicate keys, texts that are not UTF-8, nesting that is too deep, faults of the whole body."""
        whole = json.dumps(body).encode()
        for field, value in body.items():
            key, text = json.dumps(field).encode(), json.dumps(value).encode()
            yield "duplicate key", whole[:-1] + b"," + key + b":" + text + b"}"
            yield "too deep", b"{" + key + b":" + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}"
            yield "too deep", b"{" + key + b":" + b"[" * DEEP + b"]" * DEEP + b"}"
            for bytes_ in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\x00"):
                yield "no UTF-8", b"{" + key + b':"' + bytes_ + b'"}'
            yield "no number", b"{" + key + b":01}"
        for text in (b"{", whole[:-1], whole + b"x", whole + whole, b"[]", b"null", b'"x"', b"\xff", b"{\xff:1}"):
            yield "no object", text

    def test_D4_unknown_and_foreign_ids_in_a_path_are_404_and_change_nothing(self):
        before = self.everything()
        for path, methods in self.document["paths"].items():
            if "{" not in path:
                continue
            for method in methods:
                for strange in (UNKNOWN, "no-id", "x" * 65, self.made["tag"] if "/tags" not in path else self.made["agent"]):
                    place = path.replace("{message_id}", strange).replace("{id}", strange if "{message_id}" not in path
                                                                           else self.made["result"])
                    for name in ("{run_id}", "{other}"):
                        place = place.replace(name, strange)
                    body = {"metadata": {}} if "{message_id}" in path else {"paused": True} if method == "put" else None
                    answer = self.http.send(method.upper(), place, body)
                    with self.subTest(method=method, place=place):
                        self.problem(answer, 404)
        self.same(before)

    def test_the_examples_are_valid(self):
        """Otherwise a faulty body could be refused for another reason."""
        for method, path, name in self.operations():
            if name == "SwitchoverBody":  # valid but refused: one server is not a cluster
                self.problem(self.http.send(method, path, self.bodies[name]), 409)
                continue
            if name != "TestResultPatch":  # a status must be the only field
                known = {field for example in self.examples_of(path, name) for field in example}
                self.assertEqual(set(self.schema(name)["properties"]) - known - {"test", "run", "before"}, set(), name)
            for example in self.examples_of(path, name):
                self.ok(self.http.send(method, path, {**example, **({"role": None} if name == "EntryBody" else {})}))


if __name__ == "__main__":
    cases.main()
