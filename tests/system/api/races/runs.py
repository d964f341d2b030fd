"""Runs and concurrent requests (rows 43, 48, 55, 56, 58), one key twice (row 62), and readers with writers (row 64)."""
from support.cases import state_of
from support.racing import RacingTest


class RunRaces(RacingTest):
    def test_43_the_last_verdict_and_a_retry_of_another(self):
        for _ in self.rounds():
            run, first = self.in_run("C")
            last = self.in_state("W", agent=self.agent_, run=run["id"], test=self.test_["id"], assertionResults=[])
            finish, retry = self.race(self.operation("FI", last), self.operation("RT", first))
            self.ok(finish, 202)
            self.ok(retry, 201)
            self.assertEqual(state_of(self.finally_(last)), "C")
            after = self.run_becomes(run, "running")
            self.assertEqual((after["result"]["pending"], after["result"]["completed"]), (1, 1))

    def test_48_a_clone_plays_the_stored_case_even_if_the_test_changes(self):
        for number in self.rounds():
            run, made = self.in_run("C")
            change = {"instruction": f"say: new {number}"} if number % 2 else {"isArchived": number % 4 == 0}
            retry, edit = self.race(self.operation("RT", made), ("PATCH", f"/tests/{self.test_['id']}", change))
            self.ok(edit, 200)
            self.assertEqual(self.ok(retry, 201)["testInstruction"], made["testInstruction"])
            self.ok(self.http.patch(f"/tests/{self.test_['id']}", {"instruction": "say: a\nsay: b\nsay: c",
                                                                   "isArchived": False}), 200)

    def test_55_closing_a_run_and_a_new_result(self):
        for number in self.rounds():
            run, _ = self.in_run("C")
            word = "completed" if number % 2 else "failed"
            body = {"run": run["id"], "test": self.test_["id"], "agent": self.agent_["id"]}
            close, post = self.race(("PATCH", f"/runs/{run['id']}", {"status": word}), ("POST", "/test-results/", body))
            after = self.get_run(run)
            if close.status == 409:  # the result was created first
                self.ok(post, 201)
                self.assertEqual(after["status"], "running")
            else:
                self.ok(close, 200)
                self.assertEqual((post.status, after["status"]),
                                 (201, "running") if word == "completed" else (409, "failed"))

    def test_56_of_patches_of_a_run_canceled_wins(self):
        for number in self.rounds():
            run = self.a_run(self.scenario_, self.agent_, "new")
            words = ["pending", "running", "canceled", "canceled"]
            answers = self.race(*[("PATCH", f"/runs/{run['id']}", {"status": word}) for word in words])
            self.assertEqual(self.statuses(answers)[2:], [200, 200])
            self.assertLessEqual(set(self.statuses(answers)), {200, 409})
            self.assertEqual(self.get_run(run)["status"], "canceled")
            self.problem(self.patch_run(run, status="running"), 409)

    def test_58_new_results_and_an_agent_that_is_disabled(self):
        for _ in self.rounds():
            agent = self.agent()
            *posts, disable = self.race(*[("POST", "/test-results/", {"agent": agent["id"]})] * 3,
                                        ("PATCH", f"/agents/{agent['id']}", {"isEnabled": False}))
            self.ok(disable, 200)
            self.assertLessEqual(set(self.statuses(posts)), {201, 409})
            total = self.ok(self.http.get(f"/test-results/?agent={agent['id']}"))["total"]
            self.assertEqual(total, self.statuses(posts).count(201))
            self.problem(self.http.post("/test-results/", {"agent": agent["id"]}), 409)

    def test_62_one_key_sent_twice_at_once(self):
        for number in self.rounds():
            run, made = self.in_run("R")
            key = {"Idempotency-Key": f"race-{run['id']}", "Prefer": "return=minimal"}
            request = (("POST", f"/test-results/{made['id']}/conversation", {"content": "once"}, key),
                       ("POST", "/test-results/", {"run": run["id"], "test": self.test_["id"], "agent": self.agent_["id"]}, key),
                       ("POST", f"/runs/{run['id']}/cancel", None, key))[number % 3]
            before = self.ids_of(made)
            answers = self.race(*[request] * 5)
            good = 200 if number % 3 == 2 else 201
            self.assertLessEqual(set(self.statuses(answers)), {good, 409})
            done = [answer for answer in answers if answer.status == good]
            self.assertTrue(done)
            first = [answer for answer in done if "idempotency-replayed" not in answer.headers]
            self.assertEqual(len(first), 1)
            self.assertEqual({answer.json().get("id") or answer.json()["entry"]["id"] for answer in done},
                             {first[0].json().get("id") or first[0].json()["entry"]["id"]})
            self.assertEqual(len(self.ids_of(made)) - len(before), int(number % 3 == 0))
            self.assertEqual(self.get_run(run)["result"]["total"], 2 if number % 3 == 1 else 1)

    def test_64_a_list_is_one_moment(self):
        for _ in self.rounds():
            run = self.a_run(self.scenario_, self.agent_, repetitions=4)
            made = [self.in_state("W", agent=self.agent_, run=run["id"], test=self.test_["id"], assertionResults=[])
                    for _ in range(3)]
            listing = ("GET", f"/runs/{run['id']}/test-results?limit=2&status=running")
            looks = self.race(*[self.operation("CA", one) for one in made], listing, listing, ("GET", f"/runs/{run['id']}"),
                              ("GET", f"/runs/{run['id']}"))[3:]
            for answer in looks[:2]:
                rows = self.ok(answer, 200)
                self.assertEqual(len(rows["data"]), min(2, rows["total"]))
                self.assertEqual({row["status"] for row in rows["data"]} | {"running"}, {"running"})
            for answer in looks[2:]:
                counted = self.ok(answer, 200)["result"]
                self.assertEqual((counted["running"] + counted["canceled"], counted["total"]), (3, 3))
