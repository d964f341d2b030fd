#!/usr/bin/env python3
"""Any number of usual assertions is decided within the limits on work, which prevent hostile assertions from delaying
other results (F23, I65)."""
import json
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

    def test_F23_calls_are_distinguished_once_for_all_assertions_that_look_for_loops(self):
        call = {"type": "tool", "name": "search", "metadata": {"arguments": {"of": [1] * 40_000}}}
        log = self.create("/external-conversation-logs/", externalId=unique("calls"), conversation=[call] * 60)
        looks = [{"type": "no-loop", "name": str(number), "config": {"repeats": 70}} for number in range(100)]
        begun = time.monotonic()
        scored = self.ok(self.http.post(f"/external-conversation-logs/{log['id']}/score", {"assertions": looks}), 200)
        self.assertLess(time.monotonic() - begun, 6, "eight, were they told apart for each")
        self.assertEqual({row["status"] for row in scored["assertionResults"]}, {"passed"})

    def test_D31_a_value_is_read_alike_with_any_escapes(self):
        value = {"city": "K\u00f6ln", "url": "https://a.example/"}
        spellings = [json.dumps(value, ensure_ascii=False), json.dumps(value), json.dumps(value).replace("/", "\\/")]
        tag = self.create("/tags/", name=unique("tag"), isSmart=True, rule={"match": "any", "conditions": [
            {"field": "metadata", "pointer": "/result", "op": "regex", "value": "K.ln.*//a"}]})
        rows = []
        for number, spelt in enumerate(spellings):
            body = f'{{"externalId":"{unique("spelt")}","metadata":{{"result":{spelt}}},"conversation":[' \
                   f'{{"type":"tool","name":"search","metadata":{{"result":{spelt}}}}}]}}'
            log = self.ok(self.http.post("/external-conversation-logs/", body.encode()), 201)
            self.assertEqual(log["metadata"]["result"], value)
            looks = [{"type": "contains", "config": {"target": "tools", "pointer": "/result", **more}}
                     for more in ({"value": "k\u00f6ln"}, {"value": "https://a"}, {"value": "https://a", "negate": True})]
            scored = self.ok(self.http.post(f"/external-conversation-logs/{log['id']}/score", {"assertions": looks}), 200)
            rows.append(([row["status"] for row in scored["assertionResults"]], [each["id"] for each in log["tags"]]))
        self.assertEqual(rows, [(["passed", "passed", "failed"], [tag["id"]])] * len(spellings))


if __name__ == "__main__":
    cases.main()
