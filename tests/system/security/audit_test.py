#!/usr/bin/env python3
"""The audit log of the real server (I68): who changed what, verified while it runs, after kill -9 and after tampering."""
import json
import re
import subprocess
import threading
import time
import unittest

from support import cases, command, server as servers, wire
from support.cases import OwnServerTest, id_of, unique

HEAD = re.compile(r"audit head=(\d+:[0-9a-f]{64}) at=(\w+)")


class Audit(OwnServerTest):
    def started(self, *options):
        self.own_server("--fsync", "off", *options)
        return self.server

    def tool(self, *words, code=0, environment=None):
        environment = {**command.clean_environment(), **(environment or {})}
        done = subprocess.run([servers.binary(), "audit", *words, "--data", str(self.server.data)], capture_output=True,
                              text=True, timeout=60, env=environment, check=False)
        self.assertEqual(done.returncode, code, done)
        return done.stdout + done.stderr

    def shown(self):
        return [json.loads(line) for line in self.tool("show").splitlines()]

    def heads(self):
        return {when: head for head, when in HEAD.findall(self.log())}

    def log(self):
        return self.server.told() if self.server.is_alive() else self.server.log.read_text()

    def test_I68_every_change_names_its_key_its_operation_and_its_record(self):
        self.started("--audit", "on")
        user = self.create("/users", name="u", role="member")
        key = self.create("/api-keys", name="k", user=user["id"])
        member = self.server.client(key=key["key"])
        scenario = self.ok(member.post("/scenarios", {"name": "s"}), 201)["id"]
        self.ok(member.patch(f"/scenarios/{scenario}", {"name": "another"}), 200)
        self.ok(member.patch(f"/scenarios/{scenario}", {"name": "another"}), 200)  # changes nothing
        self.problem(member.patch(f"/scenarios/{scenario}", {"name": 7}), 400)
        test = self.ok(member.post("/tests", {"name": "t", "scenario": scenario, "instruction": "say: one"}), 201)["id"]
        agent = self.ok(member.post("/agents", {"name": "a", "type": "EXTERNAL"}), 201)["id"]
        run = self.ok(member.post("/runs", {"scenario": scenario, "agent": agent, "status": "running"}), 201)["id"]
        result = self.ok(member.post("/test-results", {"agent": agent, "run": run, "test": test}), 201)["id"]
        preview = self.ok(member.post("/test-results", {"agent": agent, "testInstruction": "say: one"}), 201)["id"]
        self.ok(member.post(f"/test-results/{result}/next-message"), 200)
        self.ok(member.post(f"/test-results/{result}/conversation", {"role": "chatbot", "content": "c"}), 201)
        self.ok(member.post(f"/runs/{run}/cancel"), 200)
        self.assertEqual(self.http.send("DELETE", f"/runs/{run}").status, 204)
        self.assertEqual(self.http.send("DELETE", f"/api-keys/{key['id']}").status, 204)
        member.close()

        actions = {}
        for line in self.shown():
            for by in line["by"]:
                self.assertEqual(by["ip"], "127.0.0.1")
                actions.setdefault((by["action"], by["key"]), []).append({change["id"] for change in line["changes"]})
        admin = next(iter(by["key"] for line in self.shown() for by in line["by"] if by["action"] == "createUser"))
        self.assertEqual(self.ok(self.http.get(f"/api-keys/{admin}"))["user"]["name"], "admin")
        for action, who, record in (("createUser", admin, user["id"]), ("createApiKey", admin, key["id"]),
                                    ("createScenario", key["id"], scenario), ("updateScenario", key["id"], scenario),
                                    ("createTest", key["id"], test), ("createAgent", key["id"], agent),
                                    ("createRun", key["id"], run), ("createTestResult", key["id"], result),
                                    ("nextMessage", key["id"], result), ("addConversationEntry", key["id"], result),
                                    ("cancelRun", key["id"], result), ("cancelRun", key["id"], run), ("deleteRun", admin, run),
                                    ("deleteRun", admin, result), ("createTestResult", key["id"], preview),
                                    ("revokeApiKey", admin, key["id"])):
            with self.subTest(action=action):
                self.assertIn((action, who), actions)
                self.assertTrue(any(record in ids for ids in actions[(action, who)]), actions[(action, who)])
        self.assertEqual(len(actions[("updateScenario", key["id"])]), 1)
        self.assertIn("good:", self.tool("verify", "--values"))

    def test_each_new_master_key_starts_a_new_log(self):
        """This includes a return to the old key, whether or not something was written under the other key."""
        old, other = "a" * 64, "b" * 64
        for is_written in (False, True):
            with self.subTest(is_written=is_written):
                self.own_server("--fsync", "off", "--audit", "on", PARLEY_SECRETS_KEY=old)
                self.create("/folders", name="old")
                self.server.options += ["--new-secrets-key", "true"]
                for key in (other, old):
                    self.http.close()
                    self.assertEqual(self.server.stop(), 0)
                    self.server.environment = {"PARLEY_SECRETS_KEY": key}
                    self.server.start()
                    self.http = self.server.client()
                    if is_written or key == old:
                        self.create("/folders", name=key)
                    told = self.tool("verify", environment=self.server.environment)
                    self.assertIn("good:", told)
                    self.assertIn("written under another key", told)

    def test_I68_a_value_can_be_followed_from_change_to_change(self):
        self.started("--audit", "on")
        folder = self.create("/folders", name="one")["id"]
        for name in ("two", "three"):
            self.ok(self.http.patch(f"/folders/{folder}", {"name": name}), 200)
        history = [change for line in self.shown() for change in line["changes"] if change["id"] == folder]
        self.assertEqual(len(history), 3)
        self.assertEqual(history[0]["before"], "")
        self.assertEqual([change["before"] for change in history[1:]], [change["after"] for change in history[:-1]])
        self.assertEqual(len({change["after"] for change in history}), 3)

    def test_the_chain_is_verified_while_the_server_writes_and_against_the_heads_it_reported(self):
        server = self.started("--audit", "on")
        stop = threading.Event()

        def write():
            client = server.client()
            while not stop.is_set():
                self.assertEqual(client.post("/folders", {"name": "f"}).status, 201)
            client.close()

        threads = [threading.Thread(target=write) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            self.assertIn("good:", self.tool("verify", "--values"))
        stop.set()
        for thread in threads:
            thread.join()
        self.http.close()
        self.assertEqual(server.stop(), 0)
        heads = self.heads()
        self.assertEqual(set(heads), {"start", "stop"})
        printed = self.tool("verify", "--head", heads["stop"])
        self.assertIn(f"head={heads['stop']}", printed)
        server.start()
        self.assertIn("good:", self.tool("verify", "--head", heads["stop"]))
        self.assertEqual(self.heads()["start"], heads["stop"])
        other = heads["stop"][:-1] + ("0" if heads["stop"][-1] != "0" else "1")
        self.assertIn("BROKEN", self.tool("verify", "--head", other, code=4))
        self.tool("verify", "--head", "no head", code=2)

    def test_I68_the_chain_holds_after_kill_9(self):
        server = self.started("--audit", "on")
        done = 0
        for _ in range(5):
            acknowledged = []

            def write(into=acknowledged):
                client = server.client()
                try:
                    while True:
                        into.append(self.ok(client.post("/folders", {"name": "f"}), 201)["id"])
                except (wire.Gone, wire.Cut, OSError):
                    client.close()

            threads = [threading.Thread(target=write) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(0.15)
            server.kill()
            for thread in threads:
                thread.join()
            self.assertIn("good:", self.tool("verify", "--values"))
            known = {change["id"] for line in self.shown() for change in line["changes"]}
            self.assertLessEqual(set(acknowledged), known)
            done += len(acknowledged)
            server.start()
        self.assertGreater(done, 50)

    def test_a_flipped_byte_in_the_file_is_found(self):
        server = self.started("--audit", "on")
        for _ in range(3):
            self.create("/folders", name="f")
        self.assertEqual(server.stop(), 0)
        data = server.data / "data.mdb"
        data.write_bytes(data.read_bytes().replace(b"createFolder", b"createfolder"))
        self.assertRegex(self.tool("verify", code=4), r"^BROKEN at record \d+: ")

    def test_another_master_key_verifies_nothing(self):
        server = self.started("--audit", "on")
        self.assertEqual(server.stop(), 0)
        key = server.data / "secrets.key"
        whole = key.read_text()
        key.write_text(whole.translate(str.maketrans("0123456789abcdef", "123456789abcdef0")))
        self.assertIn("BROKEN at record 1", self.tool("verify", code=4))
        key.unlink()
        self.assertIn("secrets.key", self.tool("verify", code=1))
        self.assertFalse(key.exists())
        key.write_text(whole)
        key.chmod(0o600)
        self.assertIn("good:", self.tool("verify"))

    def test_old_records_are_removed_and_the_rest_verifies(self):
        server = self.started("--audit", "on", "--audit-retention", "1s")
        for _ in range(5):
            self.create("/folders", name=unique("f"))
        count = len(self.shown())
        self.http.close()
        time.sleep(1.1)
        server.restart()
        self.http = server.client()
        self.create("/folders", name=unique("f"))
        shown = self.shown()
        self.assertLess(len(shown), count)
        self.assertGreater(shown[0]["seq"], 5)
        self.assertIn("good:", self.tool("verify"))

    def test_without_it_nothing_is_written(self):
        self.started("--audit", "off")
        self.create("/folders", name="f")
        self.assertEqual(self.shown(), [])
        self.assertEqual(self.heads(), {})
        self.assertIn("good: 0 records", self.tool("verify"))

    def test_the_log_contains_no_text(self):
        """Digests are keyed: the log contains neither a text nor its plain hash."""
        self.started("--audit", "on")
        secret = unique("a text that is easy to find")
        made = self.result(testInstruction="say: one", agent=self.agent(name=secret))
        self.ok(self.post_entry(id_of(made), secret), 201)
        self.assertNotIn(secret, self.tool("show"))


if __name__ == "__main__":
    cases.main()
