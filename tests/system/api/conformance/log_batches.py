"""External logs as test material (D107): batch uploads, stored verdicts, smart tags on request."""
import json
import time

from support.cases import SystemTest, unique

PASSES = {"type": "contains", "severity": "BLOCKER", "config": {"value": "fine"}}
FAILS = {"type": "min-turns", "severity": "BLOCKER", "config": {"value": 50}}


def line(external_id, content="Where is my order?", **more):
    return {"externalId": external_id, **more, "conversation": [{"role": "user", "content": content},
                                                               {"role": "chatbot", "content": "fine"}]}


class LogBatches(SystemTest):
    def uploaded(self, lines, status=200, content_type="application/jsonl"):
        body = b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in lines)
        answer = self.http.post("/external-conversation-logs/batch", body, {"Content-Type": content_type})
        self.assertEqual(answer.status, status, answer)
        return answer.json()

    def test_each_line_has_an_outcome_and_faulty_ones_stop_no_other(self):
        one, two = unique("log"), unique("log")
        found = self.uploaded([line(one), b"{\n", b"\n", line(one), line(""), line(two, tags=["nope"]), line(two)])
        self.assertEqual((found["created"], found["failed"]), (2, 4))
        self.assertEqual([(row["line"], row["status"]) for row in found["outcomes"]],
                         [(1, 201), (2, 400), (4, 409), (5, 400), (6, 400), (7, 201)])
        self.assertEqual(found["outcomes"][2]["id"], found["outcomes"][0]["id"])
        self.assertEqual(found["outcomes"][4]["problem"]["errors"][0]["pointer"], "/tags/0")
        log = self.ok(self.http.get(f"/external-conversation-logs/{found['outcomes'][5]['id']}"))
        self.assertEqual((log["externalId"], len(log["conversation"])), (two, 2))

    def test_a_body_that_is_not_a_batch_is_refused(self):
        self.uploaded([line(unique("log"))], 415, "text/plain")
        self.uploaded([], 400)
        self.uploaded([b"{}\n" * 10_001], 413)
        self.uploaded([b'{"externalId": "' + b"x" * (8 * 1024 * 1024) + b'"}'], 413)

    def test_two_thousand_logs_are_uploaded_scored_and_filtered(self):
        source = unique("source").replace(" ", "-")
        lines = [line(unique("log"), "hello" if i % 4 else "I want a refund", externalSource=source) for i in range(2_000)]
        began = time.monotonic()
        found = self.uploaded(lines)
        took = time.monotonic() - began
        self.assertEqual(found["created"], 2_000)
        print(f"2,000 logs uploaded in {took:.2f} s")
        self.assertLess(took, 10)
        ids = [row["id"] for row in found["outcomes"]]
        began = time.monotonic()
        for i, id_ in enumerate(ids[:200]):
            assertions = [FAILS if i % 2 else PASSES]
            self.ok(self.http.post(f"/external-conversation-logs/{id_}/score", {"assertions": assertions, "save": True}))
        print(f"200 logs scored and saved in {time.monotonic() - began:.2f} s")
        listed = f"/external-conversation-logs/?externalSource={source}"
        self.assertEqual(self.ok(self.http.get(f"{listed}&overallPassed=false"))["total"], 100)
        self.assertEqual(self.ok(self.http.get(f"{listed}&overallPassed=true"))["total"], 100)
        self.assertEqual(self.ok(self.http.get(f"{listed}&minScore=100"))["total"], 100)
        self.problem(self.http.get(f"{listed}&minScore=101"), 400)

    def test_a_smart_tag_is_put_on_stored_logs_on_request(self):
        source = unique("source").replace(" ", "-")
        self.uploaded([line(unique("log"), "refund me" if i < 3 else "hello", externalSource=source) for i in range(8)])
        rule = {"match": "all", "conditions": [{"field": "content", "op": "contains", "value": "refund"},
                                               {"field": "externalSource", "op": "equals", "value": source}]}
        tag = self.create("/tags/", name="refunds", isSmart=True, rule=rule)
        applied = self.ok(self.http.post(f"/tags/{tag['id']}/apply"))
        self.assertEqual(applied["tagged"], 3)
        self.assertGreaterEqual(applied["checked"], 8)
        self.assertEqual(self.ok(self.http.get(f"/external-conversation-logs/?tag={tag['id']}"))["total"], 3)
        self.assertEqual(self.ok(self.http.post(f"/tags/{tag['id']}/apply"))["tagged"], 0)
        self.problem(self.http.post(f"/tags/{self.create('/tags/', name='plain')['id']}/apply"), 409)

    def test_a_verdict_is_stored_only_on_request_and_a_new_conversation_removes_it(self):
        log = self.create("/external-conversation-logs/", **line(unique("log")))
        path = f"/external-conversation-logs/{log['id']}"
        self.ok(self.http.post(f"{path}/score", {"assertions": [FAILS]}))
        self.assertEqual(self.ok(self.http.get(path))["score"], None)
        scored = self.ok(self.http.post(f"{path}/score", {"assertions": [FAILS, {"criteria": "is polite"}], "judge": True, "save": True}))
        shown = self.ok(self.http.get(path))
        self.assertEqual([shown[key] for key in ("score", "overallPassed", "decided", "assertionResults")],
                         [scored[key] for key in ("score", "overallPassed", "decided", "assertionResults")])
        self.assertEqual(scored["assertionResults"][1]["status"], "skipped")    # no judge is configured
        self.ok(self.http.patch(path, {"conversation": []}))
        self.assertEqual(self.ok(self.http.get(path))["assertionResults"], None)
