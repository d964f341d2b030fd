"""How a world compares the answers of the server with the model: single records, lists with filters, paging, sorting
and minimal rows."""
import time

from . import model

WITHIN_S = 20  # for changes after an answer: a verdict, the end of a run


class Difference(AssertionError):
    pass


class Checks:
    def __init__(self, own_model):
        self.model = own_model
        self.count = 0       # operations sent and compared
        self.requests = 0    # all requests, including reads for checks
        self.trace = []      # (method, path, body, status)
        self.awaited = set()
        self.seen = {}       # record id -> (content, updatedAt) as last shown

    # ---- asking -----------------------------------------------------------------------------------------------

    def ask(self, method, path, body=None, headers=None):
        self.requests += 1
        answer = yield (method, path, body, headers)
        if self.trace[-1:] != [(method, path, body, answer.status)]:  # repeated reads are noted once
            self.trace.append((method, path, body, answer.status))
        return answer

    def command(self, method, path, body, status, headers=None):
        answer = yield from self.ask(method, path, body, headers)
        self.count += 1
        self.equal(answer.status, status, f"{method} {path} {body}: {answer}")
        return answer

    @staticmethod
    def equal(seen, wanted, what):
        if seen != wanted:
            if isinstance(seen, dict) and isinstance(wanted, dict):
                keys = {key for key in {*seen, *wanted} if seen.get(key, ...) != wanted.get(key, ...)}
                seen = {key: seen.get(key, "(absent)") for key in keys}
                wanted = {key: wanted.get(key, "(absent)") for key in keys}
            raise Difference(f"{what}\n  seen     {seen}\n  expected {wanted}")

    def becomes(self, path, read, wanted, what):
        """Reads the record until it is as expected; returns the answer."""
        until = time.monotonic() + WITHIN_S
        for tries in range(1 << 30):
            answer = yield from self.ask("GET", path)
            seen = read(answer.json()) if answer.status == 200 else answer.status
            if seen == wanted:
                return answer
            if time.monotonic() > until:
                self.equal(seen, wanted, what)
            if tries > 3:
                time.sleep(0.002)

    # ---- reading records --------------------------------------------------------------------------------------

    @staticmethod
    def entry_of(shown):
        return {key: shown[key] for key in ("id", "type", "role", "content", "name", "metadata", "turn")}

    def result_of(self, shown):
        """A full row in the form of the model."""
        found = {key: shown[key] for key in (
            "id", "status", "isEnded", "endReason", "completionMode", "isManual", "score", "overallPassed", "externalLinks",
            "testInstruction", "retiredBy", "claims", "review", "isArchived", "personality", "sourceConversationLog",
            "testCreatedAt")}
        found["test"], found["run"] = [shown[key] and shown[key]["id"] for key in ("test", "run")]
        found["isClaimed"] = shown["scoringEnqueuedAt"] is not None
        found["conversation"] = [self.entry_of(entry) for entry in shown["conversation"]]
        found["assertionResults"] = [(row["type"], row["severity"], row.get("name"), row["status"])
                                     for row in shown["assertionResults"]]
        found["metadata"] = dict(shown["metadata"])
        if "error" in found["metadata"]:
            found["metadata"]["error"] = found["metadata"]["error"]["source"]
        found["averages"] = rounded(shown["averages"])
        return found

    @staticmethod
    def run_of(shown):
        found = {key: shown[key] for key in ("id", "status", "repetitions", "isArchived", "maxConcurrentTests")}
        found["scenario"] = shown["scenario"]["id"]
        found["testConfigs"] = [(row["test"]["id"], row["repetitions"]) for row in shown["testConfigs"]]
        found["result"] = outcome_of(shown["result"])
        found["result"].pop("warnings", None)  # read_warnings compares them with the warnings of the results
        return found

    def wanted_result(self, result):
        return {**result.shown(), "averages": rounded(result.shown()["averages"])}

    @staticmethod
    def wanted_run(run):
        return {**run.shown(), "result": outcome_of(run.outcome())}

    def check_times(self, shown, leave=()):
        """updatedAt changes with every change and never moves backwards (D7)."""
        content = {key: value for key, value in shown.items() if key not in ("updatedAt", *leave)}
        before, at = self.seen.get(shown["id"], (None, ""))
        if before is not None and (shown["updatedAt"] < at or (before != content and shown["updatedAt"] == at)):
            changed = [key for key in content if content[key] != before.get(key)]
            raise Difference(f"updatedAt was {at} and is {shown['updatedAt']}; changed: {changed}")
        self.seen[shown["id"]] = (content, shown["updatedAt"])

    # ---- comparing single records -----------------------------------------------------------------------------

    def check_body(self, result, shown):
        self.equal(self.result_of(shown), self.wanted_result(result), f"result {result.id} in an answer")
        self.check_times(shown, ("run", "test", "agent"))

    def check_result(self, result, answer=None):
        """Compares the answer if it shows the final state of the result; otherwise reads the result."""
        is_settled = answer is not None and answer.status == 200 and not result.is_claimed
        if is_settled:
            self.check_body(result, answer.json())
        else:
            looked = yield from self.becomes(f"/test-results/{result.id}", self.result_of, self.wanted_result(result),
                                             f"result {result.id}")
            self.check_times(looked.json(), ("run", "test", "agent"))
        if result.run:
            yield from self.check_run(result.run)

    def check_run(self, run):
        """Reads the whole run only if its status in the model has changed."""
        if run.__dict__.get("looked") != run.status:
            yield from self.check_run_whole(run)

    def check_run_whole(self, run):
        looked = yield from self.becomes(f"/runs/{run.id}", self.run_of, self.wanted_run(run), f"run {run.id}")
        self.check_times(looked.json(), ("result", "usage", "scenario", "agent", "runGroup"))
        run.looked = run.status

    def read_result(self, rnd):
        result = self.some_result(rnd, lambda one: True)
        if result:
            self.count += 1
            yield from self.check_result(result)

    def read_run(self, rnd):
        self.count += 1
        yield from self.check_run_whole(self.some_run(rnd))

    def read_warnings(self, rnd):
        """The run counts the warnings that its results list (D97)."""
        run = self.some_run(rnd)
        self.count += 1
        until = time.monotonic() + WITHIN_S
        while True:
            rows = (yield from self.ask("GET", f"/runs/{run.id}/test-results?output=minimal&limit=1000")).json()["data"]
            counted = (yield from self.ask("GET", f"/runs/{run.id}")).json()["result"].get("warnings", {})
            listed = {}
            for code in (warning["code"] for row in rows for warning in row["warnings"]):
                listed[code] = listed.get(code, 0) + 1
            if counted == listed:
                return
            if time.monotonic() > until:
                self.equal(counted, listed, f"warnings of run {run.id}")

    # ---- lists ------------------------------------------------------------------------------------------------

    def page(self, rnd, path, rows, fields, read, wanted):
        """A random page of `rows` (model records that match), sorted by one of `fields` {name: key of the record}."""
        name = rnd.choice([None, "createdAt", *fields])
        is_up, limit = rnd.random() < 0.5, rnd.choice([1, 3, 10, 50])
        number = rnd.choice([1, 1, 1, 2, 3])
        key = fields.get(name, lambda record: record.created_at)
        ordered = sorted(rows, key=lambda record: (key(record), record.id), reverse=not is_up)
        parts = [f"page={number}", f"limit={limit}"] + ([f"sortBy={name}"] if name else [])
        parts += ["sortOrder=asc"] if is_up else rnd.choice([[], ["sortOrder=desc"]])
        answer = yield from self.ask("GET", path + ("&" if "?" in path else "?") + "&".join(parts))
        self.count += 1
        self.equal(answer.status, 200, answer)
        shown = answer.json()
        expected = ordered[(number - 1) * limit:number * limit]
        self.equal({key: shown[key] for key in ("total", "page", "limit")},
                   {"total": len(rows), "page": number, "limit": limit}, path)
        self.equal([row["id"] for row in shown["data"]], [record.id for record in expected], f"{path} {parts}")
        for row, record in zip(shown["data"], expected):
            self.equal(read(row), wanted(record), f"a row of {path}")

    def list_results(self, rnd):
        rows, filters = list(self.model.results), []
        run = self.some_run(rnd)
        path = "/test-results/"
        if rnd.random() < 0.5:
            path, rows = f"/runs/{run.id}/test-results", list(run.results)
        else:
            filters.append(f"agent={self.agent}")
            if rnd.random() < 0.4:
                filters.append(f"run={run.id}")
                rows = list(run.results)
            if rnd.random() < 0.3:
                test = rnd.choice(self.model.tests)
                filters.append(f"test={test.id}")
                rows = [result for result in rows if result.test is test]
        if rnd.random() < 0.5:
            word = rnd.choice(model.STATUSES)
            filters.append(f"status={word}")
            rows = [result for result in rows if result.status == word]
        retired = rnd.choice(["", "", "false", "true", "all"])
        filters += [f"retired={retired}"] if retired else []
        rows = [result for result in rows if retired == "all" or bool(result.retired_by) == (retired == "true")]
        is_minimal = rnd.random() < 0.6
        filters += ["output=minimal"] if is_minimal else []
        if rnd.random() < 0.05:
            filters, rows = [*filters, "archived=true"], []
        fields = {"status": lambda one: one.status, "score": lambda one: one.score, "isEnded": lambda one: bool(one.end_reason),
                  "overallPassed": lambda one: one.overall_passed, "completionMode": lambda one: one.mode,
                  "isManual": lambda one: one.is_manual, "testInstruction": lambda one: one.instruction.encode()}
        leave = model.HEAVY if is_minimal else ()

        def read(row):
            self.equal([key for key in leave if key in row], [], "heavy fields of a minimal row")
            return without(self.result_of({**dict.fromkeys(("conversation", "assertionResults"), ()), "metadata": {},
                                           **dict.fromkeys(("claims", "review", "externalLinks")), **row}), leave)
        yield from self.page(rnd, path + ("?" if filters else "") + "&".join(filters), rows, fields, read,
                             lambda one: without(self.wanted_result(one), leave))

    def list_runs(self, rnd):
        filters, rows = [f"scenario={self.scenario}" if rnd.random() < 0.5 else f"agent={self.agent}"], self.model.runs
        is_archived = rnd.random() < 0.2
        filters += ["archived=true"] if is_archived else []
        rows = [run for run in rows if run.is_archived == is_archived]
        if rnd.random() < 0.5:
            word = rnd.choice(model.RUN_STATUSES)
            filters.append(f"status={word}")
            rows = [run for run in rows if run.status == word]
        is_minimal = rnd.random() < 0.5
        filters += ["output=minimal"] if is_minimal else []

        def lean(shown):
            if is_minimal:
                shown = without(shown, ("testConfigs",))
                shown["result"] = {key: shown["result"][key] for key in ("score", "passRate", "total") if key in shown["result"]}
            return shown
        yield from self.page(rnd, "/runs/?" + "&".join(filters), rows,
                             {"repetitions": lambda run: run.repetitions, "status": lambda run: run.status,
                              "maxConcurrentTests": lambda run: run.concurrent},
                             lambda row: self.run_of({"testConfigs": [], **row}) if not is_minimal else
                             without(self.run_of({"testConfigs": [], **row}), ("testConfigs",)),
                             lambda run: lean(self.minimal_truth(run) if is_minimal else self.wanted_run(run)))

    def minimal_truth(self, run):
        """The expected minimal row: only the computed keys (D24), or none before they exist."""
        shown = self.wanted_run(run)
        if not run.is_launched and not run.results:
            shown["result"] = {}
        return shown

    def list_tests(self, rnd):
        rows, filters = list(self.model.tests), []
        path = f"/scenarios/{self.scenario}/tests" if rnd.random() < 0.5 else f"/tests/?scenario={self.scenario}"
        is_archived = rnd.random() < 0.3
        filters += [f"archived={str(is_archived).lower()}"]
        rows = [test for test in rows if test.is_archived == is_archived]
        if rnd.random() < 0.3:
            parent = rnd.choice(self.model.tests)
            filters.append(f"parentTest={parent.id}")
            rows = [test for test in rows if test.parent is parent]
        if rnd.random() < 0.3:
            filters.append("name=gree")
            rows = [test for test in rows if "gree" in test.name]
        path += ("&" if "?" in path else "?") + "&".join(filters)
        yield from self.page(rnd, path, rows, {"name": lambda test: test.name, "isEnabled": lambda test: test.is_enabled},
                             lambda row: (row["instruction"], row["isEnabled"], row["parentTest"], row["name"]),
                             lambda test: (test.instruction, test.is_enabled, test.parent and test.parent.id, test.name))


