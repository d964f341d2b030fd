#!/usr/bin/env python3
"""The demo scenario: tests a small coffee-shop chatbot through the HTTP interface, from the first turn to the score.

Four tests and a variant: one fails on purpose, one presses a button (an action), one is finished manually after late data
was attached, several check tool calls. Prints transcripts, verdicts with reasons, and the score. Exits with 0 only if
every outcome is the expected one.

    scripts/demo.py --url http://127.0.0.1:7410 --key parley_...
"""
import argparse
import http.client
import json
import sys
import time
import urllib.parse


class Service:
    """One keep-alive connection to the server. Any answer other than 2xx stops the demo with the text of the problem."""

    def __init__(self, url, key):
        self.url = url.rstrip("/")
        parts = urllib.parse.urlsplit(self.url)
        self.prefix = parts.path
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        self.connection.request(method, self.prefix + path, data, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            sys.exit(f"demo: {method} {path} was answered {answer.status}: {text.decode(errors='replace')}")
        return json.loads(text) if text else {}

    def post(self, path, body=None):
        return self.call("POST", path, body)

    def get(self, path):
        return self.call("GET", path)


def chatbot(tester_turn, memory):
    """The agent under test: reads the tester's turn and returns the entries that a client would record for it."""
    action = tester_turn.get("action")
    if action and action["name"] == "confirm_order":
        quantity = action["arguments"]["quantity"]
        return [{"type": "tool", "name": "place_order",
                 "metadata": {"arguments": {**memory, "quantity": quantity}, "result": {"order": 1042}}},
                say(f"Done: {quantity} x {memory.get('drink', 'coffee')}, order number 1042.")]
    text = (tester_turn.get("message") or "").lower()
    if "refund" in text:
        return [say("I am sorry that it was cold. A manager decides about money, I have written to her.")]
    if "latte" in text:
        memory.update(drink="latte", size="large" if "large" in text else "regular")
        return [say(f"A {memory['size']} latte, with pleasure. Oat milk or whole milk?")]
    if "milk" in text:
        memory["milk"] = "oat" if "oat" in text else "whole"
        return [{"type": "tool", "name": "check_stock", "metadata": {"arguments": {"item": memory["milk"] + " milk"}}},
                {"type": "tool", "name": "place_order",
                 "metadata": {"arguments": dict(memory), "result": {"order": 1041}}},
                say("Ordered: order number 1041. Ready in five minutes.")]
    if "cups" in text:
        memory.update(drink="espresso")
        return [{"type": "public-event", "name": "order-form", "metadata": {"actions": [
                    {"name": "confirm_order", "description": "Confirm the order",
                     "properties": {"quantity": {"type": "integer"}}, "required": ["quantity"]}]}},
                say("Please press the button to confirm.")]
    if "hurry" in text:
        return [say("Understood, you are in a hurry: I have moved order number 1041 to the front.")]
    return [say("You are welcome.")]


def say(text):
    return {"type": "message", "content": text,
            "metadata": {"responseTime": 40 + len(text), "inputTokens": 200, "outputTokens": len(text) // 4}}


ORDER_SCRIPT = "say: A large latte, please.\nsay: Oat milk.\nsay: Thank you!"
PLACES_ORDER = {"name": "places the order", "type": "tool-called", "severity": "BLOCKER",
                "config": {"name": "place_order", "arguments": {"drink": "latte", "size": "large", "milk": "oat"}}}

# name, instruction, assertions, completionMode, whether it should pass
TESTS = [
    ("Orders a latte", ORDER_SCRIPT,
     [PLACES_ORDER,
      {"name": "looks at the stock first", "type": "tool-order", "config": {"names": ["check_stock", "place_order"]}},
      {"name": "names the order", "type": "regex", "config": {"pattern": "order number [0-9]+"}},
      {"name": "is friendly", "severity": "MINOR", "criteria": "The chatbot stays friendly throughout."}],
     "auto", True),
    ("Wants money back", "say: My coffee was cold. I want a refund.\nend if /(?i)refunded/\nsay: Thanks.",
     [{"name": "gives the money back", "type": "contains", "severity": "BLOCKER",
       "config": {"value": "your money is on its way"}},
      {"name": "orders nothing", "type": "tool-not-called", "config": {"name": "place_order"}}],
     "auto", False),
    ("Confirms with a button", 'say: Two cups of espresso.\ninvoke: confirm_order {"quantity": 2}\nsay: Great.',
     [{"name": "presses the button", "type": "action-invoked", "severity": "BLOCKER",
       "config": {"name": "confirm_order", "arguments": {"quantity": 2}}},
      {"name": "orders two", "type": "tool-called", "config": {"name": "place_order", "arguments": {"quantity": 2}}},
      {"name": "is short", "type": "max-turns", "config": {"value": 4}}],
     "auto", True),
    ("Is billed afterwards", "say: A latte, please.\nsay: Whole milk.",
     [{"name": "sends the bill", "type": "tool-called", "config": {"name": "send_bill", "arguments": {"amount": 4.5}}},
      {"name": "takes the order", "type": "contains", "config": {"value": "Ordered"}}],
     "manual", True),
]
VARIANT = ("Orders a latte, in a hurry", "say: I am in a hurry.",
           [{"name": "names the order", "type": "contains", "config": {"value": "moved order number 1041"}}],
           "auto", True)


def prepare(service):
    agent = service.post("/agents/", {"name": "Coffee bot", "type": "EXTERNAL"})
    scenario = service.post("/scenarios/", {"name": "Coffee shop", "agents": [agent["id"]]})
    planned = []
    for name, instruction, assertions, mode, passes in TESTS:
        test = service.post("/tests/", {"scenario": scenario["id"], "name": name, "instruction": instruction,
                                        "assertions": assertions})
        planned.append((test, mode, passes))
    name, overlay, assertions, mode, passes = VARIANT
    variant = service.post("/tests/", {"scenario": scenario["id"], "name": name, "instruction": overlay,
                                       "assertions": assertions, "parentTest": planned[0][0]["id"]})
    planned.append((variant, mode, passes))
    run = service.post("/runs/", {"scenario": scenario["id"], "agent": agent["id"], "status": "running"})
    return agent, run, planned


def converse(service, agent, run, test, mode):
    """The client loop of the specification. Returns the id of the result."""
    result = service.post("/test-results/", {"test": test["id"], "run": run["id"], "agent": agent["id"],
                                             "completionMode": mode})["id"]
    memory = {}
    while True:
        turn = service.post(f"/test-results/{result}/next-message")
        if not turn["ready"]:
            time.sleep(1)
            continue
        if turn["end_chat"]:
            break
        for entry in chatbot(turn, memory):
            service.post(f"/test-results/{result}/conversation", entry)
    if mode == "manual":
        # late data: events after the chat, recorded before the client finishes the result
        service.post(f"/test-results/{result}/conversation",
                     {"type": "tool", "name": "send_bill", "metadata": {"arguments": {"amount": 4.5}}})
        service.post(f"/test-results/{result}/finish")
    return result


def scored(service, result, timeout_s=30):
    until = time.monotonic() + timeout_s
    while time.monotonic() < until:
        answer = service.get(f"/test-results/{result}")
        if answer["status"] in ("completed", "failed", "canceled"):
            return answer
        time.sleep(0.05)
    sys.exit(f"demo: result {result} was not scored within {timeout_s} s")


def show(result):
    passed = result["overallPassed"] and all(a["passed"] is not False for a in result["assertionResults"])
    print(f"\n── {result['test']['name']}: {'passed' if passed else 'NOT passed'}, score {result['score']}"
          f"  ({result['status']}, {result['endReason']})")
    for entry in result["conversation"]:
        who = "tester " if entry["role"] == "tester" else "chatbot"
        if entry["type"] == "message":
            print(f"   {who} │ {entry['content']}")
        else:
            arguments = (entry.get("metadata") or {}).get("arguments", "")
            print(f"   {who} │ [{entry['type']}] {entry['name']} {json.dumps(arguments) if arguments else ''}")
    for row in result["assertionResults"]:
        mark = {True: "✓", False: "✗", None: "–"}[row["passed"]]
        print(f"   {mark} {row['name']} ({row['type']}, {row['severity']}): {row['reason']}")
    return passed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--url", default="http://127.0.0.1:7410")
    arguments.add_argument("--key", required=True)
    given = arguments.parse_args()
    service = Service(given.url, given.key)

    agent, run, planned = prepare(service)
    surprises = []
    for test, mode, passes in planned:
        result = converse(service, agent, run, test, mode)
        if show(scored(service, result)) != passes:
            surprises.append(test["name"])

    until = time.monotonic() + 10
    run = service.get(f"/runs/{run['id']}")
    while run["status"] != "completed" and time.monotonic() < until:
        time.sleep(0.05)
        run = service.get(f"/runs/{run['id']}")
    outcome = run["result"]
    print(f"\nrun {run['id']}: {run['status']}, score {outcome['score']}, pass rate {outcome['passRate']:.2f}, "
          f"{outcome['completed']} of {outcome['total']} completed"
          f" ({outcome['passed']} passed, {outcome['notPassed']} not passed, {outcome['undecided']} undecided)")
    print(f"   the run:     {service.url}/runs/{run['id']}")
    print(f"   its results: {service.url}/runs/{run['id']}/test-results")
    if surprises:
        sys.exit("demo: not the expected outcome: " + ", ".join(surprises))
    if run["status"] != "completed":
        sys.exit("demo: the run did not complete")
    print("demo: every outcome is the expected one (\"Wants money back\" fails on purpose)")


if __name__ == "__main__":
    main()
