"""Operations that the web page uses: cells, failure groups, entries, quotes, report, comparison, search, checks (D116-D118)."""
import base64
import gzip
import json
import re

from support.cases import SystemTest, unique

HOSTILE = "</script><script>alert(1)</script><!-- \u202e & \" ' <b>"


class Dashboard(SystemTest):
    def finished_run(self, answers, assertions=None):
        """A run of an EXTERNAL agent: one result for each answer of the chatbot."""
        scenario, agent = self.scenario(name=unique("s")), self.agent()
        assertions = assertions or [{"id": "fine", "name": "is fine", "type": "contains", "config": {"value": "fine"},
                                     "severity": "BLOCKER"}]
        test = self.create("/tests/", scenario=scenario["id"], name=HOSTILE, instruction="say: Hello", assertions=assertions)
        run = self.ok(self.http.post("/runs", {"scenario": scenario["id"], "agent": agent["id"], "status": "running",
                                               "repetitions": len(answers), "testConfigs": [{"test": test["id"]}]}), 201)
        return run, test, [self.answered(run, test, answer) for answer in answers]

    def answered(self, run, test, answer):
        """A finished result of the run."""
        made = self.ok(self.http.post("/test-results", {"run": run["id"], "test": test["id"], "agent": run["agent"]["id"]}), 201)["id"]
        place = f"/test-results/{made}"
        self.ok(self.http.post(f"{place}/next-message"), 200)
        self.ok(self.http.post(f"{place}/conversation", {"role": "chatbot", "content": answer, "metadata": {"responseTime": 120}}), 201)
        self.ok(self.http.post(f"{place}/next-message"), 200)
        self.ok(self.http.get(place, {"Prefer": "wait=10"}), 200)
        return made

    def groups(self, run):
        return self.ok(self.http.get(f"/runs/{run['id']}/failures"))["groups"]

    def test_D117_cells_are_columns_of_one_length(self):
        run, test, results = self.finished_run(["all Fine", "no", "no 7"])
        cells = self.ok(self.http.get(f"/runs/{run['id']}/cells"))
        self.assertEqual(cells["state"], "pff")
        self.assertEqual(cells["id"], results)
        self.assertEqual((cells["row"], cells["n"], cells["attempt"]), ([0] * 3, [1, 2, 3], [1] * 3))
        self.assertEqual((cells["score"], cells["turns"], cells["time"]), ([100, 0, 0], [1] * 3, [120] * 3))
        self.assertEqual([(row["test"]["id"], row["expected"]) for row in cells["tests"]], [(test["id"], 3)])
        self.assertIsNone(cells["group"][0])
        self.assertEqual(cells["group"][1], cells["group"][2])
        self.ok(self.http.get(f"/runs/{run['id']}", {"Prefer": "wait=10"}), 200)  # the run completes a moment after its results
        again = self.http.get(f"/runs/{run['id']}/cells")
        self.assertEqual(self.http.get(f"/runs/{run['id']}/cells", {"If-None-Match": again.headers["etag"]}).status, 304)
        later = self.ok(self.http.get(f"/runs/{run['id']}/cells?since={cells['rev'] + 60_000}"))
        self.assertEqual((later["state"], later["row"]), ("", []))

    def test_D117_failures_with_one_cause_are_one_group(self):
        run, test, results = self.finished_run(["fine", "wrong 1", "wrong 22"])
        groups = self.groups(run)
        self.assertEqual(len(groups), 1)
        group = groups[0]
        self.assertEqual((group["kind"], group["count"], group["results"]), ("verdict", 2, results[1:]))
        self.assertEqual((group["assertion"]["id"], group["assertion"]["severity"]), ("fine", "BLOCKER"))
        self.assertIn("<text>", group["says"])
        self.assertEqual((group["runsBefore"], group["firstSeen"]["run"]), ([0, 0], run["id"]))
        self.assertEqual(group["tests"][0]["count"], 2)
        found = self.ok(self.http.get(f"/runs/{run['id']}/test-results?group={group['signature']}"))
        self.assertEqual({row["id"] for row in found["data"]}, set(results[1:]))

    def test_a_note_of_a_group_is_shown_in_all_runs_of_the_scenario(self):
        run, test, _ = self.finished_run(["wrong 1"])
        signature = self.groups(run)[0]["signature"]
        place = f"/runs/{run['id']}/failures/{signature}/note"
        self.assertEqual(self.ok(self.http.put(place, {"note": HOSTILE})), {"note": HOSTILE})
        later = self.ok(self.http.post("/runs", {"scenario": run["scenario"]["id"], "agent": self.agent()["id"], "status": "running",
                                                 "testConfigs": [{"test": test["id"]}]}), 201)
        self.answered(later, test, "wrong 22")
        self.assertEqual([(group["signature"], group["note"]) for group in self.groups(later)], [(signature, HOSTILE)])
        foreign, _, _ = self.finished_run(["wrong 1"])  # a run of another scenario
        self.assertEqual([(group["signature"], group["note"]) for group in self.groups(foreign)], [(signature, None)])
        self.problem(self.http.put(place, {"note": "x" * 4097}), 400, "/note")
        self.problem(self.http.put(place, {"note": 7}), 400, "/note")
        for unknown in ("0" * 16, signature[:-1], "nobody"):
            self.problem(self.http.put(f"/runs/{run['id']}/failures/{unknown}/note", {"note": "x"}), 404)
        self.assertEqual([group["note"] for group in self.groups(run)], [HOSTILE])
        for nothing in ({"note": None}, {"note": ""}, {}):
            self.ok(self.http.put(place, {"note": "x" * 4096}))
            self.assertEqual(self.ok(self.http.put(place, nothing)), {"note": None})
            self.assertEqual([group["note"] for group in self.groups(later)], [None])

    def test_only_writers_change_the_note_of_a_group(self):
        run, _, _ = self.finished_run(["wrong"])
        place = f"/runs/{run['id']}/failures/{self.groups(run)[0]['signature']}/note"
        for scopes, status in ((["read"], 403), (["write"], 200)):
            client = self.server.client(key=self.create("/api-keys", name=unique("k"), scopes=scopes)["key"])
            self.assertEqual(client.put(place, {"note": "mine"}).status, status)
            client.close()
        self.assertEqual(self.http.put(place, {"note": "x"}, {"Authorization": None}).status, 401)
        self.assertEqual([group["note"] for group in self.groups(run)], ["mine"])

    def test_failures_with_two_causes_are_two_groups(self):
        checks = [{"id": name, "name": name, "type": "contains", "config": {"value": name}, "severity": "BLOCKER"}
                  for name in ("fine", "good")]
        run, _, results = self.finished_run(["fine only", "good only", "good again"], checks)
        groups = self.groups(run)
        self.assertEqual([(group["assertion"]["id"], group["results"]) for group in groups],
                         [("fine", results[1:]), ("good", results[:1])])
        cells = self.ok(self.http.get(f"/runs/{run['id']}/cells"))
        self.assertEqual(cells["group"], [groups[1]["signature"], groups[0]["signature"], groups[0]["signature"]])

    def test_D118_a_verdict_quotes_what_it_matched(self):
        _, _, results = self.finished_run(["Is it fine? It is FINE."])
        shown = self.ok(self.http.get(f"/test-results/{results[0]}"))
        quote = shown["assertionResults"][0]["quotes"][0]
        self.assertEqual((quote["text"], quote["at"], quote["nth"]), ("fine", "content", 1))
        self.assertEqual(quote["entry"], shown["conversation"][1]["id"])

    def test_a_conversation_is_read_in_windows(self):
        _, _, results = self.finished_run(["It is Fine"])
        whole = self.ok(self.http.get(f"/test-results/{results[0]}"))
        head = self.ok(self.http.get(f"/test-results/{results[0]}?output=head"))
        self.assertNotIn("conversation", head)
        self.assertEqual(head["entries"], len(whole["conversation"]))
        for name in ("score", "assertionResults", "averages", "metadata", "updatedAt"):
            self.assertEqual(head[name], whole[name], name)
        window = self.ok(self.http.get(f"/test-results/{results[0]}/entries?from=1&limit=1&find=FINE"))
        self.assertEqual((window["data"], window["total"], window["found"]),
                         (whole["conversation"][1:2], len(whole["conversation"]), [1]))
        self.problem(self.http.get(f"/test-results/{results[0]}/entries?limit=1001"), 400)

    def test_D117_a_report_is_one_file_in_which_hostile_text_stays_text(self):
        run, _, results = self.finished_run(["fine", HOSTILE])
        answer = self.http.get(f"/runs/{run['id']}/report?transcripts=all")
        self.assertEqual((answer.status, answer.headers["content-type"]), (200, "text/html; charset=utf-8"))
        html = re.sub(r"<(script|style)>.*?</\1>", "", answer.body.decode(), flags=re.S)  # of the report page
        self.assertNotIn("<b>", html)
        self.assertNotIn("alert(1)</script>", html)
        self.assertNotRegex(html, r"(src|href)=[\"']?(https?:|/)")
        self.assertRegex(html, r"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
        self.assertIn("1 of 2 decided passed", html)
        index = json.loads(re.search(r'<script type="application/json" id="report-index">(.*?)</script>', html, re.S)[1])
        self.assertEqual((index["run"]["id"], index["cells"]["state"], index["leftOut"]), (run["id"], "pf", []))
        for result in results:
            block = re.search(rf'id="transcript-{result}">([^<]*)</script>', html)[1]
            self.assertEqual(json.loads(gzip.decompress(base64.b64decode(block))),
                             self.ok(self.http.get(f"/test-results/{result}")))
        self.assertNotIn('id="transcript-', self.http.get(f"/runs/{run['id']}/report?transcripts=none").body.decode())

    def test_a_report_has_further_runs(self):
        first, _, a = self.finished_run(["fine"])
        second, _, b = self.finished_run([HOSTILE])
        path = f"/runs/{first['id']}/report?transcripts=all&with={second['id']},{first['id']}"
        html = self.http.get(path).body.decode()
        index = json.loads(re.search(r'<script type="application/json" id="report-index">(.*?)</script>', html, re.S)[1])
        self.assertEqual([index["run"]["id"], *(each["run"]["id"] for each in index["others"])], [first["id"], second["id"]])
        self.assertEqual((index["cells"]["state"], index["others"][0]["cells"]["state"]), ("p", "f"))
        for result in a + b:
            self.assertIn(f'id="transcript-{result}"', html)
        for wrong in ("x", f"{second['id']},nothing", "0198f2a1-8c40-7000-8000-000000000000"):
            self.problem(self.http.get(f"/runs/{first['id']}/report?with={wrong}"), 400)

    def test_two_conversations_part_at_a_turn(self):
        _, _, results = self.finished_run(["fine", "not at all"])
        diff = self.ok(self.http.get(f"/test-results/{results[0]}/compare/{results[1]}"))
        self.assertEqual((diff["structural"], diff["wording"]), (None, 0))
        self.assertEqual([turn["agent"] for turn in diff["turns"]][0], "different")
        self.assertEqual([(flip["before"], flip["after"]) for flip in diff["flips"]], [("passed", "failed")])

    def test_the_first_difference_names_the_argument(self):
        results = []
        for order in ("42", "24"):
            agent = self.ok(self.http.post("/agents/", {"name": "shop", "type": "EXTERNAL"}), 201)
            result = self.ok(self.http.post("/test-results/", {"agent": agent["id"], "testInstruction": "say: Hello"}), 201)
            self.ok(self.http.post(f"/test-results/{result['id']}/next-message"))
            tool = {"type": "tool", "name": "lookup_order", "metadata": {"arguments": {"shop": "north", "order": order}}}
            self.ok(self.http.post(f"/test-results/{result['id']}/conversation", tool), 201)
            results.append(result["id"])
        structural = self.ok(self.http.get(f"/test-results/{results[0]}/compare/{results[1]}"))["structural"]
        self.assertEqual(structural, {"turn": 0, "what": "tool", "says": 'lookup_order was called with order "42", now with "24"'})

    def test_a_log_is_compared_with_its_replay(self):
        check = {"id": "late", "type": "contains", "config": {"value": "late"}}
        said = [{"role": "assistant", "content": "Welcome"}, {"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"},
                {"role": "user", "content": "My parcel?"}, {"role": "assistant", "content": "It is late."}]
        log = self.create("/external-conversation-logs", externalId=unique("log"), description=HOSTILE, conversation=said)
        self.ok(self.http.post(f"/external-conversation-logs/{log['id']}/score", {"assertions": [check], "save": True}))
        replay = self.create("/test-results", agent=self.agent()["id"], sourceConversationLog=log["id"], assertionResults=[check])["id"]
        for answer in ("Hi", "It was sent."):
            self.ok(self.http.post(f"/test-results/{replay}/next-message"))
            self.ok(self.http.post(f"/test-results/{replay}/conversation", {"role": "chatbot", "content": answer}), 201)
        self.assertTrue(self.ok(self.http.post(f"/test-results/{replay}/next-message"))["end_chat"])
        self.ok(self.http.get(f"/test-results/{replay}", {"Prefer": "wait=10"}))
        diff = self.ok(self.http.get(f"/test-results/{log['id']}/compare/{replay}"))
        self.assertEqual((diff["a"]["id"], diff["a"]["description"], diff["b"]["id"]), (log["id"], HOSTILE, replay))
        self.assertNotIn("conversation", diff["a"])
        self.assertEqual(diff["structural"], None)
        self.assertEqual([(turn["turn"], turn["tester"], turn["agent"]) for turn in diff["turns"]],
                         [(0, "same", "different"), (1, "same", "different")])
        self.assertEqual(diff["turns"][1]["a"], [entry["id"] for entry in log["conversation"][3:]])
        self.assertEqual([(flip["assertion"]["id"], flip["before"], flip["after"]) for flip in diff["flips"]], [("late", "passed", "failed")])
        turned = self.ok(self.http.get(f"/test-results/{replay}/compare/{log['id']}"))
        self.assertEqual((turned["a"]["id"], turned["b"]["id"]), (replay, log["id"]))
        self.problem(self.http.get(f"/test-results/{log['id']}/compare/nobody"), 404)

    def test_two_runs_side_by_side(self):
        first, test, a = self.finished_run(["fine"])
        pairs = self.ok(self.http.get(f"/runs/{first['id']}/compare/{first['id']}/trials?test={test['id']}"))["tests"]
        self.assertEqual([(t["a"]["id"], t["b"]["id"], t["a"]["state"]) for t in pairs[0]["trials"]], [(a[0], a[0], "p")])

    def test_a_run_is_searched(self):
        run, _, results = self.finished_run(["fine", "Order 42 is lost"])
        for body in ({"text": "ORDER"}, {"pattern": r"\border"}, {"pattern": "Order [0-9]+", "in": "chatbot"}):
            found = self.ok(self.http.post(f"/runs/{run['id']}/grep", body))
            expected = [] if body.get("pattern") == r"\border" else [results[1]]
            self.assertEqual([row["result"] for row in found["data"]], expected, body)
            self.assertIsNone(found["next"])
        self.problem(self.http.post(f"/runs/{run['id']}/grep", {}), 400)
        self.problem(self.http.post(f"/runs/{run['id']}/grep", {"pattern": "("}), 400, "/pattern")

    def test_a_body_is_checked_without_being_stored(self):
        scenario = self.scenario()
        good = {"scenario": scenario["id"], "name": "t", "instruction": "say: Hello\nend"}
        before = self.ok(self.http.get(f"/scenarios/{scenario['id']}/tests"))["total"]
        shown = self.ok(self.http.post("/validate", {"kind": "test", "body": good}))
        self.assertEqual((shown["errors"], shown["composed"]["instruction"]), ([], good["instruction"]))
        self.assertEqual([warning["code"] for warning in shown["warnings"]], ["no_assertions"])
        self.assertEqual(shown["script"][0], {"line": 1, "does": 'says "Hello"'})
        bad = self.ok(self.http.post("/validate", {"kind": "test", "body": {**good, "assertions": [{"type": "nope"}]}}))
        self.assertEqual([fault["pointer"] for fault in bad["errors"]], ["/assertions/0/type"])
        self.problem(self.http.post("/validate", {"kind": "nope", "body": {}}), 400, "/kind")
        self.assertEqual(self.ok(self.http.get(f"/scenarios/{scenario['id']}/tests"))["total"], before)

    def test_an_agent_is_called_before_it_is_saved(self):
        before = self.ok(self.http.get("/agents"))["total"]
        self.assertTrue(self.ok(self.http.post("/agents/check", {"name": "d", "type": "DEMO"}))["ok"])
        self.problem(self.http.post("/agents/check", {"type": "HTTP", "config": {}}), 400)
        self.assertEqual(self.ok(self.http.get("/agents"))["total"], before)

    def test_trends_come_from_the_counters(self):
        run, _, _ = self.finished_run(["fine", "no"])
        shown = self.ok(self.http.get(f"/runs/{run['id']}"))
        row = self.ok(self.http.get(f"/trends?scenario={shown['scenario']['id']}"))["runs"][0]
        self.assertEqual((row["passRate"], row["passed"], row["notPassed"]), (0.5, 1, 1))
        self.assertEqual(row["usd"], {"agent": None, "tester": None, "judge": None})
        self.assertEqual(row["faults"], dict.fromkeys(("agent", "tester", "judge", "infrastructure", "client", "test"), 0))
        for name in ("p50", "p95", "p99"):
            self.assertAlmostEqual(row["responseTime"][name] / 120, 1, delta=0.05)

    def test_trends_name_the_tests_that_were_edited(self):
        first, test, _ = self.finished_run(["fine"])
        again = {"scenario": first["scenario"]["id"], "agent": first["agent"]["id"], "status": "running", "testConfigs": [{"test": test["id"]}]}
        edits = ({"name": "renamed"}, {"instruction": "say: Hello again"}, {}, {"assertions": [{"type": "contains", "config": {"value": "good"}}]})
        for edit in edits:
            self.ok(self.http.patch(f"/tests/{test['id']}", edit))
            self.answered(self.ok(self.http.post("/runs", again), 201), test, "fine")
        runs = self.ok(self.http.get(f"/trends?scenario={first['scenario']['id']}"))["runs"]
        self.assertEqual([[each["id"] for each in run["edited"]] for run in runs], [[], [], [test["id"]], [], [test["id"]]])

    def test_runs_are_filtered_by_age(self):
        first, second = (self.finished_run(["fine"])[0]["id"] for _ in range(2))
        ids = [row["id"] for row in self.ok(self.http.get(f"/runs?before={second}&limit=1"))["data"]]
        self.assertEqual(ids, [first])
        self.assertIn(second, [row["id"] for row in self.ok(self.http.get(f"/runs?after={first}"))["data"]])
        self.problem(self.http.get("/runs?before=yesterday"), 400)

    def test_a_scenario_names_a_baseline_for_each_agent(self):
        run, _, _ = self.finished_run(["fine"])
        shown = self.ok(self.http.get(f"/runs/{run['id']}"))
        path = f"/scenarios/{shown['scenario']['id']}"
        baselines = {shown["agent"]["id"]: run["id"]}
        self.assertEqual(self.ok(self.http.patch(path, {"baselines": baselines}))["baselines"], baselines)
        foreign = self.agent()["id"]
        self.problem(self.http.patch(path, {"baselines": {foreign: run["id"]}}), 400, f"/baselines/{foreign}")

    def test_a_person_labels_a_result_and_changes_no_verdict(self):
        _, _, results = self.finished_run(["fine"])
        before = self.ok(self.http.get(f"/test-results/{results[0]}"))
        body = {"result": results[0], "assertion": "fine", "verdict": "failed", "note": HOSTILE}
        first = self.ok(self.http.post("/labels", body), 201)
        second = self.ok(self.http.post("/labels", {**body, "verdict": "passed"}), 201)
        listed = self.ok(self.http.get(f"/labels?result={results[0]}"))
        self.assertEqual([row["id"] for row in listed["data"]], [second["id"]])
        older = self.ok(self.http.get(f"/labels?result={results[0]}&older=true"))
        self.assertEqual([row["id"] for row in older["data"]], [second["id"], first["id"]])
        self.assertEqual(self.ok(self.http.get(f"/test-results/{results[0]}")), before)
        self.problem(self.http.post("/labels", {**body, "assertion": "nope"}), 400, "/assertion")
        self.assertEqual(self.http.send("DELETE", f"/labels/{second['id']}").status, 204)
        self.problem(self.http.send("DELETE", f"/labels/{second['id']}"), 404)
        self.assertEqual(self.ok(self.http.get("/agreement"))["criteria"], [])
