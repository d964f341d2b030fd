"""A reference model of scenarios, tests, runs and results, written from the decisions alone: plain Python, no clock, no
network. Each operation gives the HTTP status that must come back and changes the model as the service must.

A verdict lands at once unless scoring is paused. Runs are created `running`, agents are EXTERNAL."""
import itertools

TERMINAL = ("completed", "failed", "canceled")
WEIGHT = {"BLOCKER": 5, "MAJOR": 3, "MINOR": 1}
STATUSES = ("pending", "running", "completed", "failed", "canceled")


class Test:
    def __init__(self, lines, assertions):
        self.lines, self.assertions = lines, assertions
        self.is_enabled, self.is_archived = True, False


class Run:
    def __init__(self, tests, repetitions):
        self.status = "running"
        self.expected = {test: repetitions for test in tests if test.is_enabled and not test.is_archived}
        self.is_forgetful = False  # its client closed it: missing cases are not waited for (D44)
        self.canceled_by = None
        self.results = []

    def live(self):
        return [result for result in self.results if result.is_live]

    def counted(self):
        return [result for result in self.results if not result.is_retired]

    def settle(self):
        """D44: completes when nothing is live and every expected case has ended."""
        if self.status != "running" or self.live() or not self.results:
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
        """The computed keys of `result` (D35), without averages and repetitions."""
        rows = self.counted()
        completed = [result for result in rows if result.status == "completed"]
        decided = [result for result in completed if result.is_decided]
        passed = sum(result.overall_passed for result in decided)
        found = {status: sum(result.status == status for result in rows) for status in STATUSES}
        found.update(total=len(rows), passed=passed, notPassed=len(decided) - passed,
                     undecided=len(completed) - len(decided), score=None, passRate=None)
        if decided:
            found["score"] = half_up(sum(result.score for result in decided), len(decided))
            found["passRate"] = passed / len(decided)
        return found


class Result:
    def __init__(self, run, test, mode, previous=None):
        self.run, self.test, self.mode, self.previous = run, test, mode, previous
        self.lines, self.assertions = (previous.lines, previous.assertions) if previous else (test.lines,
                                                                                            test.assertions)
        self.lineage = previous.lineage if previous else []
        self.lineage.append(self)
        self.status, self.end_reason, self.is_claimed, self.is_retired = "pending", None, False, False
        self.score, self.overall_passed, self.is_decided, self.is_scored = 0, True, False, False
        self.entries = []       # [id, role, kind, text], in the order of the conversation
        self.position = 0       # next line of the script
        self.open_turn = None   # id of a tester turn without a reply
        self.is_covered = False  # something that is no reply was appended behind the open turn
        if run:
            run.results.append(self)

    @property
    def is_live(self):
        return self.status not in TERMINAL

    @property
    def is_waiting(self):
        return self.is_live and self.end_reason is not None and not self.is_claimed

    def shown(self):
        return {"status": self.status, "isEnded": self.end_reason is not None, "endReason": self.end_reason,
                "completionMode": self.mode, "isClaimed": self.is_claimed, "score": self.score,
                "overallPassed": self.overall_passed, "entries": [entry[0] for entry in self.entries],
                "isRetired": self.is_retired}

    def judge(self):
        """D33, D34 over the assertion kinds that the model knows."""
        said = [entry[3] for entry in self.entries if entry[1] == "chatbot" and entry[2] == "message"]
        tools = [entry[3] for entry in self.entries if entry[2] == "tool"]
        passed = failed = 0
        blockers_passed, blocker_skipped, is_any = True, False, False
        for kind, word, severity in self.assertions:
            if kind == "criteria":
                blocker_skipped |= severity == "BLOCKER"
                blockers_passed &= severity != "BLOCKER"
                continue
            is_any = True
            good = {"contains": any(word in text for text in said), "tool-called": word in tools,
                    "tool-not-called": word not in tools}[kind]
            passed += WEIGHT[severity] * good
            failed += WEIGHT[severity] * (not good)
            blockers_passed &= good or severity != "BLOCKER"
        if passed + failed:
            self.score = half_up(100 * passed, passed + failed)
        else:
            self.score = 0 if self.assertions else 100
        self.overall_passed = blockers_passed
        self.is_decided = not self.assertions or (is_any and not blocker_skipped)
        self.status, self.is_scored = "completed", True


def half_up(part, whole):
    return (2 * part + whole) // (2 * whole)


