"""The records of the reference model: tests, runs with their counters (D35, D44), results."""
from statistics import NormalDist

from . import model_case

TERMINAL = ("completed", "failed", "canceled")
STATUSES = ("pending", "running", "completed", "failed", "canceled")
RUN_STATUSES = ("new", *STATUSES)
CAUSES = ("agent", "tester", "judge", "infrastructure", "client", "test", "answer", "passed", "unfinished")
HEAVY = ("conversation", "assertionResults", "claims", "review", "metadata", "externalLinks")


class Test:
    def __init__(self, scenario, instruction, assertions, parent=None):
        self.scenario, self.parent = scenario, parent
        self.instruction, self.assertions = instruction, assertions
        self.is_enabled, self.is_archived = True, False
        self.name, self.id, self.created_at = "", None, None

    def case(self, override=None):
        """(instruction, assertions) of a new result; `override` replaces the assertions of the test or its parent."""
        if self.parent:
            base = self.parent.assertions if not override else override
            return model_case.composed(self.parent.instruction, base, self.instruction, self.assertions)
        return self.instruction, list(override or self.assertions)


class Run:
    def __init__(self, scenario, status, tests, repetitions=1, configs=None, generate=False):
        self.scenario, self.status, self.repetitions, self.configs = scenario, status, repetitions, configs or []
        self.generate, self.tests = generate, tests
        self.is_forgetful = status in TERMINAL  # the run does not wait for missing cases (D44)
        self.canceled_by = "patch" if status == "canceled" else None
        self.is_launched = self.is_archived = False
        self.concurrent, self.given, self.results = 0, {}, []
        self.id = self.created_at = None
        self.expect()

    def expect(self):
        """Sets the expected cases: the enabled, unarchived tests times repetitions, or those of testConfigs (D44)."""
        if self.configs:
            self.expected = {test: count or self.repetitions for test, count in self.configs}
        else:
            self.expected = {test: self.repetitions for test in self.tests
                             if test.scenario is self.scenario and test.is_enabled and not test.is_archived}

    def is_launched_as(self, status):
        """Whether this status launches a run: pending, or running if generateResults is set (D43)."""
        return status == "pending" or (status == "running" and self.generate)

    def launch(self, status):
        """Launches the run; returns the cases to create."""
        self.status, self.is_launched = status, True
        self.expect()
        if not self.expected and self.generate:
            self.status = "completed"
        return dict(self.expected) if self.generate else {}

    def live(self):
        return [result for result in self.results if result.is_live]

    def counted(self):
        return [result for result in self.results if not result.retired_by]

    def settle(self):
        """Starts the run with its first running result; completes it when nothing is live and every case has ended (D40, D44)."""
        if self.status in ("new", "pending") and any(result.status == "running" for result in self.counted()):
            self.status = "running"
        if self.status in TERMINAL or self.live() or not self.results:
            return
        if not self.is_forgetful:
            for test, count in self.expected.items():
                if sum(result.test is test for result in self.counted()) < count:
                    return
        self.status = "completed"

    def reopen(self):
        if self.status in TERMINAL:
            self.status = "running"

    def outcome(self):
        """The field `result` of the run (D35)."""
        if not self.is_launched and not self.results:
            return dict(self.given)
        rows = self.counted()
        completed = [result for result in rows if result.status == "completed"]
        decided = [result for result in completed if result.is_decided]
        passed = sum(result.overall_passed for result in decided)
        found = {status: sum(result.status == status for result in rows) for status in STATUSES}
        found.update(total=len(rows), passed=passed, notPassed=len(decided) - passed,
                     undecided=len(completed) - len(decided), score=None, passRate=None,
                     averages=model_case.averages([entry for result in completed for entry in result.entries]),
                     repetitions=self.repeated(), **self.attempts(), **self.reliability())
        found.update(rates(decided))
        lacking = 0 if self.is_forgetful else sum(
            max(0, count - sum(result.test is test for result in rows)) for test, count in self.expected.items())
        found.update(trust(passed, len(decided), len(rows) + lacking))
        return {**self.given, **found}

    def repeated(self):
        rows = []
        for test in {result.test for result in self.counted() if result.test}:
            cases = [result for result in self.counted() if result.test is test]
            if len(cases) < 2:
                continue
            ended = [result for result in cases if result.status == "completed" and result.is_decided]
            runs, passed = len(ended), sum(result.overall_passed for result in ended)
            rows.append({"test": test.id, "runs": runs, "passed": passed, "flaky": 0 < passed < runs,
                         "passHatK": {str(k): share(passed, runs, k) for k in range(1, runs + 1)},
                         "passAtK": {str(k): 1 - share(runs - passed, runs, k) for k in range(1, runs + 1)}})
        return sorted(rows, key=lambda row: row["test"])

    def attempts(self):
        """The outcomes of the first attempts, and the causes of retries."""
        first = [result for result in self.results if not result.previous]
        decided = [result for result in first if result.before_retry() == "completed" and result.is_decided]
        passed = sum(result.overall_passed for result in decided)
        retries = {cause: 0 for cause in CAUSES}
        for result in self.results:
            if result.retired_by:
                retries[result.cause()] += 1
        return {"firstAttempts": {**rates(decided), "total": len(first), "passed": passed, "notPassed": len(decided) - passed},
                "retries": {**retries, "total": sum(retries.values())}}

    def reliability(self):
        """pass@k and pass^k over the tests with at least k decided results, and the tests with mixed outcomes."""
        counts = {}
        for result in self.counted():
            if result.test and result.status == "completed" and result.is_decided:
                runs, passed = counts.get(result.test.id, (0, 0))
                counts[result.test.id] = (runs + 1, passed + result.overall_passed)
        rows = []
        for k in range(1, 11):
            tests = [(runs, passed) for runs, passed in counts.values() if runs >= k]
            if not tests:
                break
            rows.append({"k": k, "tests": len(tests),
                         "passAtK": sum(1 - share(runs - passed, runs, k) for runs, passed in tests) / len(tests),
                         "passHatK": sum(share(passed, runs, k) for runs, passed in tests) / len(tests)})
        return {"passK": rows, "flaky": sorted(test for test, (runs, passed) in counts.items() if 0 < passed < runs)}

    def shown(self):
        return {"id": self.id, "scenario": self.scenario, "status": self.status, "repetitions": self.repetitions,
                "testConfigs": [(test.id, count) for test, count in self.configs], "isArchived": self.is_archived,
                "maxConcurrentTests": self.concurrent, "result": self.outcome()}


