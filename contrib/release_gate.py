#!/usr/bin/env python3
"""Decides whether a release may go out: waits for the run that tested it, and prints the reasons against it.

    PARLEY_KEY=... release_gate.py --url http://127.0.0.1:7410 --run 0198...
    PARLEY_KEY=... release_gate.py --url http://127.0.0.1:7410 --run 0198... --baseline 0197... --junit gate.xml

A run is green if it is `completed`, has results, played everything that was planned, decided every result (`coverage` 1) and
every assertion that counts, and passed: `passRate`, the share of results whose BLOCKER assertions all passed, is at least
--min-pass-rate. Compared with a baseline, no test may have regressed, seem worse while more repetitions could decide it, or
have been played less often.
Exit status: 0 green, 1 red, 2 undecided (wrong usage, a server that is unreachable or refuses, a time-out, an unusable
baseline). Needs only Python 3.9, and parley_verdicts.py in the same folder.
"""
import argparse
import collections
import dataclasses
import os
import re
import sys
import time
import xml.etree.ElementTree as xml

try:
    from parley_verdicts import TERMINAL, Service, Untold, Verdict, matters, one_line, verdict_of
except ImportError:    # an exit status of 1 would say that the release is bad
    print("could not tell: parley_verdicts.py must be in the folder of release_gate.py", file=sys.stderr)
    sys.exit(2)

GREEN, RED, UNTOLD = 0, 1, 2
LINES_MAX = 20     # per list of reasons; the file of --junit has all
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclasses.dataclass(frozen=True)
class Looked:
    """What a full result says: its verdict, whether it has a BLOCKER, whether any assertion counts, and its warnings."""
    verdict: Verdict
    blocks: bool
    asserts: bool
    warnings: tuple = ()


@dataclasses.dataclass(frozen=True)
class Case:
    """A result and what it says. The names of repetitions have a number, so that names are unique."""
    id: str
    test: tuple    # (id of the test, id of the personality), the unit of a comparison
    name: str
    looked: Looked

    @property
    def verdict(self):
        return self.looked.verdict


def key_of(row):
    """The key (test id, personality id) of a result or of a row of a comparison."""
    return tuple(row[link]["id"] if row[link] else None for link in ("test", "personality"))


def name_of(row):
    name = row["test"]["name"] or row["test"]["id"] if row["test"] else "no test"
    return f"{name} as {row['personality']['name']}" if row["personality"] else name


def looked_at(result, allows_open):
    asserted = result["assertionResults"]
    return Looked(verdict_of(result, allows_open), any(each["severity"] == "BLOCKER" for each in asserted), any(map(matters, asserted)),
                  tuple(f"{each['code']}: {each['detail']}" for each in result.get("warnings", [])))


def cases_of(service, rows, options):
    """Reads in full each result that no retry replaced, because the score in its row ignores undecided assertions."""
    rows = [row for row in rows if row["retiredBy"] is None]
    names, number, cases = {}, collections.Counter(), []
    for row in rows:    # two tests may share a name
        names.setdefault(name_of(row), []).append(key_of(row))
    for row, looked in zip(rows, service.each_whole(rows, lambda result: looked_at(result, options.allow_open_assertions))):
        name = name_of(row)
        number[name] += 1
        if len(names[name]) > 1:
            name = f"{name} #{number[name]}"
        cases.append(Case(row["id"], key_of(row), name, looked))
    return cases


@dataclasses.dataclass(frozen=True)
class Plan:
    """How often each (test, personality) was planned, and its name; the personality None means any. `fresh`: the names of
    tests that were created too late for the run."""
    times: dict
    names: dict
    fresh: list


def plan_of(service, run, rows):
    """The plan from the run's testConfigs or, without any, from the enabled tests of its scenario (D44). A test that was created
    after the last result that is not a retry cannot have been planned."""
    planned = [(each, each["repetitions"] or run["repetitions"]) for each in run["testConfigs"]]
    fresh = []
    if not planned:
        retries = {row["retiredBy"] for row in rows}
        latest = max(row["createdAt"] for row in rows if row["id"] not in retries)
        enabled = [each for each in service.tests(run["scenario"]["id"]) if each["isEnabled"]]
        planned = [({"test": each, "personality": None}, run["repetitions"]) for each in enabled if each["createdAt"] <= latest]
        fresh = [each["name"] or each["id"] for each in enabled if each["createdAt"] > latest]
    times, names = collections.Counter(), {}
    for row, repetitions in planned:
        times[key_of(row)] += repetitions
        names[key_of(row)] = name_of(row)
    for test in {test for test, personality in times if personality}:
        if (test, None) in names:
            names[test, None] += " as anybody"
    return Plan(times, names, fresh)


