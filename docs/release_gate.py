#!/usr/bin/env python3
"""Decides whether a release may go out: waits for the run that tried it, and says in words why it may not.

    PARLEY_KEY=... release_gate.py --url http://127.0.0.1:7410 --run 0198...
    PARLEY_KEY=... release_gate.py --url http://127.0.0.1:7410 --run 0198... --baseline 0197... --junit gate.xml

Green is a run that is `completed`, has results, decided every one of them (`coverage` 1), and passed: `passRate`, the share
of results whose BLOCKER assertions all passed, is --min-pass-rate or more. Against a baseline no test may have regressed,
nor be worse in a way that more repetitions would decide, nor be missing.
Exit status: 0 green, 1 red, 2 could not tell (wrong use, the service away or refusing, time-out, a baseline that is no
measure). Python 3.9 and nothing else.
"""
import argparse
import collections
import dataclasses
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml

GREEN, RED, UNTOLD = 0, 1, 2
TERMINAL = ("completed", "failed", "canceled")
AWAY_S_MAX = 60    # a restart of the service takes seconds
WAIT_S_MAX = 20    # of one request: proxies give up after 30 or 60
REPLY_S_MAX = 30   # beyond the wait: a comparison of large runs takes seconds
ROWS_MAX = 1000    # of one page
LINES_MAX = 20     # of one list of reasons; --junit has all
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Untold(Exception):
    """Whether the release is good cannot be told."""


class Service:
    """Reads from the service until the deadline (of time.monotonic)."""

    def __init__(self, url, key, deadline):
        self.url, self.key, self.deadline = url.rstrip("/"), key, deadline

    def get(self, path, **headers):
        """The JSON of the answer. Asks again where the service is away or busy, for a minute and not beyond the deadline."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.key}", **headers})
        until = None
        while True:
            left_s = max(0, self.deadline - time.monotonic())
            try:
                with urllib.request.urlopen(request, timeout=min(left_s, WAIT_S_MAX) + REPLY_S_MAX) as answer:
                    text = answer.read()
                return json.loads(text)
            except urllib.error.HTTPError as fault:
                why = f"GET {path}: {fault.code} {words_of(fault)}"
                if fault.code < 500 and fault.code != 429:
                    raise Untold(why) from None
            except ValueError:
                raise Untold(f"GET {path}: the answer is no JSON; is {self.url} the service?") from None
            except (OSError, http.client.HTTPException) as fault:
                why = f"GET {path}: {fault or type(fault).__name__}"
            until = until or min(self.deadline, time.monotonic() + AWAY_S_MAX)
            if time.monotonic() >= until:
                raise Untold(why)
            print(f"asking again: {why}", file=sys.stderr, flush=True)
            time.sleep(1)

    def run(self, run_id, wait_s=0):
        return self.get(f"/runs/{urllib.parse.quote(run_id, safe='')}", Prefer=f"wait={wait_s}")

    def awaited_run(self, run_id):
        """The run once its status is terminal, whichever that is, or as it is at the deadline."""
        while True:
            left_s = self.deadline - time.monotonic()
            run = self.run(run_id, max(0, min(WAIT_S_MAX, int(left_s))))
            if run["status"] in TERMINAL or left_s <= 0:
                return run
            time.sleep(min(1, left_s))

    def rows(self, run_id):
        """Lean rows of the results that no retry replaced, oldest first."""
        rows, page, total = [], 1, 1
        while (page - 1) * ROWS_MAX < total:
            answer = self.get(f"/runs/{run_id}/test-results?output=minimal&limit={ROWS_MAX}&sortOrder=asc&page={page}")
            rows += [row for row in answer["data"] if row["retiredBy"] is None]
            page, total = page + 1, answer["total"]
        return rows

    def result(self, row):
        return self.get(f"/test-results/{row['id']}")


def words_of(fault):
    """What an error of the service says of itself."""
    text = fault.read().decode(errors="replace")
    try:
        problem = json.loads(text)
        return " ".join([problem["detail"], *(each["detail"] for each in problem.get("errors", []))])
    except (ValueError, KeyError, TypeError):
        return one_line(text[:200])


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What a result says of the agent: `passed`, a `failure`, or an `error`, which says nothing of it."""
    kind: str
    cause: str = ""    # of a failure BLOCKER, of an error whose fault it is
    words: str = ""


def one_line(text):
    """What a chatbot said may hold line ends, and a log would take what follows for lines of its own."""
    return CONTROLS.sub(" ", text)


def told(assertions):
    return "; ".join(f"{each.get('name') or each['type']}: {each['reason']}" for each in assertions)


