"""Recorded conversations of tau2-bench, as a client would replay them.

Mapping (README.md next to the data): assistant text -> message, each tool call -> tool with `metadata.arguments` and
`metadata.result` from the tool message of the same id, user text -> tester turn. The folder is PARLEY_SHARED/data/tau2,
or ../shared/data/tau2 next to the repository."""
import datetime
import json
import os
import pathlib

from . import server

TRAJECTORIES = "data/tau2/trajectories"


def folder():
    """The folder of recorded simulations, or None if it is absent."""
    for base in (os.environ.get("PARLEY_SHARED"), server.ROOT.parent / "shared"):
        if base and pathlib.Path(base, TRAJECTORIES).is_dir():
            return pathlib.Path(base, TRAJECTORIES)
    return None


class Simulation:
    """One recorded conversation: `steps` in order, each ("tester", text) or ("entry", body), and the recorded
    verdicts: `checks` on tool calls, `communicated` on information for the user."""

    def __init__(self, record):
        self.id = record["id"]
        self.messages = record["messages"]
        reward = record["reward_info"] or {}
        self.checks = reward.get("action_checks") or []
        self.communicated = reward.get("communicate_checks") or []
        self.steps = list(self._steps())

    @property
    def instruction(self):
        return script(self.steps)

    @property
    def recorded(self):
        """The recorded verdicts in the order of the assertions."""
        return [check["action_match"] for check in self.checks] + [check["met"] for check in self.communicated]

    @property
    def assertions(self):
        rows = []
        for check in self.checks:
            action = check["action"]
            config = {"name": action["name"], "arguments": action["arguments"], "mode": "within"}
            if action.get("compare_args") is not None:
                config["keys"] = action["compare_args"]
            rows.append({"name": action["action_id"], "type": "tool-called", "config": config})
        for check in self.communicated:
            rows.append({"name": "tells " + check["info"], "type": "contains",
                         "config": {"value": check["info"], "ignore": ["case", "commas"]}})
        return rows

    def _steps(self):
        results = {message["id"]: message for message in self.messages if message["role"] == "tool"}
        answered = True
        before = None
        for message in self.messages:
            if message["role"] == "user":
                if not answered:
                    yield "entry", {"type": "message", "content": ""}  # an agent that said nothing (D47)
                yield "tester", message["content"]
                answered = False
            elif message["role"] == "assistant":
                if message["content"]:
                    yield "entry", {"type": "message", "content": message["content"],
                                    "metadata": measures(message, before)}
                    answered = True
                for call in message.get("tool_calls") or []:
                    yield "entry", tool_entry(call, results[call["id"]])
            before = message
        if not answered:
            yield "entry", {"type": "message", "content": ""}


def script(steps):
    """A script that says the texts of the tester, byte for byte (D60)."""
    texts = [content for kind, content in steps if kind == "tester"]
    lines = [f"max turns: {len(texts) + 1}"]
    return "\n".join(lines + ["say: " + json.dumps(text, ensure_ascii=False) for text in texts])


def tool_entry(call, result):
    return {"type": "tool", "name": call["name"],
            "metadata": {"arguments": call["arguments"], "result": result["content"],
                         "error": bool(result.get("error"))}}


def measures(message, before):
    """The recognized metadata keys that the recording contains."""
    found = {}
    if before and message.get("timestamp") and before.get("timestamp"):
        taken = (datetime.datetime.fromisoformat(message["timestamp"])
                 - datetime.datetime.fromisoformat(before["timestamp"]))
        found["responseTime"] = round(taken.total_seconds() * 1000, 3)
    usage = message.get("usage")
    if usage:
        found["inputTokens"] = usage["prompt_tokens"]
        found["outputTokens"] = usage["completion_tokens"]
    if message.get("cost") is not None:
        found["cost"] = message["cost"]
    return found


def load():
    """{file name: [Simulation]} of all recorded trajectories."""
    return {path.name: [Simulation(record) for record in json.loads(path.read_text())["simulations"]]
            for path in sorted(folder().glob("*.json"))}