def missing_of(plan, cases, found):
    """One line for each test or test and personality that was played less often than planned, or than in the baseline."""
    played = collections.Counter(case.test for case in cases)
    by_anybody = collections.Counter(case.test[0] for case in cases)    # without the results that count for a named personality
    for (test, personality), times in plan.times.items():
        if personality:
            by_anybody[test] -= min(times, played[test, personality])
    counts = {key: played[key] if key[1] else by_anybody[key[0]] for key in plan.times}
    short = [key for key, times in plan.times.items() if counts[key] < times]
    lines = [f"{plan.names[key]}: {counts[key]} of {plan.times[key]}" for key in short]
    for row in found["tests"] if found else []:
        key, before = key_of(row), row["pairs"] + row["open"]    # the larger number of the two runs
        if played[key] < before and key not in short and (key[0], None) not in short:
            lines.append(f"{name_of(row)}: {played[key]}, in the baseline {before}")
    return lines


def counted(number, noun):
    """`1 result`, `2 results`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(lines):
    """At most LINES_MAX lines, indented."""
    lines = list(lines)
    more = [f"... and {len(lines) - LINES_MAX} more"] if len(lines) > LINES_MAX else []
    return "".join(f"\n    {one_line(line)}" for line in lines[:LINES_MAX] + more)


def grouped(reported):
    """Groups pairs (words, case): one line for each wording, with the number of results and the first of them."""
    groups = {}
    for words, case in reported:
        groups.setdefault(words, []).append(case)
    return listed(f"{len(group)} x {words[:300]} ({group[0].name}, {group[0].id})" for words, group in groups.items())


def of_kind(cases, kind):
    return grouped((f"{case.verdict.cause}: {case.verdict.words}", case)
                   for case in cases if case.verdict.kind == kind and not (kind == "error" and case.verdict.open))


def open_of(cases):
    """The undecided assertions of results that count as decided, grouped; empty if no result has any."""
    return grouped((case.verdict.open, case) for case in cases if case.verdict.open)


def faults_of_run(run, cases, options):
    """Why the run by itself is red."""
    counts = run["result"]
    if run["status"] != "completed":
        yield f"the run is `{run['status']}`, not `completed`"
    if not counts.get("total") or not cases:
        yield "the run has no results"
        return
    if counts["coverage"] != 1:
        open_ = ", ".join(f"{counts[key]} {key}" for key in ("failed", "canceled", "undecided") if counts[key])
        yield (f"coverage is {counts['coverage']:.3g}, not 1: of {counted(counts['total'], 'result')} {open_ or 'some are missing'}"
               f"{of_kind(cases, 'error')}")
    if counts["passRate"] is not None and counts["passRate"] < options.min_pass_rate:
        decided = counts["passed"] + counts["notPassed"]
        yield (f"pass rate is {counts['passRate']:.3g}, {counts['passed']} of {decided}; {options.min_pass_rate:g} is needed"
               f"{of_kind(cases, 'failure')}")
    if counts["score"] is not None and options.min_score is not None and counts["score"] < options.min_score:
        yield f"score is {counts['score']}; {options.min_score:g} is needed"
    opened = open_of(cases)
    if opened and not options.allow_open_assertions:
        yield f"assertions that nothing decided (--allow-open-assertions lets them pass):{opened}"
    if options.min_score is None and not any(case.looked.blocks for case in cases):
        yield "no assertion has severity BLOCKER, so none could have failed a result: give one to the tests, or --min-score"
    elif not any(case.looked.asserts for case in cases):
        yield "no result has an assertion that counts, so none could have cost it a point: give one to the tests"


def faults_of_plan(missing, options):
    if missing and not options.allow_missing:
        yield f"played in part (--allow-missing lets it pass):{listed(missing)}"


def faults_of_comparison(found, options):
    """Why the run is red in comparison with the baseline."""
    def worse(row):
        played = row["trialsAfter"]
        of = f" of {played}" if played != row["trialsBefore"] else ""
        return f"passed {row['passedBefore']} of {row['trialsBefore']}, now {row['passedAfter']}{of}; p {row['p']:.2g}"

    def may_be_worse(row):
        return row["change"] == "undecided" and fell(row) and row["furtherRepetitions"] is not None

    def fell(row):
        return row["passedAfter"] * row["trialsBefore"] < row["passedBefore"] * row["trialsAfter"]

    rows = [("all tests together", found["overall"]), *((name_of(row), row) for row in found["tests"])]
    regressed = [f"{name}: {worse(row)}" for name, row in rows if row["change"] == "regressed"]
    if regressed:
        yield f"regressed:{listed(regressed)}"
    unclear = [f"{name}: {worse(row)}; repetitions that would decide: {row['furtherRepetitions']} more"
               for name, row in rows if may_be_worse(row)]
    if unclear and not options.allow_undecided:
        yield f"worse, but perhaps by chance (--allow-undecided lets it pass):{listed(unclear)}"


def notes_of(run, cases, plan, found):
    """Notes that deserve attention even if the run is green."""
    if plan and plan.fresh:
        yield f"tests that were created after this run's results and were not played:{listed(plan.fresh)}"
    idle = sum(1 for case in cases if case.verdict.kind == "passed" and not case.looked.asserts)
    if idle:
        have = "it has" if idle == 1 else "they have"
        yield f"{counted(idle, 'result')} passed because {have} no assertion that counts"
    retried = [f"{count} {cause}" for cause, count in run["result"].get("retries", {}).items() if count and cause != "total"]
    if retried:
        yield f"attempts that a retry replaced, by outcome: {', '.join(retried)}"
    warned = grouped((warning, case) for case in cases for warning in case.looked.warnings)
    if warned:
        yield f"warnings, reasons why a result may mean less than it seems to:{warned}"
    lesser = sum(1 for case in cases if case.verdict.kind == "passed" and case.verdict.words)
    if lesser:
        yield f"{counted(lesser, 'result')} passed with failed assertions that are not BLOCKERs"
    tried = {case.test for case in cases}
    fresh = [name_of(row) for row in found["tests"] if row["trialsBefore"] == 0 and key_of(row) in tried] if found else []
    if fresh and run["result"].get("coverage") == 1:
        yield f"without a counterpart in the baseline:{listed(fresh)}"


def allowed(cases, missing, options):
    """Notes on what would be red without an option that allows it."""
    opened = open_of(cases)
    if opened and options.allow_open_assertions:
        yield f"--allow-open-assertions lets pass what nothing decided:{opened}"
    if missing and options.allow_missing:
        yield f"--allow-missing lets pass what was not played:{listed(missing)}"


def measure(service, run, options):
    """The baseline; raises Untold if the run cannot be compared with it."""
    if options.baseline == options.run:
        raise Untold("the baseline is the run itself")
    baseline = service.run(options.baseline)
    if baseline["scenario"]["id"] != run["scenario"]["id"]:
        raise Untold("the baseline is a run of another scenario")
    if baseline["status"] != "completed" or not baseline["result"].get("total") or baseline["result"]["coverage"] != 1:
        raise Untold(f"the baseline is `{baseline['status']}` with coverage {baseline['result'].get('coverage', 0):.3g}: "
                     "take a run whose results were all decided")
    return baseline


def junit(suite_name, cases, words):
    """JUnit XML with one test case for each result. An error says nothing about the agent; `words` is the gate's text."""
    def clean(text):
        return NOT_IN_XML.sub("\ufffd", text)

    kinds = collections.Counter(case.verdict.kind for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(kinds["failure"]), "errors": str(kinds["error"]), "skipped": "0"}
    root = xml.Element("testsuites", counts)
    suite = xml.SubElement(root, "testsuite", name=clean(suite_name), **counts)
    for case in cases:
        element = xml.SubElement(suite, "testcase", classname=clean(suite_name), name=clean(case.name))
        verdict = case.verdict
        if verdict.kind != "passed":
            told_ = xml.SubElement(element, verdict.kind, type=clean(verdict.cause), message=clean(verdict.words))
            told_.text = f"test result {case.id}"
        elif verdict.words:
            xml.SubElement(element, "system-out").text = clean(f"failed, no BLOCKER: {verdict.words}")
        if verdict.kind == "passed" and verdict.open:
            xml.SubElement(element, "system-out").text = clean(f"not decided: {verdict.open}")
        for warning in case.looked.warnings:
            xml.SubElement(element, "system-out").text = clean(f"warning {warning}")
    xml.SubElement(suite, "system-out").text = clean(words)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True)