def verdict_of(result):
    """Takes a whole result. Only one that is completed and decided says something of the agent."""
    if result["status"] != "completed":
        fault = result["metadata"].get("error") or {}
        words = ": ".join(str(fault[key]) for key in ("code", "detail") if fault.get(key))
        return Verdict("error", fault.get("source") or result["status"], words or result["endReason"] or result["status"])
    review = result["review"]
    if review and not review["valid"]:
        return Verdict("error", review["faultSource"] or "review", f"no valid trial: {review['reason']}")
    asserted = result["assertionResults"]
    blockers = [each for each in asserted if each["severity"] == "BLOCKER"]
    void = [each for each in blockers if each["status"] not in ("passed", "failed")]
    if asserted and all(each["status"] not in ("passed", "failed") for each in asserted):
        void = asserted
    if void:
        return Verdict("error", "judge" if void[0]["type"] == "criteria" else "test", told(void))
    failed = [each for each in asserted if each["status"] == "failed"]
    if not result["overallPassed"]:
        return Verdict("failure", "BLOCKER", told(each for each in failed if each["severity"] == "BLOCKER"))
    return Verdict("passed", words=told(failed))


@dataclasses.dataclass(frozen=True)
class Case:
    """A result with its verdict; repetitions have a number in their name, so that no two are the same."""
    id: str
    test: tuple    # ids of test and personality, as a comparison keeps them apart
    name: str
    verdict: Verdict


def key_of(row):
    """Of a result, or of a test in a comparison."""
    return tuple(row[link]["id"] if row[link] else None for link in ("test", "personality"))


def name_of(row):
    name = row["test"]["name"] or row["test"]["id"] if row["test"] else "no test"
    return f"{name} as {row['personality']['name']}" if row["personality"] else name


def cases_of(service, run):
    """Of results that passed in every respect the lean row is enough, unless some results of the run are undecided."""
    rows = service.rows(run["id"])
    names, number, cases = {}, collections.Counter(), []
    for row in rows:    # two tests may have one name
        names.setdefault(name_of(row), []).append(key_of(row))
    for row in rows:
        plain = row["status"] == "completed" and row["overallPassed"] and row["score"] == 100
        whole = not plain or run["result"].get("undecided", 0) > 0
        name = name_of(row)
        number[name] += 1
        if len(names[name]) > 1:
            name = f"{name} #{number[name]}"
        cases.append(Case(row["id"], key_of(row), name, verdict_of(service.result(row)) if whole else Verdict("passed")))
    return cases


def blocks(service, cases):
    """Whether some assertion could have failed a result. Looks at one result of each test, up to the first that has one."""
    one_each = {case.test if case.test[0] else case.id: case for case in cases}
    return any(each["severity"] == "BLOCKER" for case in one_each.values()
               for each in service.get(f"/test-results/{case.id}")["assertionResults"])


def listed(lines):
    """At most LINES_MAX of them, indented."""
    lines = list(lines)
    more = [f"... and {len(lines) - LINES_MAX} more"] if len(lines) > LINES_MAX else []
    return "".join(f"\n    {one_line(line)}" for line in lines[:LINES_MAX] + more)


def of_kind(cases, kind):
    """A line for each cause and wording, with how many results have it and the first of them."""
    groups = {}
    for case in cases:
        if case.verdict.kind == kind:
            groups.setdefault((case.verdict.cause, case.verdict.words), []).append(case)
    return listed(f"{len(group)} x {cause}: {words[:300]} ({group[0].name}, {group[0].id})"
                  for (cause, words), group in groups.items())


def faults_of_run(service, run, cases, options):
    """Why the run is red by itself."""
    counts = run["result"]
    if run["status"] != "completed":
        yield f"the run is `{run['status']}`, not `completed`"
    if not counts.get("total") or not cases:
        yield "the run has no results"
        return
    if counts["coverage"] != 1:
        open_ = ", ".join(f"{counts[key]} {key}" for key in ("failed", "canceled", "undecided") if counts[key])
        yield (f"coverage is {counts['coverage']:.3g}, not 1: of {counts['total']} results {open_ or 'some are missing'}"
               f"{of_kind(cases, 'error')}")
    if counts["passRate"] is not None and counts["passRate"] < options.min_pass_rate:
        decided = counts["passed"] + counts["notPassed"]
        yield (f"pass rate is {counts['passRate']:.3g}, {counts['passed']} of {decided}; {options.min_pass_rate:g} is needed"
               f"{of_kind(cases, 'failure')}")
    if counts["score"] is not None and options.min_score is not None and counts["score"] < options.min_score:
        yield f"score is {counts['score']}; {options.min_score:g} is needed"
    if options.min_score is None and not blocks(service, cases):
        yield "no assertion has severity BLOCKER, so none could have failed a result: give one to the tests, or --min-score"


