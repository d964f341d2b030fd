"""What a result says about the agent: passed, failed or undecided, and a text with the failed assertions and their evidence."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Mapping

QUOTE_CHARACTERS_MAX = 300
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Outcome:
    """`state` is `passed`, `failed` (an answer was wrong) or `undecided` (a fault, an outage, a missing verdict). `text` explains
    it in several lines."""
    state: str
    text: str

    @property
    def passed(self) -> bool:
        return self.state == "passed"


def outcome_of(result: Mapping[str, Any]) -> Outcome:
    """The outcome of a full result, as GET /test-results/{id} returns it. Its `state` says whether a BLOCKER failed (`f`) or the
    chatbot passed (`p`, `q`)."""
    head = f"parley result {result['id']}: {result['status']}, score {result['score']}"
    if result["status"] != "completed":
        fault = result["metadata"].get("error") or {}
        why = ", ".join(str(fault[key]) for key in ("source", "code", "detail") if fault.get(key)) or result["endReason"] or "not finished"
        return Outcome("undecided", f"{head}\n  {_safe(why)}")
    asserted = result["assertionResults"]
    lines = [head, *(line for each in asserted if each["status"] != "passed" for line in _explained(each, result["conversation"]))]
    lines += [f"  warning {each['code']}: {_safe(each['detail'])}" for each in result.get("warnings", [])]
    text = "\n".join(lines)
    if result["state"] == "f":
        return Outcome("failed", text)
    open_ones = [each for each in asserted if each["status"] in ("error", "skipped", "pending") and _counts(each)]
    return Outcome("passed" if result["state"] in ("p", "q") and not open_ones else "undecided", text)


def _counts(assertion: Mapping[str, Any]) -> bool:
    """An assertion of weight 0 that is not a BLOCKER changes neither score nor verdict."""
    return bool(assertion["severity"] == "BLOCKER" or assertion["weight"] != 0)


def _explained(assertion: Mapping[str, Any], conversation: list[Mapping[str, Any]]) -> list[str]:
    name = assertion.get("name") or assertion["type"]
    lines = [f"  {assertion['status']} {assertion['severity']} {_safe(name)}: {_safe(assertion['reason'] or '')}"]
    wanted = set(assertion.get("evidence") or [])
    return lines + [f"    {_label(entry)}: {_safe(entry['content'] or '')}" for entry in conversation if entry["id"] in wanted]


def _label(entry: Mapping[str, Any]) -> str:
    return entry["type"] if not entry.get("name") else f"{entry['type']} {entry['name']}"


def _safe(text: str) -> str:
    """Replaces control characters in a chatbot's text, which a terminal would obey."""
    shown = CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return shown if len(shown) <= QUOTE_CHARACTERS_MAX else shown[:QUOTE_CHARACTERS_MAX] + "..."
