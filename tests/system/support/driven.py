"""Runs that the service drives: builders and waits that driving and model tests share."""
import time

from . import cases

GOT = {"type": "contains", "config": {"value": "said"}, "severity": "BLOCKER"}


class Driven(cases.SystemTest):
    def hosted(self, fake, **config):
        return self.agent(type="HTTP", config={**fake.config, **config})

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
