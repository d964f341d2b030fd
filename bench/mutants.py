#!/usr/bin/env python3
"""Mutation test: injects faults into recorded conversations and counts which ones the assertions of their tests detect.

    bench/mutants.py                     200 transcripts, every applicable kind of fault (about 2 minutes)
    bench/mutants.py --out mutants.tsv   lists each mutant with its position and its outcome
    bench/mutants.py --transcripts 8     only 8 transcripts
    bench/mutants.py --golden            adds an assertion to each test: the recorded calls, in order

Each mutant changes one thing in one transcript: a tool call is dropped, two neighboring calls are swapped, an argument or
an amount of a call is altered, or an amount in a chatbot's message is altered. The mutant is replayed to the real binary over
HTTP and scored. It is killed if an assertion that passed on the recorded transcript no longer passes; otherwise it survives,
and the reason is printed. Exit code 77 if the recordings are absent."""
import argparse
import collections
import copy
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/system"))
from support import server as servers, tau2, tau_bench  # noqa: E402  (the path above)

SKIPPED = 77
AMOUNT = re.compile(r"(?<=\$)\d[\d,]*(?:\.\d+)?|(?<![\w.,$-])\d{2,}(?:,\d{3})*(?:\.\d+)?(?![\w-])")
KINDS = ("drop a call", "swap two calls", "alter an argument", "alter an amount of a call", "alter an amount said")


class Transcript:
    """A recording: its file and number, its steps, and the assertions of its test."""

    def __init__(self, file, number, recording):
        self.file, self.number, self.steps = file, number, recording.steps
        self.assertions = [{**row, "id": f"a{place}"} for place, row in enumerate(recording.assertions)]
        self.recorded = getattr(recording, "recorded", None)

    def expect_its_calls(self):
        """Adds an assertion that the calls must equal the recorded ones."""
        calls = [{"name": name, "arguments": arguments} for name, arguments in map(called, self.calls())]
        self.assertions.append({"id": "golden", "type": "tool-set",
                                "config": {"mode": "strict", "argumentMode": "exact", "calls": calls}})

    def calls(self):
        return [self.steps[place] for place in self.places("tool")]

    def places(self, type_):
        return [place for place, (kind, body) in enumerate(self.steps) if kind == "entry" and body["type"] == type_]


def load():
    """All recorded conversations with at least one tool call, in a fixed order; empty if the recordings are absent."""
    if tau2.folder() is None or tau_bench.file() is None:
        return []
    found = [Transcript(name, number, recording) for name, list_ in tau2.load().items()
             for number, recording in enumerate(list_)]
    found += [Transcript(tau_bench.file().name, number, recording) for number, recording in enumerate(tau_bench.load())]
    return [transcript for transcript in found if transcript.places("tool")]


# ---- the faults: each takes a transcript and dice, and returns (steps, place), or None where it is not applicable -------

def drop(transcript, dice):
    place = dice.choice(transcript.places("tool"))
    return transcript.steps[:place] + transcript.steps[place + 1:], place


def swap(transcript, dice):
    calls = transcript.places("tool")
    pairs = [(one, other) for one, other in zip(calls, calls[1:])
             if called(transcript.steps[one]) != called(transcript.steps[other])]
    if not pairs:
        return None
    one, other = dice.choice(pairs)
    steps = list(transcript.steps)
    steps[one], steps[other] = steps[other], steps[one]
    return steps, one


def alter_leaf(wanted):
    def alter(transcript, dice):
        leaves = [(place, path) for place in transcript.places("tool")
                  for path, value in leaves_of(transcript.steps[place][1]["metadata"]["arguments"])
                  if is_number(value) == wanted]
        if not leaves:
            return None
        place, path = dice.choice(leaves)
        steps = list(transcript.steps)
        steps[place] = copy.deepcopy(steps[place])
        spoil(steps[place][1]["metadata"]["arguments"], path)
        return steps, place
    return alter


def alter_said(transcript, dice):
    found = [(place, match) for place in transcript.places("message")
             for match in AMOUNT.finditer(transcript.steps[place][1]["content"])]
    if not found:
        return None
    place, match = dice.choice(found)
    steps = list(transcript.steps)
    steps[place] = copy.deepcopy(steps[place])
    text = steps[place][1]["content"]
    steps[place][1]["content"] = text[:match.start()] + next_number(match.group()) + text[match.end():]
    return steps, place


FAULTS = dict(zip(KINDS, (drop, swap, alter_leaf(False), alter_leaf(True), alter_said), strict=True))


def called(step):
    return step[1]["name"], step[1]["metadata"]["arguments"]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def leaves_of(value, path=()):
    """Yields (path, value) for each string, number and Boolean inside `value`."""
    if isinstance(value, (dict, list)):
        rows = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in rows:
            yield from leaves_of(inner, (*path, key))
    elif value is not None:
        yield path, value


def spoil(value, path):
    for key in path[:-1]:
        value = value[key]
    old = value[path[-1]]
    if isinstance(old, bool):
        value[path[-1]] = not old
    elif is_number(old):
        value[path[-1]] = old + 1
    else:
        value[path[-1]] = old[:-1] + ("y" if old.endswith("x") else "x")


def next_number(text):
    """The amount plus seven, in the same format."""
    whole, dot, rest = text.partition(".")
    number = int(whole.replace(",", "")) + 7
    return (f"{number:,}" if "," in whole else str(number)) + dot + rest


