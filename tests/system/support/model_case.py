"""The part of the reference model that plays a case: scripts of the tester (D60, D62), assertions and score (D30-D34),
variants (D41). Pure functions over entries, written only from the decisions."""
import json
import re

WEIGHT = {"BLOCKER": 5, "MAJOR": 3, "MINOR": 1}
TYPES = {"integer": (int,), "number": (int, float), "string": (str,), "boolean": (bool,)}


class Script:
    """An instruction, parsed line by line."""

    def __init__(self, instruction):
        self.ends, self.rules, self.lines, self.turns_max = [], [], [], 30
        told = [line for line in map(str.strip, instruction.split("\n")) if line and not line.startswith("#")]
        for line in told if instruction.strip() else ["Hello"]:  # an instruction with only comments or settings is not empty
            rule = re.fullmatch(r"(end )?if /(.*)/\s*(.*)", line)
            if rule and rule.group(1):
                self.ends.append(rule.group(2))
            elif rule:
                self.rules.append((rule.group(2), self.turn(rule.group(3))))
            elif line.startswith("max turns:"):
                self.turns_max = int(line[10:])
            else:
                self.lines.append(("end",) if line == "end" else self.turn(line))

    @staticmethod
    def turn(text):
        if text.startswith("invoke:"):
            name, _, arguments = text[7:].strip().partition(" ")
            return ("invoke", name, json.loads(arguments or "{}"))
        return ("say", text[4:].strip() if text.startswith("say:") else text)


def next_turn(script, past):
    """The next step of the tester: ("say", text), ("invoke", name, arguments) or ("end", reason). `past` is a Result."""
    said = past.said_since_turn()
    if said is not None and any(re.search(pattern, said) for pattern in script.ends):
        return ("end", "goal_reached")
    if past.turns >= script.turns_max:
        return ("end", "max_turns")
    if said is not None:
        for number, (pattern, turn) in enumerate(script.rules):
            if number not in past.used_rules and re.search(pattern, said):
                past.used_rules.add(number)
                return turn
    if past.position == len(script.lines) or script.lines[past.position] == ("end",):
        return ("end", "tester_ended")
    past.position += 1
    return script.lines[past.position - 1]


def fits(registry, name, arguments):
    """Whether a registered action accepts the arguments (D62)."""
    if name not in registry:
        return False
    properties, required = registry[name].get("properties", {}), registry[name].get("required", [])
    if any(key not in arguments for key in required):
        return False
    for key, value in arguments.items():
        if key in properties:
            kind = properties[key]["type"]
            is_bool = isinstance(value, bool)
            if not isinstance(value, TYPES[kind]) or is_bool != (kind == "boolean"):
                return False
    return True


def composed(base_instruction, base, overlay_instruction, overlay):
    """The case of the parent with the overlay applied (D41)."""
    parts = [part for part in (base_instruction, overlay_instruction) if part]
    assertions = list(base)
    for new in overlay:
        places = [n for n, old in enumerate(assertions) if old.get("name") and old.get("name") == new.get("name")]
        if places:
            assertions[places[0]] = new
        else:
            assertions.append(new)
    return "\n\n".join(parts), assertions


# ---- judging --------------------------------------------------------------------------------------------------------

def verdict(assertion, result):
    """passed, failed, skipped or error."""
    kind, config = assertion["type"], assertion.get("config", {})
    if kind == "criteria":
        return "skipped"
    good = holds(kind, config, result)
    if good is None:
        return "error"
    return "passed" if good != config.get("negate", False) else "failed"


def holds(kind, config, result):
    said = [entry["content"] for entry in result.entries if is_chatbot_message(entry)]
    tools = [entry["name"] for entry in result.entries if entry["type"] == "tool"]
    if kind in ("contains", "equals"):
        scope = config.get("scope", "any")
        asked = {"any": said, "all": said, "first": said[:1], "last": said[-1:]}[scope]
        found = [config["value"].lower() in text.lower() if kind == "contains" else config["value"] == text
                 for text in asked]
        return bool(found) and (all(found) if scope == "all" else any(found))
    if kind == "tool-called":
        count = tools.count(config["name"])
        return config.get("min", 0 if config.get("max") == 0 else 1) <= count <= config.get("max", count)
    if kind == "tool-not-called":
        return config["name"] not in tools
    if kind == "tool-order":
        if config.get("mode") == "strict":
            return tools == config["names"]
        rest = iter(tools)
        return all(name in rest for name in config["names"])
    if kind == "event-recorded":
        return any(entry["name"] == config["name"] for entry in result.entries if entry["type"].endswith("-event"))
    if kind == "action-invoked":
        return any(entry["name"] == config["name"] for entry in result.entries if entry["type"] == "action")
    if kind in ("max-turns", "min-turns"):
        turns = len({entry["turn"] for entry in result.entries if is_chatbot_message(entry)})
        return turns <= config["value"] if kind == "max-turns" else turns >= config["value"]
    if kind == "end-reason":
        return result.end_reason == config["value"]
    if kind == "json":
        return any(config["pointer"][1:] in entry["metadata"] for entry in result.entries
                   if entry["type"] == "tool") == config["exists"]
    keys = {"tokens": ("inputTokens", "outputTokens"), "cost": ("cost",), "response-time": ("responseTime",)}[kind]
    numbers = [number for key in keys for number in measured(result.entries, key)]
    if not numbers:
        return None
    return (max(numbers) if kind == "response-time" else sum(numbers)) <= config["max"]


def is_chatbot_message(entry):
    return entry["type"] == "message" and entry["role"] == "chatbot"


def measured(entries, key):
    values = [entry["metadata"].get(key) for entry in entries if is_chatbot_message(entry)]
    return [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]


MEASURES = ("responseTime", "inputTokens", "outputTokens", "cost")


def averages(entries):
    found = {}
    for key in MEASURES:
        numbers = measured(entries, key)
        found[key] = sum(numbers) / len(numbers) if numbers else None
    return found


def half_up(part, whole):
    return (2 * part + whole) // (2 * whole)


def score(assertions, verdicts):
    """(score, overallPassed, decided) by D34."""
    weighed = [(assertion.get("weight", WEIGHT[assertion["severity"]]), word)
               for assertion, word in zip(assertions, verdicts) if word in ("passed", "failed")]
    total = sum(weight for weight, _ in weighed)
    passed = sum(weight for weight, word in weighed if word == "passed")
    blockers = [word for assertion, word in zip(assertions, verdicts) if assertion["severity"] == "BLOCKER"]
    points = half_up(100 * passed, total) if total else 0 if assertions else 100
    decided = not assertions or (bool(weighed) and not set(blockers) & {"skipped", "error"})
    return points, all(word == "passed" for word in blockers), decided
