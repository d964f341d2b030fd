#!/usr/bin/env python3
"""What is usual is decided however much of it there is, within the bounds on work that keep what is hostile from holding up
others (F23, I65)."""
import time

from support import cases
from support.cases import SystemTest, unique


class Work(SystemTest):
    def test_D60_hundreds_of_plain_rules_are_tried_on_a_long_reply(self):
        rules = [f"if /(?i)order {number} is (lost|late)/ say: what about {number}?" for number in range(600)]
        made = self.result(testInstruction="\n".join(["say: start", *rules, "say: go on"]))
        self.turn(made)
        self.entry(made, "Your parcel is on its way. " * 36_000)
        self.assertEqual(self.turn(made)["message"], "go on")
        self.entry(made, "Your parcel is on its way. " * 36_000 + "Order 321 is late.")
        self.assertEqual(self.turn(made)["message"], "what about 321?")

    def test_F23_calls_are_told_apart_once_for_all_that_look_for_loops(self):
        call = {"type": "tool", "name": "search", "metadata": {"arguments": {"of": [1] * 40_000}}}
        log = self.create("/external-conversation-logs/", externalId=unique("calls"), conversation=[call] * 60)
        looks = [{"type": "no-loop", "name": str(number), "config": {"repeats": 70}} for number in range(100)]
        begun = time.monotonic()
        scored = self.ok(self.http.post(f"/external-conversation-logs/{log['id']}/score", {"assertions": looks}), 200)
        self.assertLess(time.monotonic() - begun, 6, "eight, were they told apart for each")
        self.assertEqual({row["status"] for row in scored["assertionResults"]}, {"passed"})


if __name__ == "__main__":
    cases.main()
