"""Keys, paths, methods, headers (D1-D4, D10-D14, D82)."""
import gzip

from support.cases import SystemTest, unique
from support.wire import Client, Wire

UNKNOWN = "01890000-0000-7000-8000-000000000000"


class Access(SystemTest):
    def anonymous(self, method, path, body=None, headers=None):
        client = Client(self.server.address)
        try:
            return client.send(method, path, body, headers)
        finally:
            client.close()

    def test_D4_a_request_without_a_key_is_401_and_says_bearer(self):
        answer = self.anonymous("GET", "/runs/")
        self.problem(answer, 401)
        self.assertTrue(answer.headers["www-authenticate"].startswith("Bearer"), answer.fields)

    def test_D80_a_wrong_key_is_401(self):
        for value in ("Bearer wrong", "Bearer " + self.server.key[:-1] + "x", "Bearer " + self.server.key + "x",
                      "Bearer", "Basic " + self.server.key, self.server.key, "Bearer  "):
            with self.subTest(value=value):
                self.problem(self.anonymous("GET", "/runs/", headers={"Authorization": value}), 401)

    def test_the_scheme_is_case_insensitive(self):
        for scheme in ("bearer", "BEARER", "BeArEr"):
            answer = self.anonymous("GET", "/runs/", headers={"Authorization": f"{scheme} {self.server.key}"})
            self.ok(answer, 200)

    def test_spaces_are_allowed_between_scheme_and_key(self):
        self.ok(self.anonymous("GET", "/runs/", headers={"Authorization": f"Bearer   {self.server.key}"}), 200)

    def test_D80_an_empty_list_of_scopes_does_not_grant_all_rights(self):
        self.problem(self.http.post("/api-keys/", {"name": "none", "scopes": []}), 400, "/scopes")
        made = self.create("/api-keys/", name="twice", scopes=["read", "read"])
        self.assertEqual(made["scopes"], ["read"])
        self.assertEqual(self.create("/api-keys/", name="all", scopes=None)["scopes"], ["read", "write", "admin"])

    def test_I69_without_a_key_every_path_and_body_gives_the_same_401(self):
        seen = set()
        for method, path, body in (("GET", "/runs/", None), ("GET", "/no/such/path", None), ("DELETE", "/runs/", None),
                                   ("GET", f"/runs/{UNKNOWN}", None), ("POST", "/scenarios/", b"{not json"),
                                   ("POST", "/runs/", {}), ("PATCH", "/test-results/%2e%2e", {"status": 1})):
            with self.subTest(path=path):
                document = self.problem(self.anonymous(method, path, body), 401)
                seen.add((document["type"], document["title"], document["detail"]))
        self.assertEqual(len(seen), 1)

    def test_D82_health_readiness_and_version_need_no_key(self):
        for path in ("/healthz", "/readyz", "/version"):
            with self.subTest(path=path):
                self.ok(self.anonymous("GET", path), 200)

    def test_D82_metrics_need_a_key(self):
        self.problem(self.anonymous("GET", "/metrics"), 401)
        self.ok_text(self.http.get("/metrics"))

    def ok_text(self, answer):
        self.assertEqual(answer.status, 200, answer)
        self.assertTrue(answer.headers["content-type"].startswith("text/plain"), answer.fields)

    def test_D1_paths_work_with_and_without_a_trailing_slash(self):
        made = self.ok(self.http.post("/scenarios", {"name": unique("slash")}), 201)
        for path in ("/scenarios", "/scenarios/", "/runs", "/runs/", "/agents", "/tests/", "/test-results",
                     f"/scenarios/{made['id']}", f"/scenarios/{made['id']}/", f"/scenarios/{made['id']}/tests/",
                     f"/scenarios/{made['id']}/tests"):
            with self.subTest(path=path):
                self.ok(self.http.get(path), 200)

    def test_D4_an_unknown_path_is_404(self):
        for path in ("/nothing", "/runs/x/y/z", "/test-results/x/conversation/y/z", "/Runs/", "/admin/nothing"):
            with self.subTest(path=path):
                self.problem(self.http.get(path), 404)

    def test_D4_an_unknown_id_in_a_path_is_404(self):
        for method, path in (("GET", "/scenarios/{}"), ("PATCH", "/scenarios/{}"), ("GET", "/scenarios/{}/tests"),
                             ("GET", "/tests/{}"), ("PATCH", "/tests/{}"), ("GET", "/agents/{}"),
                             ("PATCH", "/agents/{}"), ("GET", "/runs/{}"), ("PATCH", "/runs/{}"),
                             ("POST", "/runs/{}/cancel"), ("GET", "/runs/{}/test-results"), ("GET", "/test-results/{}"),
                             ("PATCH", "/test-results/{}"), ("POST", "/test-results/{}/retry"),
                             ("POST", "/test-results/{}/finish"), ("POST", "/test-results/{}/next-message")):
            for unknown in (UNKNOWN, "nothing", "a" * 65, "%21%21"):
                with self.subTest(method=method, path=path, id=unknown):
                    self.problem(self.http.send(method, path.format(unknown), {} if method != "GET" else None), 404)

    def test_D4_an_id_of_another_kind_of_record_is_404(self):
        scenario = self.scenario()
        for path in ("/runs/", "/test-results/", "/agents/", "/tests/"):
            self.problem(self.http.get(path + scenario["id"]), 404)

    def test_D4_a_wrong_method_is_405_with_allow(self):
        scenario = self.scenario()
        for method, path, allowed in (("DELETE", "/scenarios/", {"GET", "POST"}),
                                      ("PUT", f"/scenarios/{scenario['id']}", {"GET", "PATCH"}),
                                      ("GET", f"/test-results/{UNKNOWN}/finish", {"POST"}),
                                      ("GET", f"/test-results/{UNKNOWN}/next-message", {"POST"}),
                                      ("GET", f"/test-results/{UNKNOWN}/retry", {"POST"}),
                                      ("POST", f"/test-results/{UNKNOWN}/conversation/{UNKNOWN}", {"PATCH"})):
            with self.subTest(method=method, path=path):
                answer = self.http.send(method, path)
                self.problem(answer, 405)
                named = {word.strip() for word in answer.headers["allow"].split(",")}
                self.assertTrue(allowed <= named, answer.fields)
                self.assertNotIn(method, named)

    def test_D4_what_cannot_be_accepted_is_406(self):
        self.problem(self.http.get("/runs/", {"Accept": "text/html"}), 406)
        for accept in ("application/json;q=0, */*", "*/*, application/*;q=0.0", "*/*;q=0"):
            self.problem(self.http.get("/runs/", {"Accept": accept}), 406)
        for accept in ("*/*", "application/json", "application/*", "text/html, */*;q=0.1", "*/*;q=0, application/json"):
            self.ok(self.http.get("/runs/", {"Accept": accept}), 200)

    def test_D4_a_body_of_another_type_is_415(self):
        self.problem(self.http.post("/scenarios/", b"name=x", {"Content-Type": "text/plain"}), 415)
        self.problem(self.http.post("/scenarios/", b"name=x", {"Content-Type": "application/x-www-form-urlencoded"}),
                     415)
        for kind in ("application/json; charset=utf-8", "application/merge-patch+json", "Application/JSON"):
            self.ok(self.http.post("/scenarios/", {"name": "x"}, {"Content-Type": kind}), 201)
        self.ok(self.http.post("/scenarios/", b"", {"Content-Type": "text/plain"}), 201)

    def test_D4_a_packed_body_is_415(self):
        packed = gzip.compress(b'{"name": "x"}')
        self.problem(self.http.post("/scenarios/", packed, {"Content-Encoding": "gzip"}), 415)
        self.problem(self.http.post("/scenarios/", {"name": "x"}, {"Content-Encoding": "identity, br"}), 415)
        self.ok(self.http.post("/scenarios/", {"name": "x"}, {"Content-Encoding": "Identity"}), 201)

    def test_D12_an_entry_is_changed_under_the_tag_of_its_result(self):
        result = self.result(testInstruction="say: a")
        entry = self.entry(result, "hello")
        path = f"/test-results/{result['id']}"
        tag = self.http.get(path).headers["etag"]
        change = f"{path}/conversation/{entry['id']}"
        self.ok(self.http.patch(change, {"metadata": {"a": 1}}, {"If-Match": tag}))
        self.problem(self.http.patch(change, {"metadata": {"a": 2}}, {"If-Match": tag}), 412)
        self.problem(self.http.patch(f"{path}/conversation/{UNKNOWN}", {"metadata": {}}, {"If-Match": tag}), 404)
        self.ok(self.http.patch(change, {"metadata": {"b": 3}}, {"If-Match": "*"}))
        self.assertEqual(self.get_result(result)["conversation"][-1]["metadata"], {"a": 1, "b": 3})

    def test_D4_a_body_over_the_limit_is_413(self):
        client = self.server.client()
        body = b'{"name":"' + b"x" * (8 * 1024 * 1024) + b'"}'
        self.problem(client.post("/scenarios/", body), 413)
        client.close()

    def test_D4_a_body_with_neither_length_nor_chunking_is_empty(self):
        self.ok(self.http.post("/scenarios/", None, {"Content-Length": None}), 201)

    def test_D13_every_answer_carries_the_safe_headers_and_no_version(self):
        for answer in (self.http.get("/runs/"), self.http.get("/nothing"), self.http.post("/scenarios/", b"{"),
                       self.anonymous("GET", "/runs/")):
            self.assertEqual(answer.headers.get("x-content-type-options"), "nosniff", answer.fields)
            self.assertEqual(answer.headers.get("cache-control"), "no-store", answer.fields)
            self.assertNotRegex(answer.headers.get("server", ""), r"\d")

    def test_D2_D13_a_create_is_201_with_location(self):
        answer = self.http.post("/scenarios/", {"name": "x"})
        made = self.ok(answer, 201)
        self.assertTrue(answer.headers["location"].rstrip("/").endswith(f"/scenarios/{made['id']}"), answer.fields)

    def test_D2_D13_a_new_entry_has_a_location(self):
        result = self.result(testInstruction="say: a")
        path = f"/test-results/{result['id']}/conversation"
        for prefer in ({}, {"Prefer": "return=minimal"}, {"Idempotency-Key": "e1"}, {"Idempotency-Key": "e1"}):
            answer = self.http.post(path, {"type": "message", "content": "x"}, prefer)
            made = self.ok(answer, 201)
            entry = made["entry"] if "entry" in made else made["conversation"][-1]
            self.assertTrue(answer.headers["location"].endswith(f"{path}/{entry['id']}"), answer.fields)
            self.ok(self.http.patch(answer.headers["location"], {"metadata": {"seen": True}}))

    def test_D10_a_request_id_is_taken_over_or_made(self):
        self.assertEqual(self.http.get("/runs/", {"X-Request-Id": "abc-1"}).headers["x-request-id"], "abc-1")
        self.assertEqual(self.http.get("/runs/", {"X-Request-Id": "a" * 128}).headers["x-request-id"], "a" * 128)
        made = [self.http.get("/runs/").headers["x-request-id"] for _ in range(2)]
        self.assertNotEqual(made[0], made[1])
        for bad in ("a" * 129, "two words", "caf\xe9"):
            self.assertNotEqual(self.http.get("/runs/", {"X-Request-Id": bad}).headers["x-request-id"], bad)

    def test_D3_the_instance_of_a_problem_is_the_request_id(self):
        document = self.problem(self.http.get("/nothing", {"X-Request-Id": "here-1"}), 404)
        self.assertEqual(document["instance"], "here-1")

    def test_D14_two_authorization_headers_are_400_and_close(self):
        wire = Wire(self.server.address)
        line = f"Authorization: Bearer {self.server.key}\r\n"
        wire.send(f"GET /runs/ HTTP/1.1\r\nHost: x\r\n{line}{line}\r\n".encode())
        self.assertEqual(wire.read().status, 400)
        self.assertTrue(wire.is_closed())
        wire.close()

    def test_D14_pipelined_requests_are_answered_in_order(self):
        wire = Wire(self.server.address)
        client = self.server.client()
        wire.send(b"".join(client.encoded("GET", "/runs/?limit=1", None, {"X-Request-Id": f"n{i}"}) for i in range(9)))
        self.assertEqual([wire.read().headers["x-request-id"] for _ in range(9)], [f"n{i}" for i in range(9)])
        wire.close()

    def test_D3_the_key_is_checked_before_the_path_and_the_path_before_the_body(self):
        self.problem(self.anonymous("POST", "/nothing", b"{"), 401)
        self.problem(self.http.post("/nothing", b"{"), 404)
        self.problem(self.http.post(f"/test-results/{UNKNOWN}/conversation", {"type": "nonsense"}), 404)

    def test_D12_a_record_has_an_etag_that_answers_304(self):
        scenario = self.scenario()
        path = f"/scenarios/{scenario['id']}"
        tag = self.http.get(path).headers["etag"]
        answer = self.http.get(path, {"If-None-Match": tag})
        self.assertEqual((answer.status, answer.body), (304, b""))
        self.ok(self.http.patch(path, {"name": "other"}), 200)
        answer = self.http.get(path, {"If-None-Match": tag})
        self.assertEqual(answer.status, 200)
        self.assertNotEqual(answer.headers["etag"], tag)

    def test_D12_if_match_that_no_longer_matches_is_412(self):
        scenario = self.scenario()
        path = f"/scenarios/{scenario['id']}"
        tag = self.http.get(path).headers["etag"]
        self.ok(self.http.patch(path, {"name": "first"}, {"If-Match": tag}), 200)
        self.problem(self.http.patch(path, {"name": "second"}, {"If-Match": tag}), 412)
        self.assertEqual(self.ok(self.http.get(path))["name"], "first")
