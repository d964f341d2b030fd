"""Runs that the server drives: builders and waits for the tests of driving and models."""
import json
import time

from . import cases

GOT = {"type": "contains", "config": {"value": "said"}, "severity": "BLOCKER"}


class Driven(cases.SystemTest):
    def hosted(self, fake, **config):
        return self.agent(type="HTTP", config={**fake.config, **config}, secrets={"X-Canary": cases.CANARY})

    def launched(self, agent, tests=1, instruction="say: one\nsay: two", assertions=(GOT,), **body):
        scenario = self.scenario()
        for _ in range(tests):
            self.a_test(scenario, instruction, assertions)
        return self.a_run(scenario, agent, "pending", **body)

    def results_of(self, run, **query):
        text = "".join(f"&{name}={value}" for name, value in query.items())
        return self.ok(self.http.get(f"/runs/{run['id']}/test-results?limit=1000&sortOrder=asc{text}"))["data"]

    def ended(self, run, timeout_s=20):
        until = time.monotonic() + timeout_s
        while True:
            now = self.get_run(run)
            if now["status"] in cases.TERMINAL or time.monotonic() > until:
                self.assertIn(now["status"], cases.TERMINAL, now)
                return now
            time.sleep(0.02)

    def words(self, result):
        return [(entry["role"], entry["content"]) for entry in result["conversation"] if entry["type"] == "message"]


def verdict_of(asked, verdict="passed", quote=None):
    """The answer of a judge that quotes the first chatbot message of the transcript in its question."""
    entry = next(e for e in transcript_of(asked) if e.get("role") == "chatbot")
    return json.dumps({"verdict": verdict, "reason": "It says so.",
                       "evidence": [{"entry": entry["id"], "quote": quote or entry["content"]}]})


def transcript_of(asked):
    """The entries of the JSON document in the question of the judge."""
    text = asked["messages"][-1]["content"]
    found, _ = json.JSONDecoder().raw_decode(text[min(i for i in (text.find("{"), text.find("[")) if i >= 0):])
    return found if isinstance(found, list) else found.get("entries") or found.get("conversation") or found.get("transcript")
