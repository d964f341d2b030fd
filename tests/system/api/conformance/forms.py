"""The form of answers: gzip, origins, traces (D10, D12, D13); and the last use that a request records in its key (D80)."""
import gzip
import json
import time

from support.cases import SystemTest, unique

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


class Forms(SystemTest):
    def big(self):
        return self.scenario(description="d" * 5000)

    def test_an_answer_is_packed_for_clients_that_accept_it(self):
        path = f"/scenarios/{self.big()['id']}"
        plain = self.http.get(path)
        packed = self.http.get(path, {"Accept-Encoding": "br;q=1, gzip;q=0.5"})
        self.assertEqual(packed.headers.get("content-encoding"), "gzip", packed.fields)
        self.assertEqual(json.loads(gzip.decompress(packed.body)), plain.json())
        self.assertNotIn("content-encoding", plain.headers)
        self.assertNotEqual(packed.headers["etag"], plain.headers["etag"])
        for answer in (plain, packed):
            self.assertIn("accept-encoding", answer.headers["vary"].lower())
        self.assertNotIn("content-encoding", self.http.get(path, {"Accept-Encoding": "gzip;q=0, *"}).headers)
        self.assertNotIn("content-encoding", self.http.get("/healthz", {"Accept-Encoding": "gzip"}).headers)

    def test_D12_the_tag_of_the_packed_form_works_in_conditions(self):
        path = f"/scenarios/{self.big()['id']}"
        tag = self.http.get(path, {"Accept-Encoding": "gzip"}).headers["etag"]
        again = self.http.get(path, {"If-None-Match": tag, "Accept-Encoding": "gzip"})
        self.assertEqual((again.status, again.body, again.headers["etag"]), (304, b"", tag))
        self.ok(self.http.patch(path, {"name": unique("renamed")}, {"If-Match": tag}), 200)
        self.problem(self.http.patch(path, {"name": unique("renamed")}, {"If-Match": tag}), 412)

    def test_HEAD_reports_the_length_of_the_packed_form(self):
        path = f"/scenarios/{self.big()['id']}"
        length = len(self.http.get(path, {"Accept-Encoding": "gzip"}).body)
        head = self.http.send("HEAD", path, None, {"Accept-Encoding": "gzip"})
        self.assertEqual((head.status, head.headers["content-length"]), (200, str(length)))

    def test_no_page_of_another_origin_may_read_anything_by_default(self):
        answer = self.http.get("/runs/", {"Origin": "https://app.example"})
        self.assertFalse([name for name in answer.headers if name.startswith("access-control-")], answer.fields)

    def test_D10_a_valid_trace_is_logged_and_a_bad_one_is_not(self):
        self.ok(self.http.get("/version", {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}), 200)
        self.ok(self.http.get("/version", {"traceparent": f"00-{TRACE[::-1]}-00f067aa0ba902b7-01-"}), 200)
        log = self.server.told()
        self.assertIn(f"trace={TRACE}", log)
        self.assertNotIn(TRACE[::-1], log)

    def test_D80_the_last_use_of_a_key_is_noted_once_a_minute(self):
        made = self.create("/api-keys/", name=unique("key"))
        self.assertIsNone(made["lastUsedAt"])
        user = self.server.client(key=made["key"])
        self.ok(user.get("/runs/"), 200)
        read = lambda: self.ok(self.http.get(f"/api-keys/{made['id']}"))
        self.wait_for(lambda: read()["lastUsedAt"] is not None)  # the server records it in the background
        first = read()
        self.assertEqual(self.ok(self.http.get("/api-keys/?limit=1000"))["data"][0], first)
        time.sleep(0.6)  # longer than the server caches the owner of a key
        self.ok(user.get("/runs/"), 200)
        self.assertEqual(self.ok(self.http.get(f"/api-keys/{made['id']}")), first)
        user.close()


class Origins(SystemTest):
    options = ("--cors-origins", "https://app.example, http://localhost:3000")

    def test_a_listed_origin_is_allowed_to_read(self):
        for origin, allowed in (("https://app.example", "https://app.example"), ("https://app.example.evil", None),
                                ("http://localhost:3000", "http://localhost:3000"), ("null", None)):
            with self.subTest(origin=origin):
                answer = self.http.get("/runs/", {"Origin": origin})
                self.assertEqual(answer.headers.get("access-control-allow-origin"), allowed)
                self.assertIn("origin", answer.headers["vary"].lower())
                self.assertNotIn("access-control-allow-credentials", answer.headers)

    def test_a_preflight_needs_no_key(self):
        asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST", "Authorization": None,
                 "Access-Control-Request-Headers": "authorization, content-type"}
        answer = self.http.send("OPTIONS", "/runs/", None, asked)
        self.assertEqual((answer.status, answer.body), (204, b""))
        self.assertIn("POST", answer.headers["access-control-allow-methods"])
        self.assertIn("authorization", answer.headers["access-control-allow-headers"].lower())
        refused = self.http.send("OPTIONS", "/runs/", None, {**asked, "Origin": "https://other.example"})
        self.problem(refused, 401)
