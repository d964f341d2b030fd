"""Recorded trials of tau-bench in the form of `tau2.Simulation`: OpenAI-style messages become steps; the expected calls
and outputs of the task become assertions. The recorded verdict is about a database, not about these assertions."""
import json
import os
import pathlib

from . import server

TRIALS = "data/tau-bench/gpt-4o-airline.json"


def file():
    """The file of recorded trials, or None if it is absent."""
    for base in (os.environ.get("PARLEY_SHARED"), server.ROOT.parent / "shared"):
        if base and pathlib.Path(base, TRIALS).is_file():
            return pathlib.Path(base, TRIALS)
    return None


class Trial:
    """One recorded conversation: `steps` in order, each ("tester", text) or ("entry", body)."""

    def __init__(self, record):
        self.id = f"{record['task_id']}-{record['trial']}"
        self.task = record["info"]["task"]
        self.steps = list(self._steps(record["traj"]))

    @property
    def assertions(self):
        rows = [{"name": f"call {number}", "type": "tool-called",
                 "config": {"name": action["name"], "arguments": action["kwargs"]}}
                for number, action in enumerate(self.task["actions"])]
        return rows + [{"name": "tells " + output, "type": "contains",
                        "config": {"value": output, "ignore": ["case", "commas"]}} for output in self.task["outputs"]]

    @staticmethod
    def _steps(messages):
        results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
        for message in messages:
            if message["role"] == "user":
                yield "tester", message["content"]
            if message["role"] != "assistant":
                continue
            if message["content"]:
                yield "entry", {"type": "message", "content": message["content"]}
            for call in message.get("tool_calls") or []:
                arguments = json.loads(call["function"]["arguments"])
                yield "entry", {"type": "tool", "name": call["function"]["name"],
                                "metadata": {"arguments": arguments, "result": results.get(call["id"])}}


def load():
    return [Trial(record) for record in json.loads(file().read_text())]