def without(record, keys):
    return {key: value for key, value in record.items() if key not in keys}


def rounded(numbers):
    return {key: value if value is None else round(value, 9) for key, value in numbers.items()}


def outcome_of(result):
    """The `result` of a run with rounded means, which may differ in the last bit, and with rows sorted by test."""
    found = dict(result)
    if isinstance(found.get("averages"), dict):
        found["averages"] = rounded(found["averages"])
    if "firstAttempts" in found:
        found["firstAttempts"] = rounded(found["firstAttempts"])
        found["flaky"] = sorted(test["id"] if isinstance(test, dict) else test for test in found["flaky"])
        found["passK"] = [rounded(row) for row in found["passK"]]
    for key in ("interval", "bounds"):
        if isinstance(found.get(key), dict):
            found[key] = rounded(found[key])
    if isinstance(found.get("coverage"), float):
        found["coverage"] = round(found["coverage"], 9)
    if isinstance(found.get("passRate"), float):
        found["passRate"] = round(found["passRate"], 9)
    if isinstance(found.get("repetitions"), list):
        found["repetitions"] = sorted(
            ({**row, "test": row["test"]["id"] if isinstance(row["test"], dict) else row["test"],
              "passHatK": rounded(row["passHatK"]), "passAtK": rounded(row["passAtK"])} for row in found["repetitions"]),
            key=lambda row: row["test"])
    return found