# ---- playing -----------------------------------------------------------------------------------------------------------

class Player:
    """Plays steps to the server as a client would, in a result of a test with given assertions; returns {id: status}."""

    def __init__(self, server):
        self.client = server.client()
        self.agent = self.ask("/agents/", {"name": "recorded", "type": "EXTERNAL"})["id"]
        self.scenario = self.ask("/scenarios/", {"name": "recorded"})["id"]
        self.run = self.ask("/runs/", {"scenario": self.scenario, "agent": self.agent, "status": "running"})["id"]

    def ask(self, path, body=None):
        answer = self.client.post(path, body, {"Prefer": "return=minimal"} if path.endswith("conversation") else None)
        if answer.status // 100 != 2:
            sys.exit(f"mutants: {path}: {answer}")
        return answer.json()

    def play(self, steps, assertions):
        test = self.ask("/tests/", {"scenario": self.scenario, "name": "recorded", "instruction": tau2.script(steps),
                                    "assertions": assertions})["id"]
        path = "/test-results/" + self.ask("/test-results/", {"agent": self.agent, "run": self.run, "test": test})["id"]
        is_answered = True
        for kind, content in steps:
            if kind == "tester":
                self.answer(path, is_answered)
                self.ask(path + "/next-message")
                is_answered = False
            else:
                self.ask(path + "/conversation", content)
                is_answered = is_answered or content["type"] == "message"
        self.answer(path, is_answered)
        if not self.ask(path + "/next-message")["end_chat"]:
            sys.exit(f"mutants: {path} does not end")
        scored = self.client.get(path, {"Prefer": "wait=30"}).json()
        if scored["status"] != "completed":
            sys.exit(f"mutants: {path} is {scored['status']}")
        return {row["id"]: row["status"] for row in scored["assertionResults"]}

    def answer(self, path, is_answered):
        """Records an empty message if the last turn has no reply, which the next turn needs (D47)."""
        if not is_answered:
            self.ask(path + "/conversation", {"type": "message", "content": ""})


def reason_of(kind, transcript, place, before):
    """Why no assertion noticed the fault."""
    if not transcript.assertions:
        return "the test asserts nothing"
    if kind == "alter an amount said":
        about = [row for row in transcript.assertions if row["type"] == "contains"]
        missing = "nothing is asserted of what is said"
    elif kind == "swap two calls":
        return "the order is not asserted"
    else:
        name = transcript.steps[place][1]["name"]
        about = [row for row in transcript.assertions if row["config"].get("name") == name]
        missing = "the tool is not asserted"
    if not about:
        return missing
    if all(before[row["id"]] != "passed" for row in about):
        return "what is asserted of it had failed already"
    return "asserted is another call, argument or amount"


def run(transcripts, seed, player):
    """The rows (transcript, kind, place, outcome) of all mutants."""
    rows = []
    for transcript in transcripts:
        before = player.play(transcript.steps, transcript.assertions)
        verdicts = [before[row["id"]] == "passed" for row in transcript.assertions]
        recorded = transcript.recorded
        if recorded is not None and verdicts[:len(recorded)] != recorded:
            sys.exit(f"mutants: {transcript.file} {transcript.number} is not scored as recorded")
        for kind, fault in FAULTS.items():
            made = fault(transcript, random.Random(f"{seed} {transcript.file} {transcript.number} {kind}"))
            if made is None:
                continue
            steps, place = made
            after = player.play(steps, transcript.assertions)
            is_killed = any(before[name] == "passed" != after[name] for name in before)
            rows.append((transcript, kind, place, "killed" if is_killed else reason_of(kind, transcript, place, before)))
    return rows


def table(rows):
    """A Markdown table of kinds and their outcomes."""
    outcomes = ["killed"] + sorted({row[3] for row in rows} - {"killed"})
    lines = ["| fault | mutants | " + " | ".join(outcomes) + " |", "|---|---" + "|---" * len(outcomes) + "|"]
    for kind in (*KINDS, "all"):
        counts = collections.Counter(row[3] for row in rows if kind in (row[1], "all"))
        total = sum(counts.values())
        share = f"{counts['killed']} ({counts['killed'] / total:.0%})" if total else "-"
        lines.append(f"| {kind} | {total} | {share} | " + " | ".join(str(counts[name]) for name in outcomes[1:]) + " |")
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--transcripts", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--golden", action="store_true")
    arguments.add_argument("--out", type=pathlib.Path)
    given = arguments.parse_args()
    found = load()
    if not found:
        print("skipped: the recordings are absent: set PARLEY_SHARED, or put them into ../shared")
        sys.exit(SKIPPED)
    drawn = random.Random(given.seed).sample(found, min(given.transcripts, len(found)))
    for transcript in drawn if given.golden else ():
        transcript.expect_its_calls()
    with servers.Server("--log-level", "warn") as server:
        rows = run(drawn, given.seed, Player(server))
    if given.out:
        given.out.write_text("".join(f"{transcript.file}\t{transcript.number}\t{kind}\tstep {place}\t{outcome}\n"
                                     for transcript, kind, place, outcome in rows))
    print(table(rows))
    killed = sum(row[3] == "killed" for row in rows)
    print(f"{len(drawn)} transcripts of {len(found)}, seed {given.seed}: {killed} of {len(rows)} mutants killed")
    if killed == 0:
        sys.exit("mutants: no assertion noticed anything")


if __name__ == "__main__":
    main()
