#!/usr/bin/env python3
"""The OpenAPI document against the running service: linted, valid, complete, correct, and usable for a generated client.

scripts/setup installs the tools of tests/openapi/package.json. PARLEY_EXCHANGES names a file with the exchanges of the
conformance tests; without it, this test runs the conformance tests itself."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import cases
from support.cases import SystemTest, unique

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parents[1] / "openapi"
MODULES = TOOLS / "node_modules"
# Removed from the environment: the requests of this file are not exchanges of the conformance tests.
EXCHANGES = os.environ.pop("PARLEY_EXCHANGES", None)
METHODS = ("get", "post", "put", "patch", "delete")


class OpenApi(SystemTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-openapi-"))
        cls.file = cls.folder / "openapi.json"
        answer = cls.http.get("/openapi.json")
        cls.file.write_bytes(answer.body)
        cls.document = answer.json()
        (cls.folder / "node_modules").symlink_to(MODULES)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        super().setUp()
        self.http.close()  # the server may have closed the connection while the tools of the previous test ran

    def tool(self, *command, **options):
        """The output of a tool. If the tool fails, so does the test."""
        environment = {**os.environ, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300,
                              env=environment, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{command[0]}:\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def node(self, script, *arguments):
        return self.tool("node", TOOLS / script, *arguments)

    def base(self):
        return f"http://{self.server.address[0]}:{self.server.address[1]}"

    def operations(self):
        return {(method, path) for path, item in self.document["paths"].items() for method in METHODS if method in item}

    def test_the_document_is_clean_and_valid(self):
        printed = self.tool(MODULES / ".bin/redocly", "lint", "--format=json", f"--config={TOOLS}/redocly.yaml", self.file)
        problems = json.loads(printed)["problems"]
        self.assertEqual([], [(each["ruleId"], each["message"], each["location"][0].get("pointer")) for each in problems])
        self.node("valid.mjs", self.file)

    def test_a_generated_client_compiles_and_runs_the_client_loop(self):
        shutil.copy(TOOLS / "client.ts", self.folder)
        (self.folder / "package.json").write_text('{"type": "module"}')
        self.tool(MODULES / ".bin/openapi-typescript", self.file, "-o", self.folder / "api.d.ts")
        self.tool(MODULES / ".bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module",
                  "nodenext", "--skipLibCheck", "--lib", "es2022,dom,dom.iterable", "client.ts",
                  cwd=self.folder)
        self.tool("node", self.folder / "client.js", self.base(), self.server.key)

    def test_every_answer_of_the_conformance_tests_is_as_described(self):
        exchanges = EXCHANGES
        if not exchanges or not os.path.exists(exchanges):
            exchanges = self.folder / "exchanges.jsonl"
            environment = {**os.environ, "PARLEY_EXCHANGES": str(exchanges)}
            subprocess.run([sys.executable, HERE / "conformance_test.py"], env=environment, check=True, timeout=300)
        swept = self.folder / "swept.jsonl"
        self.sweep(swept)
        print(self.node("responses.mjs", self.file, exchanges, swept).strip())

    def sweep(self, file):
        """Records every operation on the plain records: responses.mjs requires an exchange of each operation."""
        os.environ["PARLEY_EXCHANGES"] = str(file)
        self.http.close()  # the server has closed the connection, which was idle for too long
        try:
            for path in ("/docs", "/openapi.json", "/metrics", "/version"):
                self.assertEqual(self.http.get(path).status, 200)
            scenario, agent = self.scenario(), self.agent()
            for collection, body in self.plain_records(scenario, agent):
                self.sweep_records(collection, body)
            self.ok(self.http.post(f"/agents/{self.agent(type='DEMO')['id']}/check"), 200)
            webhook = self.create("/webhooks/", url="http://127.0.0.1:9/")["id"]
            self.ok(self.http.post(f"/webhooks/{webhook}/test"), 202)
            self.wait_for(lambda: self.ok(self.http.get(f"/webhooks/{webhook}/deliveries"))["data"])
            self.assertEqual(self.http.send("DELETE", f"/webhooks/{webhook}").status, 204)
            self.ok(self.http.post("/v1/traces", {}), 200)
            a_test = self.a_test(scenario, "say: hi")
            run = self.a_run(scenario, agent, repetitions=2)
            for _ in range(2):
                self.converse(self.result(agent, run=run["id"], test=a_test["id"]))
            self.ok(self.http.get(f"/runs/{run['id']}/repetitions"))
            self.ok(self.http.post("/apply", {"project": "sweep", "personalities": [
                {"key": "hasty", "name": "hasty", "instruction": "Short sentences."}]}))
            self.assertLess(self.http.send("DELETE", f"/sessions?user={self.create('/users', name=unique('u'), role='viewer')['id']}").status, 300)
            self.a_run(scenario, agent, **self.nulls("runs"))
            self.create("/tests", **{**self.nulls("tests"), "scenario": scenario["id"]})
            self.result(agent, **self.nulls("test-results"))
        finally:
            del os.environ["PARLEY_EXCHANGES"]

    @staticmethod
    def plain_records(scenario, agent):
        return [
            ("personalities", {"name": unique("p"), "description": "d", "instruction": "i"}),
            ("folders", {"name": unique("f")}),
            ("run-groups", {"name": unique("g"), "description": "d"}),
            ("tags", {"name": unique("t"), "color": "#aabbcc", "isSmart": True, "rule": {
                "match": "any", "conditions": [{"field": "metadata", "pointer": "/a", "op": "equals", "value": 1}]}}),
            ("tags", {"name": unique("t"), "color": "#aabbcc"}),
            ("scenario-configurations", {"name": unique("c"), "scenarioFields": [
                {"key": "city", "label": "City", "type": "select", "options": ["A", "B"], "default": "A"}],
                "testFields": [{"key": "n", "label": "N", "type": "number", "required": True}]}),
            ("scheduled-runs", {"name": unique("s"), "scenario": scenario["id"], "agent": agent["id"], "cron": "0 3 * * *",
                                "timezone": "Europe/Berlin", "isEnabled": True}),
            ("external-conversation-logs", {"externalId": unique("log"), "externalSource": "sweep", "conversation": [
                {"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"},
                {"type": "tool", "name": "look", "metadata": {"arguments": {}}}]}),
            ("users", {"name": unique("u"), "role": "viewer"}),
            ("webhooks", {"url": "http://127.0.0.1:9/", "secret": "s", "isEnabled": False}),
            ("api-keys", {"name": unique("k")}),
            ("scenarios", {"name": unique("s")}),
            ("agents", {"name": unique("a"), "type": "EXTERNAL", "secrets": {"token": "x"}}),
        ]

    def nulls(self, collection):
        """Every optional field of a body of the collection, set to null, which equals leaving the field out (D5)."""
        schema = self.document["components"]["schemas"][
            self.document["paths"][f"/{collection}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
            ["$ref"].rpartition("/")[2]]
        return {name: None for name in schema["properties"] if name not in schema.get("required", ())}

    def sweep_records(self, collection, body):
        made = self.create(f"/{collection}", **{**self.nulls(collection), **body})
        path = f"/{collection}/{made['id']}"
        for query in ("", "?output=minimal", "?archived=true", "?sortBy=updatedAt&sortOrder=asc"):
            self.ok(self.http.get(f"/{collection}{query}"), 200)
        answer = self.http.get(path)
        self.ok(answer, 200)
        self.assertEqual(self.http.get(path, {"If-None-Match": answer.headers["etag"]}).status, 304)
        if collection == "api-keys":
            self.assertEqual(self.http.send("DELETE", path).status, 204)
        else:
            self.ok(self.http.patch(path, {"isArchived": True}), 200)
        self.http.get(f"/{collection}/nobody")

    def test_the_service_takes_exactly_the_methods_that_are_described(self):
        for path, item in self.document["paths"].items():
            described = {method.upper() for method in METHODS if method in item}
            if "GET" in described:
                described.add("HEAD")
            with self.subTest(path=path):
                answer = self.http.send("OPTIONS", path.replace("{", "").replace("}", ""))
                self.assertEqual(answer.status, 204, answer)
                allowed = set(answer.headers["allow"].split(", "))
                # A literal path such as /agents/local also matches a template, whose methods are described there.
                for other in self.document["paths"]:
                    if other != path and self.is_reading_of(path, other):
                        described |= {method.upper() for method in METHODS if method in self.document["paths"][other]}
                        described |= {"HEAD"} if "GET" in described else set()
                self.assertEqual(allowed, described | {"OPTIONS"})

    def test_D3_a_refused_deletion_suggests_archiving_exactly_where_that_is_possible(self):
        told = set()
        for path, item in self.document["paths"].items():
            answer = self.http.send("DELETE", path.replace("{", "").replace("}", "")) if "delete" not in item else None
            if answer and answer.status == 405 and "isArchived" in self.problem(answer, 405)["detail"]:
                told.add(path)
        schemas = self.document["components"]["schemas"]
        wanted = set()
        for path, item in self.document["paths"].items():
            if "patch" in item and "delete" not in item:
                body = item["patch"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                wanted |= {path} if "isArchived" in schemas[body]["properties"] else set()
        self.assertEqual(told, wanted | ({"/agents/local", "/agents/check"} & told))   # these paths also match /agents/{id}
        self.assertGreater(len(wanted), 5)

    @staticmethod
    def is_reading_of(literal, template):
        parts, others = literal.split("/"), template.split("/")
        return len(parts) == len(others) and all(b.startswith("{") or a == b for a, b in zip(parts, others))

    def test_D82_the_page_of_docs_works_in_a_browser_and_fetches_nothing_from_elsewhere(self):
        self.node("docs_page.mjs", self.base(), self.server.key)
        self.problem(self.http.get("/docs", {"Accept": "application/json"}), 406)
        self.assertEqual(self.http.get("/docs/", {"Accept": "text/html"}).status, 200)


if __name__ == "__main__":
    if not MODULES.is_dir() or not shutil.which("node"):
        sys.exit("the tools of tests/openapi are not installed; run scripts/setup")
    cases.main()
