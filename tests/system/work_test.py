#!/usr/bin/env python3
"""What is usual is decided however much of it there is, within the bounds on work that keep what is hostile from holding up
others (F23, I65)."""
from support import cases
from support.cases import SystemTest


class Work(SystemTest):
    def test_D60_hundreds_of_plain_rules_are_tried_on_a_long_reply(self):
        rules = [f"if /(?i)order {number} is (lost|late)/ say: what about {number}?" for number in range(600)]
        made = self.result(testInstruction="\n".join(["say: start", *rules, "say: go on"]))
        self.turn(made)
        self.entry(made, "Your parcel is on its way. " * 36_000)
        self.assertEqual(self.turn(made)["message"], "go on")
        self.entry(made, "Your parcel is on its way. " * 36_000 + "Order 321 is late.")
        self.assertEqual(self.turn(made)["message"], "what about 321?")


if __name__ == "__main__":
    cases.main()
