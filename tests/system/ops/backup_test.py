#!/usr/bin/env python3
"""Backup of a running server, restore, doctor (D96, F15): a restored directory is one complete committed state and is usable."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import time
import unittest

from support import cases, server as servers
from support.cases import OwnServerTest, unique
from support.command import parley


SOMEBODY = 65534


def as_somebody():
    """Popen options for a process that may not read files of root."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("root alone becomes somebody else")
    return {"user": SOMEBODY, "group": SOMEBODY, "extra_groups": []}


class Tools(OwnServerTest):
    """Each test has a separate server, whose data it copies and damages."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-backup-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.file = self.folder / "one.parley"
        self.place = self.folder / "restored"
        self.__dict__.pop("_agent", None)

    def started(self, *options):
        server = servers.Server(*options)
        server.start()
        self.addCleanup(server.remove)
        self.server = server
        self.http = server.client()
        self.addCleanup(self.http.close)
        return server

    def any_agent(self):
        if "_agent" not in self.__dict__:
            self._agent = self.agent()
        return self._agent

    def done(self, *words):
        ended = parley(*words)
        self.assertEqual(ended.returncode, 0, ended)
        return ended.stdout

    def refused(self, *words, why):
        ended = parley(*words)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn(why, ended.stderr)

    def serve_restored(self, *options):
        """A server on the restored directory."""
        server = servers.Server(*options)
        server.data = self.place
        server.start()
        self.addCleanup(server.remove)
        return server


class Backup(Tools):
    def load(self, stop, kept, failures):
        """Plays conversations until `stop`; `kept` gets the id of each result once its end is acknowledged."""
        client = self.server.client()
        try:
            agent = self.any_agent()["id"]
            while not stop.is_set():
                made = client.post("/test-results/", {"agent": agent, "testInstruction": "say: one", "assertionResults": [
                    {"type": "contains", "config": {"value": "fine"}}]}).json()["id"]
                client.post(f"/test-results/{made}/next-message")
                client.post(f"/test-results/{made}/conversation", {"content": "fine " + "x" * 500})
                answer = client.post(f"/test-results/{made}/next-message")
                if answer.status != 200 or not answer.json()["end_chat"]:
                    failures.append(answer)
                kept.append(made)
        except Exception as fault:  # noqa: BLE001  a thread must report to the test what stopped it
            failures.append(fault)
        finally:
            client.close()

    def test_F15_a_backup_under_load_is_a_committed_state_that_serves_again(self):
        server = self.started()
        self.any_agent()
        stop, kept, failures = threading.Event(), [], []
        threads = [threading.Thread(target=self.load, args=(stop, kept, failures)) for _ in range(4)]
        for thread in threads:
            thread.start()
        copies = []
        try:
            for number in range(3):
                time.sleep(0.4)
                before = list(kept)
                file = self.folder / f"copy-{number}"
                self.assertIn("verified", self.done("backup", file, "--data", server.data))
                copies.append((file, before))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(kept), len(copies[0][1]))
        for file, before in copies:
            place = self.folder / f"{file.name}-restored"
            self.done("restore", file, "--data", place)
            self.assertIn("good:", self.done("doctor", "--data", place))
            self.assertEqual(oct(place.stat().st_mode)[-3:], "700")
        file, before = copies[-1]
        self.place = self.folder / f"{file.name}-restored"
        restored = self.serve_restored().client()
        for result in before:
            until = time.monotonic() + 15
            while (answer := restored.get(f"/test-results/{result}").json())["status"] != "completed":
                self.assertLess(time.monotonic(), until, answer)
                time.sleep(0.02)
            self.assertEqual(answer["score"], 100)
        restored.close()

    def test_what_was_claimed_is_scored_after_the_restore(self):
        server = self.started("--scoring", "paused")
        made = self.result(testInstruction="say: one", assertionResults=[{"type": "contains", "config": {"value": "f"}}])
        self.converse(made)
        self.assertEqual(self.get_result(made)["status"], "running")
        self.done("backup", self.file, "--data", server.data)
        self.assertEqual(server.stop(), 0)
        self.done("restore", self.file, "--data", self.place)
        self.server = self.serve_restored()
        self.http = self.server.client()
        self.assertEqual(self.settled(made)["score"], 100)

    def test_the_keys_go_with_it_and_nothing_else_opens_secrets(self):
        server = self.started()
        agent = self.agent(secrets={"token": "very-secret"})
        self.done("backup", self.file, "--data", server.data)
        keys = pathlib.Path(f"{self.file}.keys")
        for file in (self.file, keys):
            self.assertEqual(oct(file.stat().st_mode)[-3:], "600")
        self.assertNotIn(b"very-secret", self.file.read_bytes())
        self.assertNotIn((server.data / "secrets.key").read_text().strip().encode(), self.file.read_bytes())
        elsewhere = keys.rename(self.folder / "kept.keys")
        self.refused("restore", self.file, "--data", self.place, why="keys file")
        self.assertFalse(self.place.exists())
        with servers.Server() as other:
            other.stop()
            self.done("backup", self.folder / "other", "--data", other.data)
        self.refused("restore", self.file, "--data", self.place, "--keys", self.folder / "other.keys",
                     why="not those of the store that was backed up")
        self.assertFalse(self.place.exists())
        self.done("restore", self.file, "--data", self.place, "--keys", elsewhere)
        for name in ("pepper.key", "secrets.key"):
            self.assertEqual((self.place / name).read_text(), (server.data / name).read_text())
        client = self.serve_restored().client()
        self.assertEqual(client.get(f"/agents/{agent['id']}").json()["secrets"], {"token": "***"})
        client.close()

    def test_a_lost_pepper_is_reported_and_not_replaced(self):
        server = self.started()
        server.stop()
        pepper = server.data / "pepper.key"
        kept = pepper.rename(self.folder / "kept")
        with self.assertRaisesRegex(RuntimeError, "pepper.key is missing"):
            server.start()
        self.assertFalse(pepper.exists())
        kept.rename(pepper)
        server.start()
        client = server.client()
        self.ok(client.get("/scenarios/"))
        client.close()

    def test_a_lost_master_key_is_reported_and_not_replaced(self):
        """With a new key, old secrets could not be decrypted, and the audit log would be broken permanently."""
        server = self.started("--audit", "on")
        self.agent(secrets={"token": "plain"})
        server.stop()
        file = server.data / "secrets.key"
        kept = file.rename(self.folder / "kept")
        with self.assertRaisesRegex(RuntimeError, "secrets.key is missing"):
            server.start()
        server.environment = {"PARLEY_SECRETS_KEY": "ab" * 32}
        with self.assertRaisesRegex(RuntimeError, "PARLEY_SECRETS_KEY is not the key"):
            server.start()
        server.environment = {}
        self.assertFalse(file.exists())
        doctor = parley("doctor", "--data", server.data)
        self.assertEqual(doctor.returncode, 4, doctor)
        self.assertIn("secrets.key is missing", doctor.stdout)
        kept.rename(file)
        self.assertIn("good:", self.done("doctor", "--data", server.data))
        self.assertIn("good:", self.done("audit", "verify", "--values", "--data", server.data))
        head = self.done("audit", "verify", "--data", server.data).rsplit("head=", 1)[1].strip()
        file.unlink()
        server.options = (*server.options, "--new-secrets-key", "true")
        server.start()
        self.assertTrue(file.exists())
        self.http.close()
        self.http = server.client()
        self.agent()
        self.assertIn(f"audit head={head} at=new_key", server.told())
        verified = self.done("audit", "verify", "--head", head, "--data", server.data)
        last = int(head.partition(":")[0])
        self.assertIn(f"records up to {last} were written under another key", verified)
        self.assertIn(f" records from {last + 1} on", verified)

    def test_a_backup_without_the_master_key_warns(self):
        server = self.started()
        server.stop()
        (server.data / "secrets.key").unlink()
        for words in (("backup", self.file, "--data", server.data), ("restore", self.file, "--data", self.place)):
            ended = parley(*words)
            self.assertEqual(ended.returncode, 0, ended)
            self.assertIn("has no secrets.key, and PARLEY_SECRETS_KEY is not set", ended.stderr)
        wrong = parley("backup", f"{self.file}-2", "--data", server.data, environment={"PARLEY_SECRETS_KEY": "ab" * 32})
        self.assertEqual(wrong.returncode, 4, wrong)

    def test_nothing_that_is_there_is_overwritten(self):
        server = self.started()
        self.done("backup", self.file, "--data", server.data)
        self.refused("backup", self.file, "--data", server.data, why="already exists")
        self.refused("restore", self.file, "--data", server.data, why="not an empty directory")
        self.refused("backup", self.folder / "x", "--data", self.folder / "nowhere", why="no store")
        self.place.mkdir()
        self.done("restore", self.file, "--data", self.place)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()),
                         ["one.parley", "one.parley.keys", "restored"], "no partial files are left")

    def test_a_damaged_backup_is_not_put_in_place(self):
        server = self.started()
        name = unique("a name that is easy to find")
        self.scenario(name=name)
        self.done("backup", self.file, "--data", server.data)
        whole = self.file.read_bytes()
        self.assertIn(name.encode(), whole)
        for damaged, why in ((whole.replace(name.encode(), name.upper().encode()), "It is damaged"),
                             (whole[:len(whole) // 2], "shorter than it was"),
                             (b"not LMDB" * 999, f"{self.file} is damaged or not parley's")):
            self.file.write_bytes(damaged)
            ended = parley("restore", self.file, "--data", self.place)
            self.assertEqual(ended.returncode, 4, ended)
            self.assertIn(why, ended.stderr)
            self.assertFalse(self.place.exists())
            self.assertFalse(list(self.folder.glob("*.partial-*")))


class Doctor(Tools):
    def test_a_directory_in_use_is_left_alone(self):
        server = self.started()
        self.refused("doctor", "--data", server.data, why="in use by another parley process")
        self.refused("doctor", "--data", self.folder, why="no store")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_F9_a_truncated_data_file_is_reported_and_ends_the_process_that_reads_it(self):
        server = self.started()
        for _ in range(200):
            self.scenario(name="x" * 1000)
        self.assertEqual(server.stop(), 0)
        data = server.data / "data.mdb"
        whole = data.read_bytes()
        for share in (0.9, 0.5, 0.1):
            data.write_bytes(whole[:int(len(whole) * share)])
            ended = parley("doctor", "--data", server.data)
            self.assertEqual(ended.returncode, 4, (share, ended))
            self.assertIn("restore it from a backup", ended.stderr)
        ended = parley("serve", "--data", server.data, "--listen", "127.0.0.1:0")
        self.assertEqual(ended.returncode, 4, ended)

    def test_damage_is_found_and_reported_by_the_exit_code(self):
        server = self.started()
        name = unique("a name that is easy to find")
        self.scenario(name=name)
        self.scored([{"type": "contains", "config": {"value": "fine"}}])
        self.assertEqual(server.stop(), 0)
        self.assertIn("good:", self.done("doctor", "--data", server.data))
        data = server.data / "data.mdb"
        data.write_bytes(data.read_bytes().replace(name.encode(), name.upper().encode()))
        ended = parley("doctor", "--data", server.data)
        self.assertEqual(ended.returncode, 4, ended)
        self.assertIn("damaged table=scenarios", ended.stdout)
        self.assertIn("DAMAGED:", ended.stdout)
        place = re.search(r"damaged (table=scenarios key=[0-9a-f]+)", ended.stdout).group(1)
        ended = parley("backup", self.file, "--data", server.data)
        self.assertEqual(ended.returncode, 4, ended)
        self.assertIn(f"1 damaged value, 0 wrong rows of views, the first at {place}. Run parley doctor on {server.data}",
                      ended.stderr)
        self.assertEqual(list(self.folder.iterdir()), [], "no backup is left")

    def test_F9_a_block_that_the_disk_lost_is_reported_at_any_position(self):
        server = self.started()
        self.scored([{"type": "contains", "config": {"value": "fine"}}])
        self.assertEqual(server.stop(), 0)
        data = server.data / "data.mdb"
        whole = data.read_bytes()
        codes = []
        for at in range(2 * 4096, len(whole), 4096):
            if not any(whole[at:at + 4096]):
                continue
            data.write_bytes(whole[:at] + bytes(4096) + whole[at + 4096:])
            for words in (("doctor",), ("backup", self.folder / f"copy{at}")):
                ended = parley(*words, "--data", server.data)
                codes.append(ended.returncode)
                self.assertIn(ended.returncode, (0, 4), (at, words, ended))
                if ended.returncode == 4:
                    self.assertRegex(ended.stdout + ended.stderr, "damaged|lacks the table", (at, words))
        self.assertGreater(codes.count(4), codes.count(0), "a few pages are free ones")

    def test_a_file_that_is_not_a_store_is_reported_by_the_exit_code(self):
        server = self.started()
        self.assertEqual(server.stop(), 0)
        (server.data / "data.mdb").write_bytes(b"not LMDB" * 9999)
        for words in (("doctor",), ("serve", "--listen", "127.0.0.1:0"), ("audit", "verify"), ("audit", "show")):
            ended = parley(*words, "--data", server.data)
            self.assertEqual(ended.returncode, 4, ended)
            self.assertIn("is damaged or not parley's", ended.stdout + ended.stderr)

    def test_an_unreadable_file_is_not_reported_as_missing(self):
        server = self.started()
        self.assertEqual(server.stop(), 0)
        tools = (("backup", self.file), ("doctor",), ("audit", "verify"), ("audit", "show"))
        for words in tools:
            self.refused(*words, "--data", self.folder / "nowhere", why=f"There is no store in {self.folder / 'nowhere'}")
        server.folder.chmod(0o755)
        self.folder.chmod(0o777)
        for words in tools:
            ended = parley(*words, "--data", server.data, **as_somebody())
            self.assertEqual(ended.returncode, 1, ended)
            self.assertIn(f"Cannot read {server.data}/data.mdb: Permission denied", ended.stderr)

    def test_root_backs_up_and_examines_what_the_server_s_user_owns(self):
        """As docs/operating.md describes for the unit: every file still belongs to the user of the server afterwards."""
        if os.geteuid() != 0:
            self.skipTest("root alone")
        server = self.started()
        self.assertEqual(server.stop(), 0)
        for path in (server.data, *server.data.iterdir()):
            os.chown(path, SOMEBODY, SOMEBODY)
        self.done("backup", self.file, "--data", server.data)
        self.assertIn("good:", self.done("doctor", "--data", server.data))
        self.assertEqual({path.stat().st_uid for path in server.data.iterdir()}, {SOMEBODY})


del Tools  # a base class, not a test

if __name__ == "__main__":
    sys.exit(0 if unittest.main(module="__main__", exit=False, verbosity=1).result.wasSuccessful() else 1)
