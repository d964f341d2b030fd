"""One independent world of the comparison with the reference model: its own scenario, agent, tests, runs and
results, and a sequence of random operations on them.

Every operation is a generator that yields requests (method, path, body, headers) and receives the answers, so that one loop
can drive many worlds concurrently. An operation uses only the random numbers of its own seed, so a sequence stays valid when
operations are removed, as shrinking requires."""
import itertools
import random

from . import model
from .world_checks import Checks

KINDS = [{"type": "contains", "config": {"value": "fine"}}, {"type": "contains", "config": {"value": "bad", "negate": True}},
         {"type": "contains", "config": {"value": "so", "scope": "all"}},
         {"type": "equals", "config": {"value": "done", "scope": "last"}},
         {"type": "tool-called", "config": {"name": "buy"}}, {"type": "tool-called", "config": {"name": "buy", "max": 1}},
         {"type": "tool-not-called", "config": {"name": "sell"}},
         {"type": "tool-order", "config": {"names": ["look", "buy"]}},
         {"type": "tool-order", "config": {"names": ["buy"], "mode": "strict"}},
         {"type": "event-recorded", "config": {"name": "form"}}, {"type": "action-invoked", "config": {"name": "press"}},
         {"type": "max-turns", "config": {"value": 2}}, {"type": "min-turns", "config": {"value": 2}},
         {"type": "end-reason", "config": {"value": "goal_reached"}}, {"type": "tokens", "config": {"max": 40}},
         {"type": "cost", "config": {"max": 1.5}}, {"type": "response-time", "config": {"max": 700}},
         {"type": "json", "config": {"pointer": "/k", "entries": "tools", "exists": True}},
         {"type": "criteria", "criteria": "is polite"}]
LINES = ["say: hello", "say: one more thing", "Any other line.", "# a comment", "", 'invoke: press {"n": 2}', "invoke: press {}",
         "invoke: look", "if /blue/ say: blue it is", 'if /blue|so/ invoke: press {"n": 1}', "end if /done/", "max turns: 2", "end"]
