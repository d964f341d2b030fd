#!/usr/bin/env python3
"""Every operation of the service against keys that may not (D80; API1, API2, API5 of reliability.md 5.6): a key without the
right is 403 whatever it names and changes nothing, no valid key is 401, and what is another user's is as unknown as what is
not there. Which right an operation needs stands here a second time, apart from the table of routes."""
import re
import uuid

from support import cases
from support.cases import SystemTest, unique

OPEN = {"/healthz", "/readyz", "/version", "/openapi.json", "/docs"}
ADMINS = re.compile(r"PUT /admin/scoring|\w+ /users.*|DELETE /(runs|test-results|external-conversation-logs)/\{id\}")
METHODS = ("get", "post", "put", "patch", "delete")


def needed(method, path):
    if path in OPEN:
        return "none"
    if ADMINS.fullmatch(f"{method} {path}"):
        return "admin"
    return "read" if method == "GET" else "write"


class Rights(SystemTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paths = cls.http.get("/openapi.json").json()["paths"]
        cls.operations = sorted((method.upper(), path) for path, one in paths.items() for method in one if method in METHODS)

    def client_of(self, role, scopes):
        user = self.create("/users/", name=unique("u"), role=role)
        made = self.create("/api-keys/", name=unique("k"), user=user["id"], scopes=scopes)
        client = self.server.client(key=made["key"])
        self.addCleanup(client.close)
        return client, made

    def state(self):
        """All that can be listed, and whether scoring goes on."""
        return {path: self.ok(self.http.get(f"{path}?limit=1000"))
                for method, path in self.operations if method == "GET" and "{" not in path
                and path not in OPEN | {"/metrics"}}

    def records(self):
        """A record for each parameter of a path, so that nothing but the right is missing."""
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        result = self.result(agent, run=run["id"], test=test["id"])
        entry = self.entry(result, "fine")
        log = self.create("/external-conversation-logs/", externalId=unique("x"), conversation=[])
        by_kind = {"scenarios": scenario, "agents": agent, "tests": test, "runs": run, "test-results": result,
                   "external-conversation-logs": log}

        def filled(path):
            own = by_kind.get(path.split("/")[1])
            path = path.replace("{id}", own["id"] if own else str(uuid.uuid4())).replace("{run_id}", run["id"])
            return path.replace("{message_id}", entry["id"]).replace("{other}", run["id"])
        return filled

    def test_API5_every_operation_refuses_a_key_without_its_right_and_changes_nothing(self):
        self.assertGreater(len(self.operations), 70)
        filled = self.records()
        reads, _ = self.client_of("member", ["read"])
        viewer, _ = self.client_of("viewer", ["read"])
        writes, _ = self.client_of("member", ["read", "write"])
        before = self.state()
        refused = 0
        for method, path in self.operations:
            lacking = {"none": (), "read": (), "write": (reads, viewer), "admin": (reads, viewer, writes)}
            for client in lacking[needed(method, path)]:
                with self.subTest(operation=f"{method} {path}"):
                    for body in (None, {}, {"name": "n"}):
                        self.problem(client.send(method, filled(path), body), 403)
                        refused += 1
        self.assertGreater(refused, 200)
        after = self.state()
        for path, rows in before.items():
            if path != "/api-keys":   # their last use is noted
                self.assertEqual(after[path], rows, path)
        self.assertEqual([key["id"] for key in after["/api-keys"]["data"]], [key["id"] for key in before["/api-keys"]["data"]])

    def test_API5_a_key_with_the_right_is_let_in(self):
        filled = self.records()
        writes, _ = self.client_of("member", ["read", "write"])
        for method, path in self.operations:
            if needed(method, path) == "read":
                with self.subTest(operation=path):
                    self.assertIn(writes.get(filled(path)).status, (200, 404), path)
        self.ok(writes.post("/scenarios/", {"name": "s"}), 201)

    def test_API2_no_valid_key_is_401_everywhere(self):
        filled = self.records()
        revoked, made = self.client_of("member", ["read", "write"])
        self.assertEqual(self.http.send("DELETE", f"/api-keys/{made['id']}").status, 204)
        wrong = self.server.client(key=self.server.key[:-1] + "x")
        self.addCleanup(wrong.close)
        for method, path in self.operations:
            if needed(method, path) != "none":
                for client in (revoked, wrong):
                    with self.subTest(operation=f"{method} {path}"):
                        self.problem(client.send(method, filled(path), {}), 401)

    def test_API1_what_is_another_users_is_as_unknown_as_what_is_not_there(self):
        member, _ = self.client_of("member", ["read", "write"])
        other, theirs = self.client_of("member", ["read", "write"])
        unfiled = self.ok(other.post("/scenarios/", {"name": unique("theirs")}), 201)
        nobodys = str(uuid.uuid4())
        for method in ("GET", "DELETE"):
            with self.subTest(method=method):
                seen = [self.problem(member.send(method, f"/api-keys/{one}"), 404) for one in (theirs["id"], nobodys)]
                plain = [{**document, "instance": "", "detail": document["detail"].replace(one, "")}
                         for document, one in zip(seen, (theirs["id"], nobodys))]
                self.assertEqual(plain[0], plain[1])
        self.ok(other.get("/scenarios/"), 200)   # the key is not revoked
        self.assertNotIn(theirs["id"], [one["id"] for one in self.ok(member.get("/api-keys?limit=1000"))["data"]])
        self.assertNotIn(unfiled["id"], [one["id"] for one in self.ok(member.get("/scenarios?limit=1000"))["data"]])


if __name__ == "__main__":
    cases.main()