@dataclasses.dataclass
class Outcome:
    """What the gate knows so far. It is reported even if the outcome is undecided."""
    status: int = UNTOLD
    title: str = "release gate"
    cases: list = dataclasses.field(default_factory=list)
    words: str = ""


def decide(service, options, outcome):
    run = service.run(options.run)
    outcome.title = run["scenario"]["name"] or run["scenario"]["id"]
    # Report an unusable baseline before waiting.
    baseline = measure(service, run, options) if options.baseline else None
    run = service.awaited_run(options.run)
    service.deadline = time.monotonic() + options.read_timeout
    rows = service.results(run["id"])
    outcome.cases = cases = cases_of(service, rows, options)
    counts = run["result"]
    if run["status"] not in TERMINAL:
        raise Untold(f"time-out: the run is still `{run['status']}`, {counts.get('pending', 0)} results pending, "
                     f"{counts.get('running', 0)} running")
    plan = plan_of(service, run, rows) if cases else None
    found = service.get(f"/runs/{baseline['id']}/compare/{run['id']}") if baseline else None
    missing = missing_of(plan, cases, found) if plan else []
    now = service.run(options.run)
    if (now["status"], now["result"]) != (run["status"], run["result"]):
        raise Untold("the run changed while it was read: a result was retried, rescored or reviewed")
    faults = [*faults_of_run(run, cases, options), *faults_of_plan(missing, options),
              *(faults_of_comparison(found, options) if found else [])]
    outcome.status = RED if faults else GREEN
    tried = one_line(f"run {run['id']} of {outcome.title}, agent {run['agent']['name']}")
    lines = [f"{'red' if faults else 'green'}: {tried}: {counts.get('passed', 0)} of {counts.get('total', 0)} results passed, "
             f"score {counts.get('score')}"]
    lines += [f"  {each}" for each in faults]
    lines += [f"  note: {each}" for each in [*allowed(cases, missing, options), *notes_of(run, cases, plan, found)]]
    outcome.words = "\n".join(lines)