def rates(decided):
    """Score and pass rate of decided results."""
    if not decided:
        return {"score": None, "passRate": None}
    return {"score": model_case.half_up(sum(result.score for result in decided), len(decided)),
            "passRate": sum(result.overall_passed for result in decided) / len(decided)}


def trust(passed, decided, cases):
    """How reliable a pass rate is: coverage, 95 % Wilson interval, and bounds for undecided cases."""
    found = {"coverage": decided / cases if cases else 1, "interval": {"low": 0, "high": 1},
             "bounds": {"low": passed / cases, "high": (cases - decided + passed) / cases} if cases else {"low": 0, "high": 1}}
    if decided:
        z = NormalDist().inv_cdf(0.975)
        middle = (passed + z * z / 2) / (decided + z * z)
        half = z / (decided + z * z) * (passed * (decided - passed) / decided + z * z / 4) ** 0.5
        found["interval"] = {"low": max(0, middle - half), "high": min(1, middle + half)}
    return found


def share(some, whole, k):
    """C(some, k) / C(whole, k)."""
    found = 1.0
    for n in range(k):
        found *= max(some - n, 0) / (whole - n)
    return found


class Result:
    def __init__(self, run, test, case, mode="auto", previous=None, is_manual=False):
        self.run, self.test, self.mode, self.previous, self.is_manual = run, test, mode, previous, is_manual
        self.instruction, self.assertions = case
        self.script = model_case.Script(self.instruction)
        self.lineage = previous.lineage if previous else []
        self.lineage.append(self)
        self.status, self.end_reason, self.is_claimed, self.retired_by = "pending", None, False, None
        self.retired_from = None
        self.score, self.overall_passed, self.is_decided, self.verdicts = 0, True, False, None
        self.entries, self.registry = [], {}
        self.turns = self.position = 0
        self.used_rules = set()
        self.open_turn = None    # the tester's entry without a reply
        self.last_turn = None    # the tester's last entry
        self.tester_turns = []   # only these entries clear the registry
        self.metadata, self.links, self.service = {}, [], {}
        self.id = self.created_at = None
        if previous:
            self.service["previous_test_result_id"] = previous.id
        if run:
            run.results.append(self)

    def before_retry(self):
        return self.retired_from or self.status

    def cause(self):
        """Why this attempt was retried."""
        if self.before_retry() == "failed":
            return self.service["error"]
        if self.before_retry() != "completed":
            return "unfinished"
        if self.is_decided:
            return "passed" if self.overall_passed else "answer"
        opened = [row for row, word in zip(self.assertions, self.verdicts) if word in ("skipped", "error")]
        opened.sort(key=lambda row: row["severity"] != "BLOCKER")
        return "test" if opened and opened[0]["type"] != "criteria" else "judge"

    @property
    def is_live(self):
        return self.status not in TERMINAL

    @property
    def is_waiting(self):
        return self.is_live and self.end_reason is not None and not self.is_claimed

    @property
    def takes_entries(self):
        return self.is_live and not self.is_claimed

    def said_since_turn(self):
        """The text of the chatbot's messages since the last tester turn; None if there are no entries since."""
        begin = self.entries.index(self.last_turn) + 1 if self.last_turn else 0
        behind = self.entries[begin:]
        if not behind:
            return None
        return "\n".join(entry["content"] for entry in behind if model_case.is_chatbot_message(entry))

    def registry_at(self, place):
        """The actions that the chatbot had registered at the place of a late entry."""
        registry = {}
        for entry in self.entries[:place]:
            if any(entry is turn for turn in self.tester_turns):
                registry = {}
            if entry["type"].endswith("-event"):
                registry.update({action["name"]: action for action in entry["metadata"].get("actions", [])})
        return registry

    def start(self):
        if self.status == "pending":
            self.status = "running"
            if self.run:
                self.run.settle()

    def shown(self):
        pending = ["pending"] * len(self.assertions)
        rows = [(row["type"], row["severity"], row.get("name"), word)
                for row, word in zip(self.assertions, self.verdicts or pending)]
        return {"id": self.id, "test": self.test and self.test.id, "run": self.run and self.run.id, "status": self.status,
                "isEnded": self.end_reason is not None, "endReason": self.end_reason, "completionMode": self.mode,
                "isClaimed": self.is_claimed, "isManual": self.is_manual, "score": self.score,
                "overallPassed": self.overall_passed, "conversation": self.entries, "assertionResults": rows,
                "metadata": {**self.metadata, **self.service}, "externalLinks": self.links,
                "testInstruction": self.instruction, "retiredBy": self.retired_by and self.retired_by.id, "claims": [],
                "review": None, "isArchived": False, "averages": model_case.averages(self.entries),
                "personality": None, "sourceConversationLog": None,
                "testCreatedAt": self.test and self.test.created_at}
