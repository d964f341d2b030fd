#!/usr/bin/env python3
"""--otlp-endpoint (D155): spans of finished results, with their verdicts, in the trace that the agent received."""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import cases, server as servers  # noqa: E402
from support.cases import OwnServerTest  # noqa: E402
from support.fakes import base  # noqa: E402
from support.fakes.webhook import WebhookAgent  # noqa: E402

FOLDER = servers.ROOT / "tests/mcp"
CHECKS = [{"type": "contains", "name": "is fine", "config": {"value": "fine"}, "severity": "BLOCKER"},
          {"type": "contains", "name": "greets", "config": {"value": "welcome"}, "severity": "MINOR"}]


def plain(attributes):
    return {each["key"]: next(iter(each["value"].values())) for each in attributes}


class Collector(base.Fake):
    """An OpenTelemetry collector that answers with `status`."""

    def __init__(self, status=200):
        super().__init__()
        self.status = status

    async def answer(self, _request):
        return base.Reply({}, status=self.status)

    def spans(self):
        return [span for request in list(self.requests) if request.path == "/v1/traces"
                for resource in request.json()["resourceSpans"] for scope in resource["scopeSpans"] for span in scope["spans"]]


class Spans(OwnServerTest):
    def started(self, status=200, **environment):
        collector = Collector(status).start()
        self.addCleanup(collector.stop)
        self.own_server("--otlp-endpoint", collector.url, **environment)
        return collector

    def played(self, url, checks=CHECKS):
        agent = self.agent(name="shop", type="HTTP", config={"url": url})
        result = self.result(agent=agent, testInstruction="say: hi\nsay: bye", assertionResults=list(checks))
        return self.settled(result, 20)

    def metric(self, name):
        text = self.http.get("/metrics").body.decode()
        return int(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[1])

    def test_D155_spans_have_the_ids_that_the_agent_got(self):
        collector = self.started(PARLEY_OTLP_AUTHORIZATION="Bearer collector")
        with WebhookAgent(lambda _turn: {"message": "fine"}) as agent:
            result = self.played(agent.config["url"])
            self.assertTrue(collector.wait(lambda fake: fake.spans(), 15))
            parents = [request.headers["traceparent"].split("-") for request in agent.requests]
        self.assertEqual(collector.requests[0].headers["authorization"], "Bearer collector")
        spans = {span["name"]: span for span in collector.spans()}
        self.assertEqual({span["traceId"] for span in collector.spans()}, {parents[0][1]})
        turns = [span for span in collector.spans() if span["name"] == "invoke_agent shop"]
        self.assertEqual([span["spanId"] for span in turns], [parent[2] for parent in parents])
        root = spans["parley.conversation"]
        self.assertEqual({span["parentSpanId"] for span in turns}, {root["spanId"]})
        self.assertEqual(plain(root["attributes"])["parley.result.id"], result["id"])
        scoring = spans["parley.scoring"]
        self.assertEqual(scoring["parentSpanId"], root["spanId"])
        verdicts = [plain(event["attributes"]) for event in scoring["events"] if event["name"] == "gen_ai.evaluation.result"]
        self.assertEqual([(each["gen_ai.evaluation.name"], each["gen_ai.evaluation.score.value"],
                           each["gen_ai.evaluation.score.label"]) for each in verdicts],
                         [("is fine", 1, "passed"), ("greets", 0, "failed")])
        self.assertTrue(verdicts[1]["gen_ai.evaluation.explanation"])
        for span in collector.spans():
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
        self.wait_for(lambda: self.metric("parley_otlp_spans_sent_total") == len(collector.spans()))

    def test_D155_a_result_is_sent_once_and_again_when_it_is_scored_again(self):
        collector = self.started()
        with WebhookAgent(lambda _turn: {"message": "fine"}) as agent:
            result = self.played(agent.config["url"])
        self.assertTrue(collector.wait(lambda fake: fake.spans(), 15))
        before = len(collector.spans())
        self.ok(self.patch_result(result, isArchived=True), 200)
        never = {"type": "contains", "config": {"value": "never"}, "severity": "BLOCKER"}
        self.assertTrue(self.ok(self.http.post(f"/test-results/{result['id']}/rescore", {"assertions": [never], "preview": False}),
                                200)["saved"])
        self.assertTrue(collector.wait(lambda fake: len(fake.spans()) > before, 15))
        scoring = [span for span in collector.spans() if span["name"] == "parley.scoring"]
        self.assertEqual([plain(span["attributes"])["parley.verdict"] for span in scoring], ["1", "2"])

    def test_D155_a_failing_collector_changes_nothing_but_a_counter(self):
        collector = self.started(status=400)
        with WebhookAgent(lambda _turn: {"message": "fine"}) as agent:
            self.assertEqual(self.played(agent.config["url"])["status"], "completed")
        self.assertTrue(collector.wait(lambda fake: fake.requests, 15))
        self.wait_for(lambda: self.metric("parley_otlp_spans_failed_total") > 0)
        self.assertEqual(self.metric("parley_otlp_spans_sent_total"), 0)

    def test_D155_the_span_of_an_instrumented_agent_is_in_the_same_trace(self):
        if not (FOLDER / "node_modules/@opentelemetry").is_dir():
            self.skipTest("the npm packages of tests/mcp are not installed")
        collector = self.started()
        host, port = self.server.address
        agent = subprocess.Popen(["node", "agent.mjs"], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "PARLEY_URL": f"http://{host}:{port}", "PARLEY_KEY": self.server.key})
        try:
            result = self.played(f"http://127.0.0.1:{int(agent.stdout.readline())}/turn", CHECKS[:1])
            self.assertEqual(result["score"], 100)
            self.assertTrue(collector.wait(lambda fake: fake.spans(), 15))
        finally:
            agent.stdin.close()
            agent.wait(10)
            agent.stdout.close()
        trace = collector.spans()[0]["traceId"]
        rows = self.ok(self.http.get(f"/external-conversation-logs?externalId={trace}"), 200)["data"]
        self.assertEqual(len(rows), 1)
        log = self.ok(self.http.get(f"/external-conversation-logs/{rows[0]['id']}"), 200)
        self.assertEqual([entry["content"] for entry in log["conversation"]], ["hi", "fine", "bye", "fine"])


if __name__ == "__main__":
    cases.main()
