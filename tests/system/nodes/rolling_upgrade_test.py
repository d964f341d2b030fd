#!/usr/bin/env python3
"""A rolling upgrade to a parley with a newer schema (ADR 64). PostgreSQL triggers label the rows of the leader with the
previous schema, so that a node with this binary and an empty directory joins the log of an older parley."""
import time
import unittest

from support.command import parley
from support.nodes import KEYS, Node, folders_at
from support.postgres import Postgres

LABEL = """
CREATE FUNCTION parley.older_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.rules := {schema}; RETURN NEW; END $$;
CREATE TRIGGER older BEFORE INSERT ON parley.log FOR EACH ROW WHEN (NEW.node = '{node}') EXECUTE FUNCTION parley.older_row();
UPDATE parley.log SET rules = {schema};
UPDATE parley.log_head SET rules = {schema};
"""


class UpgradeTest(unittest.TestCase):
    def setUp(self):
        self.postgres = Postgres()
        self.addCleanup(self.postgres.remove)
        self.old, self.new = self.node(), self.node()
        self.old.start()
        self.until(lambda: self.old.role() == "leader", "the first node leads")
        self.schema = int(self.postgres.sql("SELECT rules FROM parley.log_head"))
        self.made = 0
        self.write(50)
        name = self.old.state()[1]["log"]["node"]
        self.postgres.sql(LABEL.format(schema=self.schema - 1, node=name))

    def node(self):
        node = Node(self.postgres.url)
        self.addCleanup(node.remove)
        return node

    def until(self, holds, what, timeout_s=10):
        """Waits until holds() is true; returns the seconds that it took."""
        begun = time.monotonic()
        while not holds():
            self.assertLess(time.monotonic() - begun, timeout_s, f"not in time: {what}\n{self.new.log_tail()}")
            time.sleep(0.02)
        return time.monotonic() - begun

    def write(self, count, node=None):
        for _ in range(count):
            answer = (node or self.old).call("POST", "/folders", {"name": f"folder {self.made}"})
            self.assertEqual(answer.status, 201, answer.body)
            self.made += 1

    def names_at(self, node):
        client = node.client()
        self.addCleanup(client.close)
        return sorted(row["name"] for row in folders_at(client))

    def waits(self):
        return self.starts_that_wait() > 0

    def starts_that_wait(self):
        return self.new.log.read_text().count("with an older parley leads")

    def joins_and_waits(self):
        self.new.launch()
        self.until(self.waits, "the new node waits")

    def switchover(self):
        return self.old.call("POST", "/admin/switchover", {"to": self.new.http})

    def check_stays_listed(self):
        """Once the leader lists the waiting node (read every 250 ms), a switchover to that node is 409, not 400."""
        self.until(lambda: self.switchover().status != 400, "the leader lists the new node")
        for _ in range(20):
            refused = self.switchover()
            self.assertEqual(refused.status, 409, refused.body)
            time.sleep(0.1)

    def check_new_leader(self):
        self.assertIn(f"migrated from={self.schema - 1} to={self.schema}", self.new.log.read_text())
        self.assertEqual(int(self.postgres.sql("SELECT rules FROM parley.log_head")), self.schema)
        self.assertEqual(len(self.names_at(self.new)), self.made)
        self.write(10, self.new)
        self.old.launch()
        self.until(lambda: self.old.state()[0] == 200, "the updated node follows")
        self.assertEqual(self.names_at(self.old), self.names_at(self.new))
        self.assertEqual((self.old.role(), self.new.role()), ("follower", "leader"))
        for node in (self.old, self.new):
            self.assertEqual(node.stop(), 0)
            checked = parley("doctor", "--data", str(node.data), environment=KEYS)
            self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_a_new_node_waits_and_leads_once_the_older_leader_stops(self):
        self.joins_and_waits()
        self.write(20)
        status, body = self.new.state()
        self.assertEqual((status, body["status"]), (503, "joining"))
        self.assertEqual(self.new.call("GET", "/folders").status, 503)
        self.check_stays_listed()
        self.new.kill()
        self.new.launch()
        self.write(20)
        self.assertNotEqual(self.new.role(), "leader")
        self.assertEqual(self.old.stop(), 0)
        took = self.until(lambda: self.new.role() == "leader", "the new node leads")
        self.assertLess(took, 4)
        self.check_new_leader()

    def test_a_new_node_leads_after_the_older_leader_was_killed(self):
        self.joins_and_waits()
        self.write(20)
        self.old.kill()
        self.until(lambda: self.new.role() == "leader", "the new node leads")
        self.check_new_leader()

    def test_a_directory_that_was_migrated_too_early_is_replaced(self):
        self.joins_and_waits()
        self.new.stop()
        self.write(5)
        checked = parley("doctor", "--data", str(self.new.data), environment=KEYS)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn(f"migrated from schema {self.schema - 1} to {self.schema}", checked.stdout)
        self.write(5)
        self.new.launch()
        self.until(lambda: self.starts_that_wait() == 2, "the new node waits again")
        self.old.stop()
        self.until(lambda: self.new.role() == "leader", "the new node leads")
        self.assertEqual(len(self.names_at(self.new)), self.made)


if __name__ == "__main__":
    unittest.main()