def main(options):
    outcome = Outcome()
    try:
        decide(Service(options.url, options.key, time.monotonic() + options.timeout), options, outcome)
    except Untold as fault:
        outcome.words = f"could not tell: {fault}"
    except Exception as fault:    # an exit status of 1 would say that the release is bad
        outcome.words = f"could not tell: {type(fault).__name__}: {fault}; is {options.url} the service?"
    print(outcome.words, file=sys.stderr if outcome.status == UNTOLD else sys.stdout, flush=True)
    if options.junit:
        try:
            with open(options.junit, "wb") as file:
                file.write(junit(outcome.title, outcome.cases, outcome.words))
        except OSError as fault:
            print(f"cannot write --junit: {fault}", file=sys.stderr)
            return outcome.status or UNTOLD
    return outcome.status


def number_to(most):
    """A parser for argparse: a number from 0 to `most`. A ValueError is a usage error."""
    def number(text):
        if not 0 <= float(text) <= most:
            raise ValueError
        return float(text)
    return number


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="URL of the parley server")
    parser.add_argument("--run", required=True, help="id of the run that tested the release")
    parser.add_argument("--baseline", help="id of a run of the same scenario to compare with; must not be empty")
    parser.add_argument("--timeout", type=number_to(1e6), default=3600, help="seconds to wait for the run's end (3600)")
    parser.add_argument("--read-timeout", type=number_to(1e6), default=600, help="seconds to read its results after that (600)")
    parser.add_argument("--min-pass-rate", type=number_to(1), default=1, help="0 to 1 (1)")
    parser.add_argument("--min-score", type=number_to(100), help="0 to 100, of all assertions by weight (not checked)")
    parser.add_argument("--allow-undecided", action="store_true", help="accept tests that got worse, but perhaps by chance")
    parser.add_argument("--allow-missing", action="store_true", help="accept cases that were not played, or were played less often than in the baseline")
    parser.add_argument("--allow-open-assertions", action="store_true",
                        help="accept undecided assertions: no judge, or no answer from it, or a value that was never recorded")
    parser.add_argument("--junit", metavar="FILE", help="writes a testcase for each result, as JUnit XML")
    parsed = parser.parse_args()
    parsed.key = os.environ.get("PARLEY_KEY", "").strip()
    if not re.fullmatch("[!-~]+", parsed.key):    # an HTTP library would show an invalid key in its error
        parser.error("PARLEY_KEY must hold an API key")
    for name in ("run", "baseline"):    # for example from an unset shell variable
        if getattr(parsed, name) == "":
            parser.error(f"argument --{name}: is empty")
    return parsed


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")    # text in any language, whatever the encoding of the terminal
    sys.exit(main(parsed()))
