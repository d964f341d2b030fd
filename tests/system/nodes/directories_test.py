#!/usr/bin/env python3
"""Data directories and logs: migration of a plain directory to a log and back, and starts that must be refused."""
import pathlib
import shutil
import tempfile
import time
import unittest

from support.command import parley
from support.nodes import KEYS, Node
from support.postgres import Postgres
from support.server import Server, free_port
from support.whole_state import state_of_all

REFUSED_WITHIN_S = 15


def names_at(server):
    client = server.client()
    answer = client.get("/folders?limit=100")
    client.close()
    assert answer.status == 200, answer.body
    return sorted(folder["name"] for folder in answer.json()["data"])


def create(server, name):
    make(server, "/folders", {"name": name})


def make(server, path, body):
    client = server.client()
    answer = client.post(path, body)
    client.close()
    assert answer.status == 201, answer.body
    return answer.json()["id"]


def whole_state(server):
    client = server.client()
    state = state_of_all(client)
    client.close()
    return state


class DirectoriesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.remove)

    def setUp(self):
        self.postgres.sql("DROP SCHEMA IF EXISTS parley CASCADE")

    def server(self, kind, *arguments):
        made = kind(*arguments)
        self.addCleanup(made.remove)
        return made

    def node(self, *options):
        return self.server(Node, self.postgres.url, *options)

    def refused(self, server, *words, code=1):
        """Checks that a start ends with `code` and a message with these words; returns the message."""
        with self.assertRaises(RuntimeError) as caught:
            server.start(timeout_s=REFUSED_WITHIN_S)
        self.assertIn(f"ended with {code}", str(caught.exception))
        for word in words:
            self.assertIn(word, str(caught.exception))
        return str(caught.exception)

    def test_one_node_keeps_its_writes_over_kills_of_itself_and_of_the_database(self):
        node = self.node()
        node.start()
        create(node, "first")
        node.kill()
        node.start()
        self.assertEqual(names_at(node), ["first"])
        create(node, "second")
        self.postgres.stop("immediate")
        self.postgres.start()
        self.eventually(lambda: create(node, "third"))
        self.assertEqual(names_at(node), ["first", "second", "third"])
        self.assertEqual(node.stop(), 0)
        rows = int(self.postgres.sql("SELECT seq FROM parley.log_head"))
        self.assertEqual(int(self.postgres.sql("SELECT count(*) FROM parley.log")), rows)

    def test_a_node_that_has_not_joined_describes_itself_and_refuses_the_rest(self):
        self.postgres.stop()
        try:
            node = self.node("--metrics-public", "true")
            node.launch()
            self.eventually(lambda: self.assertEqual(node.state()[0], 503))
            self.assertEqual(node.state()[1]["status"], "joining")
            client = node.client()
            for path, status, text in (("/healthz", 200, '"ok"'), ("/version", 200, '"role":"follower"'),
                                       ("/openapi.json", 200, '"openapi":'), ("/docs", 200, "<!doctype html>"),
                                       ("/metrics", 200, 'parley_log_role{role="follower"} 1'),
                                       ("/folders", 503, "/problems/no-leader")):
                answer = client.get(path)
                self.assertEqual(answer.status, status, path)
                self.assertIn(text.lower(), answer.body.decode().lower(), path)
            self.assertEqual(client.post("/folders", {"name": "x"}).status, 503)
            client.close()
        finally:
            self.postgres.start()
        self.eventually(lambda: create(node, "joined"))

    def eventually(self, act, timeout_s=20):
        until = time.monotonic() + timeout_s
        while True:
            try:
                return act()
            except (AssertionError, OSError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def test_a_plain_directory_becomes_a_log_and_back(self):
        plain = self.server(Server)
        plain.environment = dict(KEYS)
        plain.start()
        for number in range(20):
            create(plain, f"folder {number:02}")
        expected = names_at(plain)
        agent = make(plain, "/agents", {"name": "a", "type": "EXTERNAL"})
        result = make(plain, "/test-results", {"agent": agent, "testInstruction": "say: hello", "assertionResults": []})
        make(plain, "/labels", {"result": result, "verdict": "failed"})
        make(plain, "/webhooks", {"url": "http://127.0.0.1:9/", "isEnabled": False})
        before = whole_state(plain)
        plain.stop()
        node = self.node()
        shutil.copytree(plain.data, node.data)
        self.refused(node, "belongs to no log", "parley migrate")
        done = parley("migrate", "--data", str(node.data), "--to", self.postgres.url, environment=KEYS)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = parley("migrate", "--data", str(node.data), "--to", self.postgres.url, environment=KEYS)
        self.assertEqual(again.returncode, 1)
        self.assertIn("holds a log already", again.stderr)
        node.start()
        self.assertEqual(whole_state(node), before)
        create(node, "after")
        other = self.node()
        other.start()
        self.assertEqual(names_at(other), sorted(expected + ["after"]), "an empty directory fetches the base")
        other.stop()
        node.stop()
        alone = self.server(Server)
        alone.environment = dict(KEYS)
        shutil.copytree(node.data, alone.data)
        self.refused(alone, "belongs to a log", "--leave-log")
        alone.options = ["--leave-log", "true"]
        alone.start()
        self.assertEqual(names_at(alone), sorted(expected + ["after"]))
        alone.stop()
        alone.options = []
        alone.start()
        alone.stop()
        shutil.rmtree(node.data)
        shutil.copytree(alone.data, node.data)
        self.refused(node, "belongs to no log")
        self.assertEqual(parley("doctor", "--data", str(alone.data), environment=KEYS).returncode, 0)
        copy = alone.folder / "copy"
        without = parley("backup", str(copy), "--data", str(alone.data))
        self.assertEqual(without.returncode, 4)
        self.assertIn("PARLEY_PEPPER_KEY is not set", without.stderr)
        self.assertEqual(parley("backup", str(copy), "--data", str(alone.data), environment=KEYS).returncode, 0)
        shutil.rmtree(alone.data)
        self.assertEqual(parley("restore", str(copy), "--data", str(alone.data), environment=KEYS).returncode, 0)
        alone.start()
        self.assertEqual(names_at(alone), sorted(expected + ["after"]))

    def test_a_migration_that_was_cut_off_is_replaced(self):
        plain = self.server(Server)
        plain.environment = dict(KEYS)
        plain.start()
        create(plain, "kept")
        plain.stop()
        self.assertEqual(parley("migrate", "--data", str(plain.data), "--to", self.postgres.url, environment=KEYS).returncode, 0)
        # The state if the process ends just before its last statement.
        self.postgres.sql("UPDATE parley.log_head SET unfinished = true")
        stranger = self.node()
        self.refused(stranger, "did not finish")
        done = parley("migrate", "--data", str(plain.data), "--to", self.postgres.url, environment=KEYS)
        self.assertEqual(done.returncode, 0, done.stderr)
        stranger.start()
        self.assertEqual(names_at(stranger), ["kept"])

    def test_a_log_that_went_back_needs_the_operator(self):
        node = self.node()
        node.start()
        create(node, "kept")
        kept = int(self.postgres.sql("SELECT seq FROM parley.log_head"))
        for number in range(3):
            create(node, f"lost {number}")
        node.stop()
        self.cut_log(kept)
        self.refused(node, "rows that the log no longer has", "parley rebase")
        done = parley("rebase", "--data", str(node.data), "--log", self.postgres.url, environment=KEYS)
        self.assertEqual(done.returncode, 0, done.stderr)
        node.start()
        self.assertEqual(names_at(node), ["kept"])

    def test_a_node_whose_last_row_is_lost_takes_a_new_copy(self):
        node = self.node()
        node.start()
        create(node, "kept")
        create(node, "lost")
        node.stop()
        self.cut_log(int(self.postgres.sql("SELECT seq FROM parley.log_head")) - 1)
        node.start()
        self.assertEqual(names_at(node), ["kept"])

    def cut_log(self, seq):
        """Truncates the log, as a failover or a restored database may do."""
        self.postgres.sql(f"DELETE FROM parley.log WHERE seq > {seq}; "
                          f"UPDATE parley.log_head SET seq = {seq}, digest = (SELECT digest FROM parley.log WHERE seq = {seq})")

    def test_keys_must_be_those_of_the_log(self):
        first = self.node()
        first.environment = {}
        first.start()
        self.assertTrue((first.data / "pepper.key").exists(), "the node that begins the log creates the missing keys")
        second = self.node()
        second.environment = {}
        self.refused(second, "pepper.key is missing", "PARLEY_PEPPER_KEY")
        second.environment = dict(KEYS)
        self.refused(second, "not the key of the log")
        second.environment = {}
        second.data.mkdir(mode=0o700, exist_ok=True)
        for name in ("pepper.key", "secrets.key"):
            shutil.copy(first.data / name, second.data / name)
        second.start()

    def test_an_address_belongs_to_one_live_node(self):
        first = self.node()
        first.start()
        second = self.node()
        second.options[second.options.index("--address") + 1] = first.http
        self.refused(second, "lives at", "--address")
        first.kill()
        self.assertLess(second.start(timeout_s=REFUSED_WITHIN_S), REFUSED_WITHIN_S)

    def test_of_two_nodes_that_start_with_one_address_one_ends(self):
        self.node().start()
        pair = [self.node(), self.node()]
        for node in pair:
            node.options[node.options.index("--address") + 1] = pair[0].http
            node.launch()
        until = time.monotonic() + REFUSED_WITHIN_S
        while all(node.is_alive() for node in pair) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(sorted(str(node.process.poll()) for node in pair), ["1", "None"])
        ended = next(node for node in pair if not node.is_alive())
        self.assertIn("lives at", ended.log_tail())

    def test_a_refusal_by_postgres_names_its_remedy_without_the_password(self):
        self.postgres.sql("CREATE ROLE stranger LOGIN; CREATE ROLE guarded LOGIN PASSWORD 'right'")
        self.addCleanup(self.postgres.sql, "DROP ROLE stranger; DROP ROLE guarded")
        rules = self.postgres.data / "pg_hba.conf"
        trusting = rules.read_text()
        rules.write_text("host all guarded 127.0.0.1/32 scram-sha-256\n" + trusting)
        self.postgres.sql("SELECT pg_reload_conf()")
        self.addCleanup(rules.write_text, trusting)
        url = self.postgres.url
        for changed, words in [(url.replace("parley@", "stranger@"), ["denied a permission", "GRANT CREATE"]),
                               (url.replace("parley@", "nobody@"), ["nobody"]),
                               (url.rsplit("/", 1)[0] + "/absent", ["no database absent"]),
                               (url.replace("parley@", "guarded@"), ["password of the role guarded", "PARLEY_LOG_PASSWORD"])]:
            with self.subTest(words=words):
                node = self.server(Node, changed)
                self.refused(node, *words)
        node = self.server(Node, url.replace("parley@", "guarded@"))
        node.environment["PARLEY_LOG_PASSWORD"] = "wr0ng-s3cret"
        self.assertNotIn("wr0ng-s3cret", self.refused(node, "refuses the password"))

    def set_clock(self, time_sql):
        """Replaces the clock function in this database only."""
        self.postgres.sql("SET allow_system_table_mods = on; CREATE OR REPLACE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz "
                          f"LANGUAGE sql VOLATILE AS $$ SELECT {time_sql} $$")

    def test_a_node_whose_clock_is_off_does_not_join(self):
        self.node().start()
        self.addCleanup(self.set_clock, "pg_catalog.real_clock()")
        self.postgres.sql("SET allow_system_table_mods = on; ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO real_clock")
        for off_ms, is_refused in ((-600, True), (600, True), (-100, False)):
            with self.subTest(off_ms=off_ms):
                self.set_clock(f"pg_catalog.real_clock() + interval '{off_ms} ms'")
                node = self.node()
                if is_refused:
                    self.refused(node, "The clock of this machine differs from PostgreSQL's", "NTP")
                else:
                    node.start()

    def test_impossible_options_are_refused_immediately(self):
        url = self.postgres.url
        home = pathlib.Path(tempfile.mkdtemp(prefix="parley-options-"))
        self.addCleanup(shutil.rmtree, home)
        address = ["--address", f"http://127.0.0.1:{free_port()}"]
        for words in [["--log", url], ["--log", "mysql://x/y", *address], ["--address", "http://a:1"], ["--lease", "3s"],
                      ["--log", url, "--address", "http://u@a:1"], ["--log", url, "--address", "http://a:1/x"],
                      ["--log", url, "--address", "a:1"], ["--log", url, "--address", "http://a"],
                      ["--log", url, *address, "--lease", "999ms"], ["--log", url, *address, "--lease", "61s"],
                      ["--log", url, *address, "--reads", "stale"], ["--log", url, *address, "--when-leaderless", "wait"],
                      ["--log", url, *address, "--log-keep", "1023KiB"], ["--reads", "local"], ["--when-leaderless", "stale"],
                      ["--log-keep", "1GiB"], ["--log", url.replace("parley@", "parley:s3cret@"), *address],
                      ["--log", url + "?password=s3cret", *address]]:
            with self.subTest(words=words):
                done = parley("serve", "--data", str(home / "data"), *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertNotIn("s3cret", done.stdout + done.stderr)
                self.assertFalse((home / "data").exists())
        for words in (["migrate"], ["migrate", "--to", "x"], ["rebase"],
                      ["migrate", "--to", url.replace("parley@", "parley:s3cret@")]):
            self.assertEqual(parley(*words, "--data", str(home)).returncode, 2, words)
        self.assertEqual(parley("migrate", "--to", url, "--data", str(home / "absent")).returncode, 1)


if __name__ == "__main__":
    unittest.main()