WEIGHTS = [12, 8, 8, 3, 3, 4, 1, 3, 3, 2, 3, 1, 1]
WORDS = ["fine", "bad", "so so", "it is blue", "done"]
PRESS = {"name": "press", "description": "presses", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
LOOK = {"name": "look", "description": "looks"}
NUMBERS = {"responseTime": [250, 500, 1000], "inputTokens": [8, 16], "outputTokens": [4, "many"], "cost": [0.25, 0.5, 1]}
RECENT = 10  # operations choose among the newest results and runs, so that each record sees many operations


class World(Checks):
    """`count`: the number of operations that were sent and compared."""

    def __init__(self, number):
        super().__init__(model.Model())
        self.number, self.words = number, itertools.count()

    def setup(self):
        """Creates the records that every operation may use."""
        self.agent = (yield from self.made("/agents/", {"name": f"agent {self.number}", "type": "EXTERNAL"}))["id"]
        self.disabled = (yield from self.made("/agents/", {"name": "off", "isEnabled": False}))["id"]
        self.scenario, self.other = yield from self.two_scenarios()
        rnd = random.Random(self.number)
        for _ in range(3):
            yield from self.make_test(rnd)
        stranger = model.Test(self.other, "say: x", [])
        shown = yield from self.made("/tests/", {"scenario": self.other, "instruction": "say: x"})
        stranger.id, stranger.created_at = shown["id"], shown["createdAt"]
        self.stranger = stranger
        yield from self.make_run(rnd)

    def two_scenarios(self):
        first = yield from self.made("/scenarios/", {"name": "s"})
        second = yield from self.made("/scenarios/", {"name": "t"})
        return first["id"], second["id"]

    def made(self, path, body):
        answer = yield from self.ask("POST", path, body)
        self.equal(answer.status, 201, answer)
        return answer.json()

    def operate(self, name, seed):
        """One operation of a sequence. It starts with settled records: only paused verdicts are pending."""
        yield from getattr(self, name)(random.Random(seed))

    # ---- choice -----------------------------------------------------------------------------------------------

    def some_result(self, rnd, wanted=None):
        recent = self.model.results[-RECENT:]
        liked = [result for result in recent if (wanted(result) if wanted else result.is_live)]
        return rnd.choice(liked if liked and rnd.random() < 0.7 else recent) if recent else None

    def some_run(self, rnd):
        return rnd.choice(self.model.runs[-4:])

    def some_assertions(self, rnd, count):
        rows = []
        for number, kind in enumerate(rnd.sample(KINDS, min(count, len(KINDS)))):
            row = {**kind, "severity": rnd.choice(["BLOCKER", "MAJOR", "MAJOR", "MINOR"]), "name": f"a{number}"}
            if rnd.random() < 0.1:
                row["weight"] = rnd.randrange(0, 9)
            rows.append(row)
        return rows + [{"type": "criteria", "criteria": "more", "severity": "MINOR"}] * (count - len(rows))

    @staticmethod
    def an_instruction(rnd, is_variant=False):
        """A random script. `max turns` may appear only once, so a variant leaves it to its parent."""
        lines = rnd.choices(LINES, WEIGHTS, k=rnd.randrange(0, 5))
        bound = [line for line in lines if line.startswith("max turns")]
        lines = [line for line in lines if line not in bound]
        return "\n".join(lines if is_variant else bound[:1] + lines)

    # ---- tests ------------------------------------------------------------------------------------------------

    def make_test(self, rnd):
        parents = [test for test in self.model.tests if not test.parent]
        parent = rnd.choice(parents) if parents and rnd.random() < 0.3 else None
        test = model.Test(self.scenario, self.an_instruction(rnd, parent is not None),
                          self.some_assertions(rnd, rnd.choice([0, 1, 2, 3, 4])), parent)
        test.name = rnd.choice(["red", "green", "Greenish"])
        shown = yield from self.made("/tests/", {
            "scenario": self.scenario, "name": test.name, "instruction": test.instruction, "assertions": test.assertions,
            **({"parentTest": parent.id} if parent else {})})
        self.count += 1
        test.id, test.created_at = shown["id"], shown["createdAt"]
        self.model.tests.append(test)

    def change_test(self, rnd):
        test, body = rnd.choice(self.model.tests), {}
        what = rnd.randrange(4)
        if what == 0:
            test.is_enabled = body["isEnabled"] = not test.is_enabled
        elif what == 1:
            test.is_archived = body["isArchived"] = not test.is_archived
        elif what == 2:
            test.instruction = body["instruction"] = self.an_instruction(rnd, test.parent is not None)
        else:
            test.assertions = body["assertions"] = self.some_assertions(rnd, rnd.randrange(4))
        yield from self.command("PATCH", f"/tests/{test.id}", body, 200)

    # ---- runs -------------------------------------------------------------------------------------------------

    def make_run(self, rnd):
        status = rnd.choice(["running"] * 5 + ["new", "new", "pending", "completed", "failed", "canceled"])
        configs = []
        if rnd.random() < 0.3:
            configs = [(test, rnd.choice([None, 1, 2])) for test in rnd.sample(self.model.tests[-5:], 1)]
        body = {"scenario": self.scenario, "agent": self.agent, "status": status, "repetitions": rnd.choice([1, 1, 2, 3]),
                "maxConcurrentTests": rnd.choice([0, 5]), "generateResults": rnd.random() < 0.5}
        if configs:
            body["testConfigs"] = [{"test": test.id, **({"repetitions": count} if count else {})} for test, count in configs]
        if any(test.is_archived for test, _ in configs):
            return (yield from self.command("POST", "/runs/", body, 400))
        run = model.Run(self.scenario, status, self.model.tests, body["repetitions"], configs, body["generateResults"])
        run.concurrent = body["maxConcurrentTests"]
        cases = run.launch(status) if run.is_launched_as(status) else {}
        answer = yield from self.command("POST", "/runs/", body, 201)
        run.id, run.created_at = answer.json()["id"], answer.json()["createdAt"]
        self.model.runs.append(run)
        yield from self.generated(run, cases)
        yield from self.check_run(run)

    def generated(self, run, cases):
        """Adds the results of a launch to the model."""
        if not cases:
            return
        rows = (yield from self.ask("GET", f"/runs/{run.id}/test-results?sortOrder=asc&limit=1000")).json()["data"]
        known = {result.id for result in run.results}
        new = [row for row in rows if row["id"] not in known]
        wanted = sorted(test.id for test, count in cases.items() for _ in range(count))
        self.equal(sorted(row["test"]["id"] for row in new), wanted, "what a launch makes")
        tests = {test.id: test for test in cases}
        for row in new:
            test = tests[row["test"]["id"]]
            result = self.model.add(model.Result(run, test, test.case()))
            result.id, result.created_at = row["id"], row["createdAt"]

    def change_run(self, rnd):
        run, body = self.some_run(rnd), {}
        if rnd.random() < 0.6:
            body["status"] = rnd.choice(model.RUN_STATUSES)
        if rnd.random() < 0.2:
            body["isArchived"] = rnd.random() < 0.5
        if rnd.random() < 0.3:
            body["result"] = rnd.choice([{}, {"note": 1}, {"score": "mine", "x": [1]}])
        status, cases = self.model.patch_run(run, body)
        yield from self.command("PATCH", f"/runs/{run.id}", body, status)
        yield from self.generated(run, cases)
        yield from self.check_run_whole(run)

    def cancel_run(self, rnd):
        run = self.some_run(rnd)
        yield from self.command("POST", f"/runs/{run.id}/cancel", None, self.model.cancel_run(run))
        yield from self.check_run_whole(run)

    # ---- results ----------------------------------------------------------------------------------------------

    def make_result(self, rnd):
        run = rnd.choice([None, self.some_run(rnd), self.some_run(rnd)])
        test = rnd.choice(self.model.tests[-6:] + [None]) if rnd.random() < 0.95 else self.stranger
        if run and test and test.is_archived and run.is_forgetful:
            return  # the decisions do not define whether a forgotten case is still expected
        body = {"agent": self.agent, "completionMode": rnd.choice(["auto", "auto", "manual"])}
        if run:
            body["run"] = run.id
        if test:
            body["test"] = test.id
        if rnd.random() < 0.1:
            body["isManual"] = True
        if not test or rnd.random() < 0.1:
            body["testInstruction"] = self.an_instruction(rnd)
        if rnd.random() < 0.2:
            body["assertionResults"] = self.some_assertions(rnd, rnd.choice([1, 2, 3, 12, 15, 16]))
        if rnd.random() < 0.2:
            body["metadata"] = {"botId": rnd.randrange(3)}
        if rnd.random() < 0.1:
            body["externalLinks"] = [{"url": "http://x", "name": str(n)} for n in range(rnd.choice([1, 10, 11]))]
        is_usable = rnd.random() >= 0.03 or run is not None
        if not is_usable:
            body["agent"] = self.disabled
        status, result = self.model.create(run, test, body["completionMode"], body.get("assertionResults"),
                                           body.get("testInstruction"), body.get("isManual", False),
                                           body.get("externalLinks", ()), is_usable)
        answer = yield from self.command("POST", "/test-results/", body, status)
        if result:
            shown = answer.json()
            result.id, result.created_at, result.metadata = shown["id"], shown["createdAt"], body.get("metadata", {})
            self.check_body(result, shown)
        if run:
            yield from self.check_run(run)

    def patch_result(self, rnd):
        result, body = self.some_result(rnd), {}
        if not result:
            return
        if rnd.random() < 0.5:
            body["status"] = rnd.choice([*model.STATUSES, "canceled", "done"])
        if rnd.random() < 0.5:
            body["completionMode"] = rnd.choice(["auto", "manual"])
        if rnd.random() < 0.3:
            body["metadata"] = rnd.choice([{}, {"chatId": 1}, {"tester": "script"}, {"tester": "nobody"}])
        if rnd.random() < 0.2:
            body["externalLinks"] = [{"url": "u"}] * rnd.choice([0, 1, 10, 11])
        status = self.model.patch(result, body)
        answer = yield from self.command("PATCH", f"/test-results/{result.id}", body, status)
        yield from self.check_result(result, answer)

    def finish(self, rnd):
        result = self.some_result(rnd, lambda one: one.is_waiting or (one.is_manual and one.is_live))
        if result:
            status = self.model.finish(result)
            answer = yield from self.command("POST", f"/test-results/{result.id}/finish", None, status)
            yield from self.check_result(result, answer)

    def retry(self, rnd):
        result = self.some_result(rnd, lambda one: not one.is_live)
        if not result:
            return
        status, clone = self.model.retry(result)
        answer = yield from self.command("POST", f"/test-results/{result.id}/retry", None, status)
        if clone:
            clone.id, clone.created_at = answer.json()["id"], answer.json()["createdAt"]
            clone.service["previous_test_result_id"] = result.id
            self.check_body(clone, answer.json())
            for other in result.lineage:
                yield from self.check_result(other)
        else:
            yield from self.check_result(result)

    # ---- the conversation -------------------------------------------------------------------------------------

    def next_turn(self, rnd, result=None):
        result = result or self.some_result(rnd)
        if not result:
            return
        status, entry = self.model.next_message(result)
        answer = yield from self.command("POST", f"/test-results/{result.id}/next-message", None, status,
                                         {"Prefer": "wait=20"})
        if status == 200:
            turn = answer.json()
            wanted = {"message": None, "action": None, "end_chat": entry is None, "ready": True, "message_id": None}
            if entry:
                entry.setdefault("id", turn["message_id"])
                wanted["message_id"] = entry["id"]
                if entry["type"] == "action":
                    wanted["action"] = {"name": entry["name"], "arguments": entry["metadata"]["arguments"]}
                else:
                    wanted["message"] = entry["content"]
            self.equal(turn, wanted, "the tester's turn")
        if entry is None or rnd.random() < 0.15:
            yield from self.check_result(result)
        elif result.run and result.turns == 1:
            yield from self.check_run(result.run)

    def play_on(self, rnd):
        """A few turns and replies of one result, so that many results reach their end."""
        result = self.some_result(rnd)
        for _ in range(4):
            if not result or not result.takes_entries or result.end_reason or result.is_manual:
                return
            yield from self.next_turn(rnd, result)
            if result.open_turn and result.takes_entries:
                yield from self.post(rnd, result, self.a_message(rnd))

    def a_message(self, rnd):
        body = {"content": rnd.choice(WORDS) if rnd.random() < 0.5 else f"{rnd.choice(WORDS[:3])} {next(self.words)}"}
        if rnd.random() < 0.4:
            body["metadata"] = {key: rnd.choice(values) for key, values in NUMBERS.items() if rnd.random() < 0.5}
        return body

    def reply(self, rnd):
        yield from self.post(rnd, self.some_result(rnd), self.a_message(rnd))

    def tool(self, rnd):
        body = {"type": "tool", "name": rnd.choice(["buy", "sell", "look"])}
        if rnd.random() < 0.4:
            body["metadata"] = rnd.choice([{"k": 1}, {"arguments": {"a": 1}, "responseTime": 5}, {"actions": [1]}])
        yield from self.post(rnd, self.some_result(rnd), body)

    def event(self, rnd):
        body = {"type": rnd.choice(["public-event", "internal-event"]), "name": rnd.choice(["form", "note"])}
        if rnd.random() < 0.7:
            body["metadata"] = {"actions": rnd.choice([[PRESS], [LOOK], [PRESS, LOOK], [PRESS, PRESS], []])}
        yield from self.post(rnd, self.some_result(rnd), body)

    def insert(self, rnd):
        result = self.some_result(rnd, lambda one: one.entries and one.takes_entries)
        if not result or not result.entries:
            return
        body = rnd.choice([{"content": "fine"}, {"type": "tool", "name": "buy"}, {"type": "internal-event", "name": "form"},
                           {"type": "action", "name": "look"},
                           {"type": "public-event", "name": "form", "metadata": {"actions": [LOOK]}}])
        for side in rnd.choice([["after"], ["before"], ["after"], ["before"], ["after", "before"]]):
            body = {**body, side: rnd.choice(result.entries)["id"]}
        if rnd.random() < 0.05:
            body[rnd.choice(["after", "before"])] = self.agent  # the id of another kind of record
        yield from self.post(rnd, result, body)

    def faulty(self, rnd):
        yield from self.post(rnd, self.some_result(rnd), rnd.choice([
            {}, {"type": "tool"}, {"type": "public-event", "content": "x"}, {"content": "x", "role": "tester"},
            {"type": "action", "name": "press"}]))

    def person(self, rnd):
        """The side of the tester in a manual session."""
        result = self.some_result(rnd, lambda one: one.is_manual and one.is_live)
        yield from self.post(rnd, result, rnd.choice([
            {"content": "hello", "role": "tester"}, {"type": "action", "name": "look"},
            {"type": "action", "name": "press", "metadata": {"arguments": {"n": rnd.choice([1, "1"])}}}]))

    def post(self, rnd, result, body):
        if not result:
            return
        is_first = not result.entries
        status, entry = self.model.post(result, body)
        is_minimal = rnd.random() < 0.7
        answer = yield from self.command("POST", f"/test-results/{result.id}/conversation", body, status,
                                         {"Prefer": "return=minimal"} if is_minimal else None)
        if entry:
            shown = answer.json()
            found = shown["entry"] if is_minimal else self.own_entry(result, entry, shown)
            entry["id"] = found["id"]
            self.equal(self.entry_of(found), entry, "the entry of an answer")
            if not is_minimal:
                self.check_body(result, shown)
        if rnd.random() < 0.1 or not entry:
            yield from self.check_result(result)
        elif is_first and result.run:
            yield from self.check_run(result.run)

    @staticmethod
    def own_entry(result, entry, shown):
        """The new entry in the answer: the last entry after an append, or at its place after an insert."""
        return shown["conversation"][next(n for n, one in enumerate(result.entries) if one is entry)]

    def merge(self, rnd):
        result = self.some_result(rnd, lambda one: one.entries and one.takes_entries)
        if not result or not result.entries:
            return
        entry = rnd.choice(result.entries)
        body = rnd.choice([{"k": rnd.randrange(5)}, {"responseTime": 300}, {"cost": "free", "z": None}, {"actions": []}])
        status = self.model.merge(result, entry, body)
        answer = yield from self.command("PATCH", f"/test-results/{result.id}/conversation/{entry['id']}",
                                         {"metadata": body}, status)
        yield from self.check_result(result, answer)

    # ---- after scoring was paused or resumed ------------------------------------------------------------------

    def paused(self, is_paused):
        self.model.pause(is_paused)
        for result in self.model.results:
            if result.is_claimed and result.status == "completed" and result.id in self.awaited:
                yield from self.check_result(result)
        self.awaited = {result.id for result in self.model.results if result.is_live and result.is_claimed}

    def remember_claims(self):
        self.awaited = {result.id for result in self.model.results if result.is_live and result.is_claimed}


OPERATIONS = {"make_result": 9, "next_turn": 16, "reply": 12, "tool": 5, "event": 7, "insert": 5, "merge": 4, "finish": 6,
              "patch_result": 5, "retry": 6, "play_on": 10, "make_run": 2, "cancel_run": 0.6, "change_run": 2.5,
              "make_test": 0.7, "change_test": 0.7, "faulty": 1.5, "person": 2, "list_results": 7, "list_runs": 3,
              "list_tests": 2, "read_result": 4, "read_run": 3,
              "read_warnings": 1}


def a_course(rnd, length):
    names, weights = zip(*OPERATIONS.items())
    return [(name, rnd.randrange(1 << 60)) for name in rnd.choices(names, weights, k=length)]
