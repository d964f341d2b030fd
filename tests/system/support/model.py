"""A reference model of tests, runs and results, written only from the decisions: plain Python, no clock, no network. Each
operation returns the expected HTTP status and changes the model as the server must change its records.

Verdicts are immediate unless scoring is paused. Agents are EXTERNAL; the server assigns the ids."""
from . import model_case
from .model_records import HEAVY, RUN_STATUSES, STATUSES, TERMINAL, Result, Run, Test  # noqa: F401


class Model:
    """Every operation returns the expected status of the answer."""

    def __init__(self):
        self.is_paused = False
        self.tests, self.runs, self.results = [], [], []

    # ---- creating ---------------------------------------------------------------------------------------------

    def create(self, run, test, mode="auto", override=None, instruction=None, is_manual=False, links=(), is_usable=True):
        """Creates a result (D42). `is_usable`: whether the agent is enabled."""
        case = test.case(override) if test else ("", list(override or []))
        if len(links) > 10 or (override and len(case[1]) > 15):
            return 400, None
        if test and run and test.scenario is not run.scenario:
            return 400, None
        if test and test.is_archived and not (run and test in run.expected):
            return 400, None
        if not is_usable or (run and run.status in ("canceled", "failed")):
            return 409, None
        if instruction is not None:
            case = (instruction, case[1])
        result = self.add(Result(run, test, case, mode, None, is_manual))
        result.links = list(links)
        if run:
            run.reopen()
        return 201, result

    def add(self, result):
        self.results.append(result)
        return result

    # ---- the conversation -------------------------------------------------------------------------------------

    def next_message(self, result):
        """Returns (status, turn). The turn is an entry, or None once the conversation has ended. A new entry has no id yet."""
        if result.end_reason or not result.is_live:
            return 200, None
        if result.is_manual:
            return 409, None
        if result.open_turn:
            return 200, result.open_turn
        what, *rest = model_case.next_turn(result.script, result)
        result.service["tester"] = "script"
        result.start()  # a result runs from its first turn on, whatever its outcome (D40)
        if what == "end":
            self.end(result, rest[0])
            return 200, None
        if what == "invoke" and not model_case.fits(result.registry, *rest):
            result.service["error"] = "tester"
            self.close(result, "failed", "action_error")
            return 200, None
        entry = {"type": "message", "content": rest[0], "name": None, "metadata": {}}
        if what == "invoke":
            entry = {"type": "action", "content": None, "name": rest[0], "metadata": {"arguments": rest[1]}}
        self.tester_speaks(result, entry)
        return 200, entry

    @staticmethod
    def tester_speaks(result, entry):
        entry.update(role="tester", turn=result.turns)
        result.entries.append(entry)
        result.turns += 1
        result.registry = {}
        result.open_turn = result.last_turn = entry
        result.tester_turns.append(entry)

    def post(self, result, body):
        """(status, entry without an id)."""
        kind, metadata = body.get("type", "message"), body.get("metadata") or {}
        anchor, actions = body.get("after") or body.get("before"), None
        is_testers = kind == "action" or body.get("role") == "tester"
        if (body.get("content") if kind == "message" else body.get("name")) is None or (is_testers and not result.is_manual):
            return 400, None
        if "after" in body and "before" in body:
            return 400, None
        if kind.endswith("-event") and "actions" in metadata:
            actions = {action["name"]: action for action in metadata["actions"]}
            if anchor or len(actions) < len(metadata["actions"]):
                return 400, None
        if not result.takes_entries:
            return 409, None
        place, registry = None, result.registry
        if anchor:
            place = next((n for n, entry in enumerate(result.entries) if entry["id"] == anchor), None)
            if place is None:
                return 400, None
            place += "after" in body
            registry = result.registry_at(place)
        if kind == "action" and not model_case.fits(registry, body["name"], metadata.get("arguments", {})):
            return 400, None
        if actions and set(actions) & set(result.registry):
            return 400, None
        entry = {"type": kind, "role": "tester" if is_testers else "chatbot", "content": body.get("content"),
                 "name": body.get("name"), "metadata": metadata}
        if place is not None:
            entry["turn"] = result.entries[place - ("after" in body)]["turn"]
            result.entries.insert(place, entry)
            return 201, entry
        result.start()
        if is_testers:
            self.tester_speaks(result, entry)
            return 201, entry
        entry["turn"] = max(result.turns - 1, 0)
        result.entries.append(entry)
        result.registry.update(actions or {})
        if kind in ("message", "public-event") or actions:
            result.open_turn = None
        return 201, entry

    def merge(self, result, entry, metadata):
        if "actions" in metadata:
            return 400
        if not result.takes_entries:
            return 409
        entry["metadata"] = {**entry["metadata"], **metadata}
        return 200

    # ---- ends -------------------------------------------------------------------------------------------------

    def finish(self, result):
        if not result.is_live:
            return 400
        if result.is_claimed:
            return 409
        if not result.end_reason and not result.is_manual:
            return 400
        if not result.end_reason:
            result.start()
            result.end_reason = "tester_ended"
        self.claim(result)
        return 202

    def patch(self, result, body):
        """PATCH of a result, all or nothing (D46)."""
        metadata, word, mode = body.get("metadata"), body.get("status"), body.get("completionMode")
        if len(body.get("externalLinks", ())) > 10 or (word and word not in STATUSES):
            return 400
        if metadata and any(key in metadata and metadata[key] != value for key, value in result.service.items()):
            return 400
        if word and word != result.status:
            allowed = (word == "running" and result.status == "pending") or \
                      (word == "failed" and result.is_live and not result.is_claimed) or \
                      (word == "canceled" and result.status != "failed")
            if not allowed:
                return 409
        if mode and mode != result.mode and (not result.takes_entries or (mode == "manual" and result.end_reason)):
            return 409
        if metadata is not None:
            result.metadata = {key: value for key, value in metadata.items() if key not in result.service}
        result.links = body.get("externalLinks", result.links)
        moves_mode = mode and mode != result.mode
        result.mode = mode or result.mode
        if word == "running":
            result.start()
        elif word and word != result.status:
            if word == "failed":
                result.service["error"] = "client"
            if word == "failed":
                result.end_reason = "client_error"
            self.close(result, word, "canceled")
        if moves_mode and result.is_waiting:
            self.claim(result)
        return 200

    def retry(self, result):
        run = result.run
        if any(other.is_live for other in result.lineage) or (run and run.canceled_by == "operation"):
            return 400, None
        clone = self.add(Result(run, result.test, (result.instruction, result.assertions), result.mode, result,
                                result.is_manual))
        clone.links = result.links
        for other in result.lineage[:-1]:
            # the previous clone and the original refer to the newest clone; older clones keep their retired_by
            if not other.retired_by or other is result or other is result.lineage[-2]:
                other.retired_by = clone
            other.retired_from = other.retired_from or other.status
            other.status = "canceled"
        if run:
            run.reopen()
            run.canceled_by = None
        return 201, clone

    # ---- runs -------------------------------------------------------------------------------------------------

    def cancel_run(self, run, by="operation"):
        if run.status in TERMINAL:
            return 400
        run.status, run.canceled_by, run.is_forgetful = "canceled", by, True
        for result in run.live():
            self.close(result, "canceled", "canceled")
        return 200

    def patch_run(self, run, body):
        """(status, cases that a launch must create)."""
        word, cases = body.get("status"), {}
        is_launch = run.status == "new" and word is not None and run.is_launched_as(word)
        if is_launch and any(test.is_archived for test, _ in run.configs):
            return 400, {}
        if word and word != run.status:
            onward = (run.status, word) in (("new", "pending"), ("new", "running"), ("pending", "running"))
            if run.status in TERMINAL or not (onward or word in TERMINAL):
                return 409, {}
            if word in ("completed", "failed") and run.live():
                return 409, {}
            if word == "canceled":
                self.cancel_run(run, "patch")
            elif is_launch:
                cases = run.launch(word)
            else:
                run.status = word
                run.is_forgetful |= word in TERMINAL
                run.settle()
        run.is_archived = body.get("isArchived", run.is_archived)
        run.given = body.get("result", run.given)
        return 200, cases

    # ---- consequences -----------------------------------------------------------------------------------------

    def pause(self, is_paused):
        self.is_paused = is_paused
        if not is_paused:
            for result in self.results:
                if result.is_live and result.is_claimed:
                    self.verdict(result)

    def end(self, result, reason):
        result.end_reason = reason
        if result.mode == "auto":
            self.claim(result)

    def claim(self, result):
        result.is_claimed = True
        if not self.is_paused:
            self.verdict(result)

    def verdict(self, result):
        result.verdicts = [model_case.verdict(assertion, result) for assertion in result.assertions]
        result.score, result.overall_passed, result.is_decided = model_case.score(result.assertions, result.verdicts)
        result.status = "completed"
        self.settled(result)

    def close(self, result, status, reason):
        result.status = status
        if status == "failed":
            result.overall_passed = False
        result.end_reason = result.end_reason or reason
        self.settled(result)

    @staticmethod
    def settled(result):
        if result.run:
            result.run.settle()
