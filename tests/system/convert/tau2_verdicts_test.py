#!/usr/bin/env python3
"""Recorded tau2 conversations with their verdicts: converts the results, stores the logs, scores them, and compares each verdict
on actions with the verdict that tau2 recorded."""
import json
import pathlib
import tempfile

import imports
from support import cases

WHOLE = imports.ROOT.parent / "shared" / "data" / "tau2"


class Tau2Verdicts(cases.OwnServerTest):
    def bodies(self):
        """The log bodies of every results file that exists."""
        files = [paths[0] for unit, kind, paths in imports.units() if kind == "tau2" and "results" in unit["unit"]]
        files += [str(path) for path in sorted(WHOLE.rglob("*.json"))[:4]] if WHOLE.is_dir() else []
        for file in files:
            with tempfile.TemporaryDirectory() as out:
                ended = imports.convert("tau2", [file], out)
                self.assertIn(ended.returncode, (0, 2), ended.stderr)
                for logs in pathlib.Path(out).glob("*.logs.jsonl"):
                    yield from (json.loads(line) for line in logs.read_text().splitlines())

    def test_every_recorded_verdict_on_a_check_by_code_is_ours(self):
        self.own_server("--fsync", "off")
        compared = 0
        for body in self.bodies():
            assertions = [each for each in body["metadata"].get("assertions", []) if each["type"] != "criteria"]
            expected = body["metadata"].get("expected", {})
            if not assertions:
                continue
            body["externalId"] = cases.unique("log")
            log = self.ok(self.http.post("/external-conversation-logs/", body))["id"]
            found = self.ok(self.http.post(f"/external-conversation-logs/{log}/score", {"assertions": assertions}))
            for row in found["assertionResults"]:
                if row["id"] in expected:
                    compared += 1
                    self.assertEqual(row["status"] == "passed", expected[row["id"]], (log, row))
        self.assertGreater(compared, 2)
        print(f"{compared} verdicts compared")


if __name__ == "__main__":
    imports.need_folder()
    cases.main()
