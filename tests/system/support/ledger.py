"""What a test writer knows of each record: acknowledged facts, and the one operation whose outcome is unknown.

A writer works on one record at a time, so at a crash at most one of its operations is open. That operation may have happened
completely or not at all (I3, I4), and everything acknowledged before must be present (I1)."""
import random

from . import wire

TERMINAL = ("completed", "failed", "canceled")


class Refused(Exception):
    """The server answered with a status that it must not use here."""


class Record:
    """One test result, as its only writer knows it."""

    def __init__(self, result):
        self.id = result["id"]
        self.entries = []         # (id, type, content, name) of acknowledged entries, in order
        self.metadata = {}        # entry id -> acknowledged metadata
        self.open = None          # (operation, argument) sent without an answer
        self.finished = None      # True once finish was acknowledged
        self.canceled = False
        self.claimed_at = None

    def faults(self, after):
        """The faults of the record as the server shows it after a restart."""
        found = []
        seen = [(entry["id"], entry["type"], entry.get("content"), entry.get("name"))
                for entry in after["conversation"]]
        extra = seen[len(self.entries):]
        if seen[:len(self.entries)] != self.entries:
            found.append(f"acknowledged entries {self.entries} are not the beginning of {seen}")
        if len(extra) > 1 or (extra and self.open is None):
            found.append(f"entries nobody acknowledged: {extra}")
        if len(extra) == 1 and self.open and not self._is_open_entry(extra[0]):
            found.append(f"{extra[0]} is not the open operation {self.open}")
        for entry in after["conversation"]:
            facts = self.metadata.get(entry["id"])
            patched = self.open and self.open[0] == "patch" and self.open[1][0] == entry["id"]
            allowed = [facts] + ([{**facts, **self.open[1][1]}] if patched and facts is not None else [])
            if facts is not None and entry["metadata"] not in allowed:
                found.append(f"metadata of {entry['id']} is {entry['metadata']}, not {allowed}")
        if self.canceled and after["status"] != "canceled":
            found.append(f"canceled, but {after['status']}")
        if self.finished and not self.canceled:
            if not after["scoringEnqueuedAt"] or not after["isEnded"]:
                found.append("finish was acknowledged, but there is no claim")
            if self.claimed_at and after["scoringEnqueuedAt"] != self.claimed_at:
                found.append("scoringEnqueuedAt has changed")
        elif not (self.open and self.open[0] in ("finish", "cancel", "next")) and not self.canceled:
            expected = "running" if self.entries else "pending"
            if after["status"] != expected and not (self.open and after["status"] == "running"):
                found.append(f"{after['status']} instead of {expected}")
        if after["isEnded"] != (after["endReason"] is not None):
            found.append("isEnded and endReason disagree")
        if after["status"] == "completed" and any(row["status"] == "pending" for row in after["assertionResults"]):
            found.append("completed without verdicts")
        return [f"{self.id}: {text}" for text in found]

    def _is_open_entry(self, seen):
        operation, argument = self.open
        if operation == "post":
            return seen[1:] == argument
        return operation == "next" and seen[1:] == ("message", argument, None)


class Writer:
    """Creates results and writes to them until the connection breaks; remembers what was acknowledged."""

    def __init__(self, client, agent, run, name, seed):
        self.client, self.agent, self.run, self.name = client, agent, run, name
        self.random = random.Random(seed)
        self.records = []
        self.acknowledged = 0
        self.creation_open = False

    def work(self):
        """Writes until the server is gone."""
        try:
            while True:
                self.one_result()
        except (wire.Gone, wire.Cut, OSError):
            pass
        finally:
            self.client.close()

    def call(self, method, path, body, statuses, headers=None):
        answer = self.client.send(method, path, body, headers)
        if answer.status not in statuses:
            if answer.status == 503:
                raise wire.Gone()
            raise Refused(f"{method} {path} {body}: {answer}")
        self.acknowledged += 1
        return answer.json() if answer.body else {}

    def one_result(self):
        self.creation_open = True
        made = self.call("POST", "/test-results/", {
            "agent": self.agent, "run": self.run, "completionMode": "manual",
            "testInstruction": "\n".join(f"say: turn {n}" for n in range(3)),
            "assertionResults": [{"type": "regex", "config": {"pattern": "."}}]}, (201,))
        self.creation_open = False
        record = Record(made)
        self.records.append(record)
        for number in range(3):
            self.next(record, f"turn {number}")
            for _ in range(self.random.randrange(3)):
                self.post(record, {"type": "tool", "name": f"{self.name} tool {self.random.random()}",
                                   "metadata": {"arguments": {"n": number}}})
            self.post(record, {"type": "message", "content": f"{self.name} says {self.random.random()}",
                               "metadata": {"responseTime": 5}})
            if self.random.random() < 0.3:
                self.patch(record)
            if self.random.random() < 0.05:
                return self.cancel(record)
        record.open = ("next", None)
        self.call("POST", f"/test-results/{record.id}/next-message", None, (200,))
        record.open = ("finish", None)
        self.call("POST", f"/test-results/{record.id}/finish", None, (202,))
        record.finished, record.open = True, None
        return None

    def next(self, record, expected):
        record.open = ("next", expected)
        turn = self.call("POST", f"/test-results/{record.id}/next-message", None, (200,))
        if turn["message"] != expected:
            raise Refused(f"{record.id}: the tester says {turn}, not {expected}")
        record.entries.append((turn["message_id"], "message", expected, None))
        record.open = None

    def post(self, record, body):
        record.open = ("post", (body["type"], body.get("content"), body.get("name")))
        answer = self.call("POST", f"/test-results/{record.id}/conversation", body, (201,),
                           {"Prefer": "return=minimal"})
        record.entries.append((answer["entry"]["id"], *record.open[1]))
        record.metadata[answer["entry"]["id"]] = body["metadata"]
        record.open = None

    def patch(self, record):
        entry = record.entries[-1][0]
        merged = {"late": self.random.random()}
        record.open = ("patch", (entry, merged))
        self.call("PATCH", f"/test-results/{record.id}/conversation/{entry}", {"metadata": merged}, (200,),
                  {"Prefer": "return=minimal"})
        record.metadata[entry] = {**record.metadata[entry], **merged}
        record.open = None

    def cancel(self, record):
        record.open = ("cancel", None)
        self.call("PATCH", f"/test-results/{record.id}", {"status": "canceled"}, (200,))
        record.canceled, record.open = True, None