def faults_of_comparison(found, cases, options):
    """Why the run is red beside the baseline."""
    def worse(row):
        return f"passed {row['passedBefore']} of {row['pairs']}, now {row['passedAfter']}; p {row['p']:.2g}"

    def may_be_worse(row):
        return row["change"] == "undecided" and row["worse"] > row["better"] and row["furtherRepetitions"] is not None

    rows = [("all tests together", found["overall"]), *((name_of(row), row) for row in found["tests"])]
    regressed = [f"{name}: {worse(row)}" for name, row in rows if row["change"] == "regressed"]
    if regressed:
        yield f"regressed:{listed(regressed)}"
    unclear = [f"{name}: {worse(row)}; repetitions that would tell: {row['furtherRepetitions']} more"
               for name, row in rows if may_be_worse(row)]
    if unclear and not options.allow_undecided:
        yield f"worse, but perhaps by chance (--allow-undecided lets it pass):{listed(unclear)}"
    tried = {case.test for case in cases}
    missing = [name_of(row) for row in found["tests"] if key_of(row) not in tried]
    if missing and not options.allow_missing:
        yield f"tests of the baseline without a result in this run (--allow-missing lets it pass):{listed(missing)}"


def notes_of(run, cases, found):
    """What is worth a look in a green run, too."""
    retried = [f"{count} {cause}" for cause, count in run["result"].get("retries", {}).items() if count and cause != "total"]
    if retried:
        yield f"attempts that a retry replaced, by what they had come to: {', '.join(retried)}"
    lesser = sum(1 for case in cases if case.verdict.kind == "passed" and case.verdict.words)
    if lesser:
        yield f"{lesser} results passed with assertions that failed and are no BLOCKER"
    tried = {case.test for case in cases}
    fresh = [name_of(row) for row in found["tests"] if row["pairs"] == 0 and key_of(row) in tried] if found else []
    if fresh and run["result"].get("coverage") == 1:
        yield f"without a counterpart in the baseline:{listed(fresh)}"


def measure(service, run, options):
    """The baseline; raises where nothing can be compared with it."""
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
    """One testcase a result. An error is what says nothing of the agent; `words` are the gate's."""
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
    xml.SubElement(suite, "system-out").text = clean(words)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True)


@dataclasses.dataclass
class Outcome:
    """What the gate knows so far, and keeps where it cannot tell."""
    status: int = UNTOLD
    title: str = "release gate"
    cases: list = dataclasses.field(default_factory=list)
    words: str = ""


def decide(service, options, outcome):
    run = service.run(options.run)
    outcome.title = run["scenario"]["name"] or run["scenario"]["id"]
    # A baseline that is no measure is told before the wait.
    baseline = measure(service, run, options) if options.baseline else None
    run = service.awaited_run(options.run)
    outcome.cases = cases = cases_of(service, run)
    counts = run["result"]
    if run["status"] not in TERMINAL:
        raise Untold(f"time-out: the run is still `{run['status']}`, {counts.get('pending', 0)} results pending, "
                     f"{counts.get('running', 0)} running")
    faults, found = list(faults_of_run(service, run, cases, options)), None
    if baseline:
        found = service.get(f"/runs/{baseline['id']}/compare/{run['id']}")
        faults += faults_of_comparison(found, cases, options)
    now = service.run(options.run)
    if (now["status"], now["result"]) != (run["status"], run["result"]):
        raise Untold("the run changed while it was looked at: a result was retried, scored again or reviewed")
    outcome.status = RED if faults else GREEN
    tried = one_line(f"run {run['id']} of {outcome.title}, agent {run['agent']['name']}")
    lines = [f"{'red' if faults else 'green'}: {tried}: {counts.get('passed', 0)} of {counts.get('total', 0)} results passed, "
             f"score {counts.get('score')}"]
    lines += [f"  {each}" for each in faults]
    lines += [f"  note: {each}" for each in notes_of(run, cases, found)]
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
    """What argparse takes for a number from 0 to this; a ValueError is a wrong use, also of what is no number at all."""
    def number(text):
        if not 0 <= float(text) <= most:
            raise ValueError
        return float(text)
    return number


def parsed():

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="where the service is")
    parser.add_argument("--run", required=True, help="id of the run that tried the release")
    parser.add_argument("--baseline", help="id of a run of the same scenario that is to be held; may not be empty")
    parser.add_argument("--timeout", type=number_to(1e6), default=3600, help="seconds to wait for the run's end (3600)")
    parser.add_argument("--min-pass-rate", type=number_to(1), default=1, help="0 to 1 (1)")
    parser.add_argument("--min-score", type=number_to(100), help="0 to 100, of all assertions by weight (not looked at)")
    parser.add_argument("--allow-undecided", action="store_true", help="lets pass what is worse, but perhaps by chance")
    parser.add_argument("--allow-missing", action="store_true", help="lets pass that tests of the baseline were not tried")
    parser.add_argument("--junit", metavar="FILE", help="writes a testcase for each result, as JUnit XML")
    parsed = parser.parse_args()
    parsed.key = os.environ.get("PARLEY_KEY", "").strip()
    if not re.fullmatch("[!-~]+", parsed.key):    # an HTTP library would show it in its complaint
        parser.error("PARLEY_KEY must hold an API key")
    for name in ("run", "baseline"):    # as of a shell variable that was never set
        if getattr(parsed, name) == "":
            parser.error(f"argument --{name}: is empty")
    return parsed


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")    # words of any language, whatever the terminal takes
    sys.exit(main(parsed()))