class Model:
    """Every operation returns the status that must be answered."""

    def __init__(self):
        self.is_paused = False
        self.results = []

    # ---- operations on results --------------------------------------------------------------------------------

    def create(self, run, test, mode):
        if test.is_archived and not (run and test in run.expected):
            return 400, None
        if run and run.status in ("canceled", "failed"):
            return 409, None
        result = Result(run, test, mode)
        self.results.append(result)
        if run:
            run.reopen()
        return 201, result

    def next_message(self, result, entry_id):
        """(status, what is said or None at the end). `entry_id` is what the service called a new turn."""
        if result.end_reason or not result.is_live:
            return 200, None
        if result.open_turn:
            return 200, next(entry[3] for entry in result.entries if entry[0] == result.open_turn)
        result.status = "running"
        if result.position == len(result.lines):
            result.end_reason = "tester_ended"
            if result.mode == "auto":
                self.claim(result)
            return 200, None
        text = result.lines[result.position]
        result.position += 1
        result.entries.append([entry_id, "tester", "message", text])
        result.open_turn, result.is_covered = entry_id, False
        return 200, text

    def takes_entries(self, result):
        return result.is_live and not result.is_claimed

    def post(self, result, kind, text, entry_id, anchor=None, is_before=False):
        if not self.takes_entries(result):
            return 409
        result.status = "running"
        entry = [entry_id, "chatbot", kind, text]
        if anchor is None:
            result.entries.append(entry)
            if kind == "message":
                result.open_turn = None
            else:
                result.is_covered = True
        else:
            place = next(n for n, other in enumerate(result.entries) if other[0] == anchor)
            result.entries.insert(place if is_before else place + 1, entry)
        return 201

    def patch_entry(self, result):
        return 200 if self.takes_entries(result) else 409

    def finish(self, result):
        if not result.is_live:
            return 400
        if result.is_claimed:
            return 409
        if not result.end_reason:
            return 400
        self.claim(result)
        return 202

    def patch_status(self, result, word):
        if word == result.status:
            return 200
        if word == "running" and result.status == "pending":
            result.status = "running"
        elif word == "failed" and result.is_live and not result.is_claimed:
            self.close(result, "failed", "client_error")
        elif word == "canceled" and (result.is_live or result.status == "completed"):
            self.close(result, "canceled", "canceled")
        else:
            return 409
        return 200

    def patch_mode(self, result, mode):
        if mode == result.mode:
            return 200
        if not result.is_live or result.is_claimed or (mode == "manual" and result.end_reason):
            return 409
        result.mode = mode
        if result.end_reason:
            self.claim(result)
        return 200

    def retry(self, result):
        run = result.run
        if any(other.is_live for other in result.lineage) or (run and run.canceled_by == "operation"):
            return 400, None
        clone = Result(run, result.test, result.mode, result)
        self.results.append(clone)
        for other in result.lineage[:-1]:
            other.status, other.is_retired = "canceled", True
        if run:
            run.reopen()
            run.canceled_by = None
        return 201, clone

    # ---- operations on runs -----------------------------------------------------------------------------------

    def cancel_run(self, run, by="operation"):
        if run.status in TERMINAL:
            return 400
        for result in run.live():
            self.close(result, "canceled", "canceled")
        run.status, run.canceled_by, run.is_forgetful = "canceled", by, True
        return 200

    def patch_run(self, run, word):
        if word == run.status:
            return 200
        if run.status in TERMINAL or word in ("new", "pending"):
            return 409
        if word == "canceled":
            return self.cancel_run(run, "patch")
        if run.live():
            return 409
        run.status, run.is_forgetful = word, True
        return 200

    # ---- what follows -----------------------------------------------------------------------------------------

    def pause(self, is_paused):
        self.is_paused = is_paused
        if not is_paused:
            for result in self.results:
                if result.is_live and result.is_claimed:
                    self.verdict(result)
        return 200

    def claim(self, result):
        result.is_claimed = True
        if not self.is_paused:
            self.verdict(result)

    def verdict(self, result):
        result.judge()
        self.settled(result)

    def close(self, result, status, reason):
        result.status = status
        result.end_reason = result.end_reason or reason
        self.settled(result)

    def settled(self, result):
        if result.run:
            result.run.settle()


def numbered(words):
    """Endless words for contents, so that entries differ."""
    return (f"{word} {number}" for number, word in zip(itertools.count(), itertools.cycle(words)))
