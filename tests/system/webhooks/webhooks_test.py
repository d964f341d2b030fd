#!/usr/bin/env python3
"""Webhooks (D153): signed events, sent until the receiver accepts them; a crash loses none."""
import base64
import os
import time

from support import cases
from support.cases import OwnServerTest
from support.fakes.events import Receiver

SECRET_BYTES = b"thirty-two bytes of a secret key"
SECRET = "whsec_" + base64.b64encode(SECRET_BYTES).decode()
FINE = [{"type": "contains", "config": {"value": "fine"}, "severity": "BLOCKER"}]
NEVER = [{"type": "contains", "config": {"value": "never said"}, "severity": "BLOCKER"}]
MANY = int(os.environ.get("PARLEY_WEBHOOKS", "150"))
UNKNOWN = "01900000-0000-7000-8000-000000000000"


class Webhooks(OwnServerTest):
    def setUp(self):
        self.own_server("--webhook-give-up", "1h")

    def receiver(self, **options):
        fake = Receiver(**options).start()
        self.addCleanup(fake.stop)
        return fake

    def webhook(self, receiver, **body):
        return self.create("/webhooks/", url=f"{receiver.url}/events", **body)

    def deliveries(self, webhook, query=""):
        return self.ok(self.http.get(f"/webhooks/{webhook['id']}/deliveries?limit=1000{query}"), 200)["data"]

    def played(self, assertions, **body):
        """An ended run of one test against a DEMO agent."""
        scenario = self.scenario(name="coffee")
        self.a_test(scenario, "say: Hello\nsay: bye", assertions)
        run = self.a_run(scenario, self.agent(name="shop", type="DEMO"), status="pending", name="nightly", **body)
        return self.run_becomes(run, "completed", 20)

    def taken(self, receiver, count, seconds=15):
        self.assertTrue(receiver.wait(lambda fake: len(fake.taken) >= count, seconds), receiver.seen)
        return receiver.events()

    # ---- what is sent -------------------------------------------------------------------------------------------

    def test_D153_a_red_run_is_reported_with_signed_events(self):
        receiver = self.receiver(key=SECRET_BYTES)
        webhook = self.webhook(receiver, secret=SECRET)
        run = self.played(NEVER)
        events = {event["type"]: event for event in self.taken(receiver, 3)}
        self.assertEqual(set(events), {"run.ended", "gate.red", "result.failed"})
        data = events["run.ended"]["data"]
        self.assertEqual((data["run"]["id"], data["run"]["name"], data["gate"]), (run["id"], "nightly", "red"))
        self.assertEqual((data["results"]["total"], data["results"]["notPassed"]), (1, 1))
        self.assertEqual((data["scenario"]["name"], data["agent"]["name"]), ("coffee", "shop"))
        failed = events["result.failed"]["data"]
        self.assertEqual((failed["run"]["id"], failed["result"]["overallPassed"]), (run["id"], False))
        self.assertEqual(receiver.forged, [])
        request = receiver.requests[0]
        self.assertLess(abs(int(request.headers["webhook-timestamp"]) - time.time()), 60)
        self.assertTrue(request.headers["content-type"].startswith("application/json"))
        self.wait_for(lambda: all(row["status"] == "delivered" for row in self.deliveries(webhook)))
        rows = self.deliveries(webhook)
        self.assertEqual({row["id"] for row in rows}, set(receiver.taken))
        self.assertEqual({(row["attempts"], row["answerStatus"], row["error"]) for row in rows}, {(1, 204, None)})
        self.assertEqual([row["payload"]["type"] for row in rows], [row["event"] for row in rows])

    def test_D153_a_green_run_is_reported_as_ended_alone(self):
        receiver = self.receiver()
        webhook = self.webhook(receiver)
        self.played([{"type": "min-length", "config": {"value": 1}}])
        self.assertEqual([event["type"] for event in self.taken(receiver, 1)], ["run.ended"])
        self.assertEqual(len(self.deliveries(webhook)), 1)
        self.assertNotIn("webhook-signature", receiver.requests[0].headers)

    def test_D153_the_gate_of_a_client_is_respected(self):
        receiver = self.receiver()
        self.webhook(receiver, events=["gate.red"])
        run = self.played(NEVER, metadata={"gate": "open"})
        self.assertEqual(len(receiver.seen), 0)
        self.ok(self.patch_run(run, metadata={"gate": "red"}), 200)
        self.assertEqual(self.taken(receiver, 1)[0]["data"]["run"]["id"], run["id"])

    def test_D153_only_the_events_that_were_asked_for(self):
        every, ended, off, archived = (self.receiver() for _ in range(4))
        self.webhook(every)
        self.webhook(ended, events=["run.ended"])
        self.webhook(off, isEnabled=False)
        self.ok(self.http.patch(f"/webhooks/{self.webhook(archived)['id']}", {"isArchived": True}), 200)
        self.played(NEVER)
        self.taken(every, 3)
        self.assertEqual([event["type"] for event in self.taken(ended, 1)], ["run.ended"])
        self.assertEqual((len(off.seen), len(archived.seen)), (0, 0))

    def test_D153_nothing_is_sent_for_what_happened_before_there_was_a_webhook(self):
        self.played(NEVER)
        receiver = self.receiver()
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.taken(receiver, 1)
        self.assertEqual([row["event"] for row in self.deliveries(webhook)], ["webhook.test"])

    def test_D153_slack_gets_a_text(self):
        receiver = self.receiver()
        self.webhook(receiver, format="slack", events=["run.ended"])
        self.played(NEVER)
        said = self.taken(receiver, 1)[0]
        self.assertEqual(set(said), {"text"})
        self.assertIn('Run "nightly" completed: 0 of 1 passed, gate red', said["text"])

    def test_D153_a_test_event_reaches_a_disabled_webhook_too(self):
        receiver = self.receiver()
        webhook = self.webhook(receiver, isEnabled=False)
        sent = self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.assertEqual((sent["event"], sent["status"], sent["webhook"]), ("webhook.test", "pending", webhook["id"]))
        self.assertEqual(self.taken(receiver, 1)[0]["type"], "webhook.test")
        self.assertEqual(list(receiver.taken), [sent["id"]])
        self.problem(self.http.post(f"/webhooks/{UNKNOWN}/test"), 404)

    # ---- the record ---------------------------------------------------------------------------------------------

    def test_D153_the_secret_is_never_shown(self):
        receiver = self.receiver(key=SECRET_BYTES)
        webhook = self.webhook(receiver, secret=SECRET)
        self.assertEqual(webhook["secret"], "***")
        for answer in (self.http.get("/webhooks/"), self.http.get(f"/webhooks/{webhook['id']}"),
                       self.http.patch(f"/webhooks/{webhook['id']}", {"name": "renamed"}),
                       self.http.patch(f"/webhooks/{webhook['id']}", {"secret": "***"})):
            self.assertNotIn(SECRET[6:].encode(), answer.body)
            self.assertIn(b'"***"', answer.body)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.taken(receiver, 1)  # sending the mask back changed nothing
        self.assertNotIn(SECRET[6:], self.server.told())
        files = b"".join(path.read_bytes() for path in self.server.data.iterdir() if path.is_file())
        self.assertNotIn(SECRET[6:].encode(), files)
        cleared = self.ok(self.http.patch(f"/webhooks/{webhook['id']}", {"secret": None}), 200)
        self.assertIsNone(cleared["secret"])

    def test_D153_bad_webhooks_are_refused(self):
        for body, pointer in (({}, "/url"), ({"url": "ftp://example.org"}, "/url"), ({"url": "nowhere"}, "/url"),
                              ({"url": "http://user:pass@example.org/"}, "/url"),
                              ({"url": "https://example.org", "events": []}, "/events"),
                              ({"url": "https://example.org", "events": ["run.started"]}, "/events/0"),
                              ({"url": "https://example.org", "secret": "whsec_short"}, "/secret"),
                              ({"url": "https://example.org", "format": "teams"}, "/format")):
            with self.subTest(body=body):
                self.problem(self.http.post("/webhooks/", body), 400, pointer)

    def test_D153_a_deleted_webhook_receives_nothing_more(self):
        receiver = self.receiver(fails=lambda _id, _before: 500)
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.assertTrue(receiver.wait(lambda fake: fake.seen))
        self.assertEqual(self.http.send("DELETE", f"/webhooks/{webhook['id']}").status, 204)
        self.problem(self.http.get(f"/webhooks/{webhook['id']}/deliveries"), 404)
        self.wait_for(lambda: "parley_webhook_deliveries_owed 0" in self.http.get("/metrics").body.decode())

    # ---- delivery -----------------------------------------------------------------------------------------------

    def test_D153_attempts_continue_until_the_event_is_accepted(self):
        receiver = self.receiver(fails=lambda _id, before: 503 if before < 2 else None)
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.assertTrue(receiver.wait(lambda fake: fake.seen))
        self.wait_for(lambda: self.deliveries(webhook, "&status=pending")[0]["attempts"] == 1)
        row = self.deliveries(webhook)[0]
        self.assertEqual((row["status"], row["answerStatus"]), ("pending", 503))
        self.assertIn("503", row["error"])
        self.taken(receiver, 1)
        self.assertEqual(set(receiver.seen.values()), {3})
        self.wait_for(lambda: self.deliveries(webhook)[0]["status"] == "delivered")

    def test_D153_a_private_address_is_refused_where_the_guard_says_so(self):
        self.own_server("--allow-private-agents", "false")
        receiver = self.receiver()
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.wait_for(lambda: self.deliveries(webhook) and self.deliveries(webhook)[0]["error"])
        self.assertIn("--allow-private-agents", self.deliveries(webhook)[0]["error"])
        self.assertEqual(len(receiver.seen), 0)

    def test_D153_a_webhook_that_keeps_failing_is_disabled_and_can_be_enabled(self):
        self.own_server("--webhook-give-up", "2s")
        state = {"fails": True}
        receiver = self.receiver(fails=lambda _id, _before: 500 if state["fails"] else None)
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        place = f"/webhooks/{webhook['id']}"
        self.wait_for(lambda: not self.ok(self.http.get(place))["isEnabled"], 20)
        disabled = self.ok(self.http.get(place))
        self.assertIn("status 500", disabled["disabledReason"])
        self.assertIsNotNone(disabled["disabledAt"])
        self.assertEqual(self.deliveries(webhook)[0]["status"], "failed")
        self.assertIn("webhook disabled", self.server.told())
        state["fails"] = False
        enabled = self.ok(self.http.patch(place, {"isEnabled": True}), 200)
        self.assertEqual((enabled["disabledAt"], enabled["disabledReason"], enabled["failingSince"]), (None, None, None))
        self.ok(self.http.post(f"{place}/test"), 202)
        self.taken(receiver, 1)
        self.assertTrue(self.ok(self.http.get(place))["isEnabled"])

    def test_D153_status_410_disables_immediately(self):
        receiver = self.receiver(fails=lambda _id, _before: 410)
        webhook = self.webhook(receiver)
        self.ok(self.http.post(f"/webhooks/{webhook['id']}/test"), 202)
        self.wait_for(lambda: not self.ok(self.http.get(f"/webhooks/{webhook['id']}"))["isEnabled"])

    def test_D153_events_survive_kill_9_while_the_receiver_fails_half_of_them(self):
        """The recorded proof used PARLEY_WEBHOOKS=1000."""
        receiver = self.receiver(key=SECRET_BYTES, latency=0.01, fails=lambda event, before: 500 if before == 0 and int(event[-1], 16) % 2 else None)
        webhook = self.webhook(receiver, secret=SECRET, events=["result.failed"])
        expected = set()
        for number in range(MANY):
            result = self.result(testInstruction="say: one")
            self.ok(self.patch_result(result, status="failed"), 200)
            expected.add(result["id"])
            if number in (MANY // 3, MANY // 2):
                self.server.kill()
                self.server.start()
                self.http.close()
                self.http = self.server.client()
        events = self.taken(receiver, MANY, 120)
        self.assertEqual({event["data"]["result"]["id"] for event in events}, expected)
        self.assertEqual(len(events), MANY)  # each event keeps its id across the crashes
        self.assertEqual((receiver.forged, receiver.changed), ([], []))
        self.wait_for(lambda: not self.deliveries(webhook, "&status=pending"), 30)
        # Each kill can lose the outcomes of current attempts: eight in progress, and those that were being saved.
        repeated = sum(receiver.taken.values()) - MANY
        self.assertLessEqual(repeated, 2 * 16)
        self.assertGreater(sum(receiver.seen.values()), MANY + MANY // 4)  # half of the attempts failed


if __name__ == "__main__":
    cases.main()
