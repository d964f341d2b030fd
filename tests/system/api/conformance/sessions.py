"""Sessions of the page: both halves are needed; writes are accepted only from the server's own pages (D115)."""
from support.cases import SystemTest, unique

# The rate limiter counts failures by address, and all tests share one address: each test may fail only once.


class Sessions(SystemTest):
    def signed_in(self, body):
        client = self.server.client(key="")
        self.addCleanup(client.close)
        answer = client.send("POST", "/session", body, {"Authorization": None})
        return client, answer

    def half_and_half(self, answer):
        cookie = answer.headers["set-cookie"].split(";")[0]
        return {"Authorization": None, "Cookie": cookie, "X-Parley-Page": answer.json()["page"]}

    def test_D115_a_session_needs_both_halves(self):
        client, answer = self.signed_in({"key": self.server.key})
        self.assertEqual(answer.status, 200, answer)
        self.assertIn("HttpOnly; SameSite=Strict", answer.headers["set-cookie"])
        self.assertEqual((answer.json()["right"], answer.json()["user"]["role"]), ("admin", "admin"))
        both = self.half_and_half(answer)
        self.ok(client.send("GET", "/runs", None, both), 200)
        for half in ("Cookie", "X-Parley-Page"):
            refused = client.send("GET", "/runs", None, {**both, half: None})
            self.problem(refused, 401)
        self.assertEqual(client.send("GET", "/session", None, both).json()["user"]["id"], answer.json()["user"]["id"])

    def test_D115_a_session_writes_from_the_servers_own_pages(self):
        client, answer = self.signed_in({"key": self.server.key})
        both = self.half_and_half(answer)
        body, own = {"name": unique("f")}, "http://%s:%s" % self.server.address
        for origin in (None, "http://127.0.0.1:1", "null"):
            self.problem(client.send("POST", "/folders", body, {**both, "Origin": origin}), 403)
        self.ok(client.send("POST", "/folders", body, {**both, "Origin": own}), 201)
        self.assertEqual(client.send("DELETE", "/session", None, {**both, "Origin": own}).status, 204)
        self.problem(client.send("GET", "/runs", None, both), 401)

    def test_D115_a_code_signs_in_once(self):
        code = self.ok(self.http.post("/session/codes"))["code"]
        self.assertEqual(self.signed_in({"code": code})[1].status, 200)
        self.problem(self.signed_in({"code": code})[1], 401)

    def test_D115_a_sign_in_has_either_a_key_or_a_code(self):
        self.problem(self.signed_in({})[1], 400)
        self.problem(self.signed_in({"key": "a", "code": "b"})[1], 400)
