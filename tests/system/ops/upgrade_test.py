#!/usr/bin/env python3
"""A data directory of an older parley: the first start and `doctor` migrate it to the current schema and report that."""
import re

from support import cases, command

# The row of the schema version, after its key: form 1, checksum, revision 0, version.
NEWEST = re.compile(rb"schema\x01.{4}\x00{8}(....)", re.DOTALL)
SCHEMA_7 = b"schema" + bytes.fromhex("015957bb87" + "00" * 8 + "00000007")


class Upgrade(cases.OwnServerTest):
    def make_older(self):
        """Stops the server and sets the schema version in its file to 7."""
        self.assertEqual(self.server.stop(), 0)
        file = self.server.data / "data.mdb"
        content = file.read_bytes()
        self.newest = int.from_bytes(NEWEST.search(content).group(1), "big")
        self.assertGreater(self.newest, 7)
        file.write_bytes(NEWEST.sub(lambda _: SCHEMA_7, content))
        self.server.log.write_text("")

    def test_a_start_says_that_it_brought_the_schema_up_to_date(self):
        self.own_server()
        made = self.scenario()
        self.assertNotIn("migrated", self.server.told(), "this parley made the file")
        self.make_older()
        self.server.start()
        self.http.close()
        self.http = self.server.client()
        self.ok(self.http.get(f"/scenarios/{made['id']}"))
        log = self.server.told()
        self.assertRegex(log, rf"info migrated from=7 to={self.newest} ms=\d+\n")
        self.assertLess(log.index("migrated"), log.index("listening"))
        self.server.log.write_text("")
        self.server.restart()
        self.assertNotIn("migrated", self.server.told(), "once")

    def test_doctor_says_it_too(self):
        self.own_server()
        self.scenario()
        self.make_older()
        ended = command.parley("doctor", "--data", self.server.data)
        self.assertEqual(ended.returncode, 0, ended)
        self.assertTrue(re.match(rf"migrated from schema 7 to {self.newest} in \d+ ms\ngood: ", ended.stdout), ended)
        self.assertRegex(command.parley("doctor", "--data", self.server.data).stdout, r"\Agood: ")


if __name__ == "__main__":
    cases.main()
