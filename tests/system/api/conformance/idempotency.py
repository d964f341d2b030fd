"""Idempotency-Key (D9): each POST takes effect once; a repeat returns the current record."""
import threading
import uuid

from support.cases import SystemTest, unique


def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


class Idempotency(SystemTest):
    def twice(self, path, body=None, status=201, **headers):
        """Sends the same request twice with one key, checks both statuses, and returns (first answer, replay)."""
        fields = {**key(), **headers}
        first = self.http.post(path, body, fields)
        self.assertEqual(first.status, status, first)
        self.assertNotIn("idempotency-replayed", first.headers)
        again = self.http.post(path, body, fields)
        self.assertEqual(again.status, status, again)
        self.assertEqual(again.headers.get("idempotency-replayed"), "true")
        self.assertEqual(again.headers.get("location"), first.headers.get("location"))
        return first.json(), again.json()

    def total(self, path):
        return self.ok(self.http.get(path))["total"]

    def test_D9_every_collection_creates_once(self):
        agent, scenario = self.any_agent(), self.scenario()
        rows = {"/scenarios/": {}, "/tests/": {"scenario": scenario["id"], "instruction": "say: a"},
                "/agents/": {"type": "EXTERNAL"}, "/personalities/": {}, "/folders/": {}, "/run-groups/": {},
                "/tags/": {}, "/scenario-configurations/": {}, "/users/": {}, "/api-keys/": {},
                "/scheduled-runs/": {"scenario": scenario["id"], "agent": agent["id"], "cron": "0 0 1 1 *"},
                "/external-conversation-logs/": {"externalId": unique("log"), "conversation": []},
                "/runs/": {"scenario": scenario["id"], "agent": agent["id"], "status": "new"},
                "/test-results/": {"agent": agent["id"], "testInstruction": "say: a"}}
        for path, body in rows.items():
            with self.subTest(path=path):
                if path != "/test-results/" and path != "/runs/":
                    body = {"name": unique("n"), **body}
                before = self.total(path)
                first, again = self.twice(path, body)
                self.assertEqual(self.total(path), before + 1)
                first.pop("key", None)  # the text of an API key is shown only once
                self.assertEqual(again, first)
                self.assertEqual(again, self.ok(self.http.get(path + again["id"])))

    def test_D9_a_repeat_shows_the_record_as_it_is_now(self):
        fields, body = key(), {"name": unique("old")}
        made = self.ok(self.http.post("/scenarios/", body, fields), 201)
        self.ok(self.http.patch("/scenarios/" + made["id"], {"name": "new"}))
        again = self.http.post("/scenarios", body, fields)
        self.assertEqual((again.status, again.json()["name"]), (201, "new"))

    def test_D5_D9_an_empty_body_and_an_empty_object_are_one_body_and_a_path_has_one_spelling(self):
        fields = key()
        first = self.http.post("/%66olders/", b"", fields)
        made = self.ok(first, 201)
        self.assertEqual(first.headers["location"], f"/folders/{made['id']}")
        for path in ("/folders/", "/folder%73"):
            again = self.http.post(path, {}, fields)
            self.assertEqual((again.status, again.headers.get("idempotency-replayed")), (201, "true"))
            self.assertEqual(again.json()["id"], made["id"])

    def test_D9_another_body_is_422_and_another_path_another_request(self):
        fields = key()
        self.ok(self.http.post("/folders/", {"name": "a"}, fields), 201)
        self.problem(self.http.post("/folders/", {"name": "b"}, fields), 422)
        self.problem(self.http.post("/folders/", {}, fields), 422)
        self.ok(self.http.post("/tags/", {"name": "a"}, fields), 201)

    def test_D9_another_user_has_keys_of_his_own(self):
        fields = key()
        user = self.create("/users/", name=unique("u"), role="member")
        text = self.create("/api-keys/", name="k", user=user["id"])["key"]
        mine = self.ok(self.http.post("/folders/", {"name": "a"}, fields), 201)
        other = self.server.client(key=text)
        self.addCleanup(other.close)
        self.assertNotEqual(self.ok(other.post("/folders/", {"name": "a"}, fields), 201)["id"], mine["id"])

    def test_D9_only_success_is_kept(self):
        fields = key()
        path = f"/test-results/{self.result(testInstruction='say: a')['id']}"
        self.problem(self.http.post(path + "/finish", headers=fields), 400)
        self.ok(self.http.patch(path, {"completionMode": "manual"}))
        self.ok(self.http.post(path + "/next-message"))
        self.ok(self.http.post(path + "/conversation", {"content": "x"}))
        self.ok(self.http.post(path + "/next-message"))
        self.assertNotIn("idempotency-replayed", self.http.post(path + "/finish", headers=fields).headers)

    def test_D9_a_key_must_be_visible_ascii_of_1_to_255(self):
        for text in ("", "a b", "k" * 256, "caf\xe9"):
            answer = self.http.post("/folders/", {"name": "f"}, {"Idempotency-Key": text})
            self.problem(answer, 400, parameter="Idempotency-Key")
        self.ok(self.http.post("/folders/", {"name": "f"}, {"Idempotency-Key": "k" * 255}), 201)

    def test_D9_a_turn_is_repeated_and_never_made_again(self):
        made = self.result(testInstruction="say: a\nsay: b")
        path = f"/test-results/{made['id']}/next-message"
        first, again = self.twice(path, None, 200)
        self.assertEqual(first, again)
        fields = key()
        repeat = self.ok(self.http.post(path, headers=fields), 200)  # D47: the unanswered turn is repeated
        self.assertEqual(repeat, first)
        self.entry(made, "x")
        later = self.http.post(path, headers=fields)
        self.assertEqual((later.json(), later.headers.get("idempotency-replayed")), (first, "true"))
        self.assertEqual(self.turn(made)["message"], "b")
        self.entry(made, "y")
        end, end_again = self.twice(path, None, 200)
        self.assertEqual((end["end_chat"], end_again), (True, end))

    def test_D9_an_entry_is_recorded_once(self):
        made = self.result(testInstruction="say: a")
        path = f"/test-results/{made['id']}/conversation"
        first, again = self.twice(path, {"content": "x"})
        self.assertEqual(first, again)
        self.assertEqual(len(again["conversation"]), 1)
        first, again = self.twice(path, {"content": "x"}, Prefer="return=minimal")
        self.assertEqual(first, again)
        self.assertEqual(len(self.get_result(made)["conversation"]), 2)

    def test_D9_finish_retry_and_cancel(self):
        scenario, agent = self.scenario(), self.agent()
        test = self.a_test(scenario)
        run = self.a_run(scenario, agent)
        made = self.result(agent, run=run["id"], test=test["id"], completionMode="manual")
        self.converse(made)
        self.twice(f"/test-results/{made['id']}/finish", None, 202)
        self.settled(made)
        first, again = self.twice(f"/test-results/{made['id']}/retry")
        self.assertEqual(first["id"], again["id"])
        rows = self.ok(self.http.get(f"/runs/{run['id']}/test-results"))["data"]
        self.assertEqual([row["id"] for row in rows], [first["id"]])
        self.assertEqual(self.ok(self.http.get(f"/runs/{run['id']}/test-results?retired=all"))["total"], 2)
        first, again = self.twice(f"/runs/{run['id']}/cancel", None, 200)
        self.assertEqual((first["status"], again), ("canceled", first))

    def test_D9_a_heartbeat_is_answered_what_it_still_holds(self):
        body = {"name": "r", "unique_identifier": unique("runner")}
        first, again = self.twice("/agents/local", body, 200)
        self.assertEqual(first, again)
        agent = {"id": first["agent_id"]}
        made = [self.result(agent, testInstruction="say: a")["id"] for _ in range(3)]
        fields = key()
        work = self.ok(self.http.post("/agents/local", body, fields), 200)
        self.assertEqual(work["test_result_ids"], made)
        self.result(agent, testInstruction="say: a")
        self.ok(self.http.post("/agents/local", body), 200)  # the runner now holds a fourth result
        self.assertEqual(self.ok(self.http.post("/agents/local", body, fields), 200), work)
        self.turn({"id": made[1]})
        again = self.ok(self.http.post("/agents/local", body, fields), 200)
        self.assertEqual(again["test_result_ids"], [made[0], made[2]])

    def test_D9_concurrent_repeats_have_one_effect(self):
        for _ in range(20):
            fields, body = key(), {"name": unique("n")}
            answers = []

            def post():
                client = self.server.client()
                answers.append(client.post("/folders/", body, fields))
                client.close()
            threads = [threading.Thread(target=post) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertLessEqual({answer.status for answer in answers}, {201, 409})
            made = [answer for answer in answers if answer.status == 201]
            self.assertEqual(len({answer.json()["id"] for answer in made}), 1)
            self.assertEqual(len([a for a in made if "idempotency-replayed" not in a.headers]), 1)
            self.assertEqual(self.total(f"/folders/?name={body['name'].replace(' ', '%20')}"), 1)

    def test_D12_one_of_many_patches_with_one_etag_passes(self):
        scenario = self.scenario()
        run = self.a_run(scenario, self.any_agent())
        rows = [(f"/scenarios/{scenario['id']}", "name"), (f"/runs/{run['id']}", "result"),
                (f"/test-results/{self.result(testInstruction='say: a')['id']}", "metadata")]
        for path, field in rows:
            for _ in range(10):
                tag = self.http.get(path).headers["etag"]
                answers = []

                def patch(number):
                    client = self.server.client()
                    value = unique("n") if field == "name" else {"n": unique("n"), "by": number}
                    answers.append(client.patch(path, {field: value}, {"If-Match": tag}).status)
                    client.close()
                threads = [threading.Thread(target=patch, args=(number,)) for number in range(6)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(sorted(answers), [200] + [412] * 5, path)
