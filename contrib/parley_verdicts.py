"""Reads runs and results from the server, and decides what a result says about the agent.

A module: copy it to the folder of release_gate.py, and next to local_runner.py if you use --verdicts, so that both scripts
decide by the same rules. Needs only Python 3.9.
"""
import concurrent.futures
import dataclasses
import http.client
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TERMINAL = ("completed", "failed", "canceled")
DECIDED = ("passed", "failed")
AWAY_S_MAX = 60    # a restart of the server takes seconds
WAIT_S_MAX = 20    # per request: proxies give up after 30 or 60
REPLY_S_MAX = 30   # in addition to the wait: a comparison of large runs takes seconds
ROWS_MAX = 1000    # per page
TESTS_MAX = 100    # tests per page: they contain instructions and assertions
READS_MAX = 8      # concurrent
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Untold(Exception):
    """The gate cannot decide whether the release is good."""


class Service:
    """Reads from the server until the deadline (time.monotonic)."""

    def __init__(self, url, key, deadline):
        self.url, self.key, self.deadline = url.rstrip("/"), key, deadline

    def get(self, path, wait_s=0):
        """The JSON of the answer. Retries while the server is unreachable or busy: for a minute, but not after the deadline."""
        headers = {"Authorization": f"Bearer {self.key}", **({"Prefer": f"wait={wait_s}"} if wait_s else {})}
        request = urllib.request.Request(self.url + path, headers=headers)
        until = None
        while True:
            try:
                with urllib.request.urlopen(request, timeout=wait_s + REPLY_S_MAX) as answer:
                    text = answer.read()
                return json.loads(text)
            except urllib.error.HTTPError as fault:
                why = f"GET {path}: {fault.code} {words_of(fault)}"
                if fault.code < 500 and fault.code != 429:
                    raise Untold(why) from None
            except ValueError:
                raise Untold(f"GET {path}: the answer is not JSON; is {self.url} the service?") from None
            except (OSError, http.client.HTTPException) as fault:
                why = f"GET {path}: {fault or type(fault).__name__}"
            until = until or min(self.deadline, time.monotonic() + AWAY_S_MAX)
            if time.monotonic() >= until:
                raise Untold(why)
            print(f"asking again: {why}", file=sys.stderr, flush=True)
            time.sleep(1)

    def in_time(self, path):
        """GET for the many requests that read a run. No request begins after the deadline."""
        if time.monotonic() >= self.deadline:
            raise Untold("time-out: the results of the run could not be read within --read-timeout")
        return self.get(path)

    def run(self, run_id, wait_s=0):
        return self.get(f"/runs/{urllib.parse.quote(run_id, safe='')}", wait_s)

    def awaited_run(self, run_id):
        """The run once it has any terminal status, or its state at the deadline."""
        while True:
            left_s = self.deadline - time.monotonic()
            run = self.run(run_id, max(0, min(WAIT_S_MAX, int(left_s))))
            if run["status"] in TERMINAL or left_s <= 0:
                return run
            time.sleep(min(1, left_s))

    def rows(self, path, rows_max):
        """All rows of a list, oldest first."""
        rows, page, total = [], 1, 1
        while (page - 1) * rows_max < total:
            answer = self.in_time(f"{path}limit={rows_max}&sortOrder=asc&page={page}")
            rows += answer["data"]
            page, total = page + 1, answer["total"]
        return rows

    def results(self, run_id):
        """Minimal rows, oldest first, including results that a retry replaced."""
        return self.rows(f"/runs/{run_id}/test-results?retired=all&output=minimal&", ROWS_MAX)

    def tests(self, scenario_id):
        """The tests of the scenario, without archived ones."""
        return self.rows(f"/scenarios/{scenario_id}/tests?", TESTS_MAX)

    def each_whole(self, rows, taken):
        """The values of `taken` for each full result, in the order of the rows; several results are read concurrently."""
        with concurrent.futures.ThreadPoolExecutor(READS_MAX) as pool:
            return list(pool.map(lambda row: taken(self.in_time(f"/test-results/{row['id']}")), rows))


def words_of(fault):
    """The text of an error answer."""
    text = fault.read().decode(errors="replace")
    try:
        problem = json.loads(text)
        return " ".join([problem["detail"], *(each["detail"] for each in problem.get("errors", []))])
    except (ValueError, KeyError, TypeError):
        return one_line(text[:200])


def one_line(text):
    """Replaces control characters: a line end in a chatbot's text could otherwise forge lines of a log."""
    return CONTROLS.sub(" ", text)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What a result says about the agent: `passed`, `failure`, or `error`, which says nothing about the agent."""
    kind: str
    cause: str = ""    # BLOCKER for a failure, the source of the fault for an error
    words: str = ""
    open: str = ""     # undecided assertions that count, in words, of a result that counts as decided


def names_of(assertions):
    return "; ".join(f"{each.get('name') or each['type']}: {each['reason']}" for each in assertions)


def matters(assertion):
    """An assertion of weight 0 that is not a BLOCKER changes neither score nor verdict."""
    return assertion["severity"] == "BLOCKER" or assertion["weight"] != 0


def error_of(assertions):
    """(kind, cause, words) for undecided assertions: the judge was unavailable, or a value was never recorded."""
    return "error", "judge" if any(each["type"] == "criteria" for each in assertions) else "test", names_of(assertions)


def verdict_of(result, allows_open=False):
    """The verdict on a full result. Only a completed and decided result says something about the agent. It passes if every
    BLOCKER passed and no other assertion that counts is undecided, unless `allows_open` permits those."""
    if result["status"] != "completed":
        fault = result["metadata"].get("error") or {}
        words = ": ".join(str(fault[key]) for key in ("code", "detail") if fault.get(key))
        return Verdict("error", fault.get("source") or result["status"], words or result["endReason"] or result["status"])
    review = result["review"]
    if review and not review["valid"]:
        return Verdict("error", review["faultSource"] or "review", f"no valid trial: {review['reason']}")
    asserted = result["assertionResults"]
    undecided = [each for each in asserted if each["status"] not in DECIDED]
    void = undecided if len(undecided) == len(asserted) else [each for each in undecided if each["severity"] == "BLOCKER"]
    if void:
        return Verdict(*error_of(void))
    failed = [each for each in asserted if each["status"] == "failed"]
    left_open = [each for each in undecided if matters(each)]
    if not result["overallPassed"]:
        return Verdict("failure", "BLOCKER", names_of(each for each in failed if each["severity"] == "BLOCKER"), names_of(left_open))
    if left_open and not allows_open:
        return Verdict(*error_of(left_open), open=names_of(left_open))
    return Verdict("passed", words=names_of(failed), open=names_of(left_open))
