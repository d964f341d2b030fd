#!/usr/bin/env python3
"""An unreadable page of the data file raises an alarm where operators look: in the log and in /metrics (F9, I13)."""
import re

from support import cases

PAGE = 4096


class Damaged(cases.OwnServerTest):
    def figure(self, name):
        return int(re.search(rf"^{name} (\d+)$", self.http.get("/metrics").body.decode(), re.M).group(1))

    def test_F9_a_lost_page_is_reported_counted_and_answered_under_the_request_s_id(self):
        self.own_server("--fsync", "off")
        server = self.server
        made = [self.create("/folders", name=f"f{number}-" + "x" * 600)["id"] for number in range(60)]
        self.http.close()
        self.assertEqual(server.stop(), 0)
        file = server.data / "data.mdb"
        content = bytearray(file.read_bytes())
        page = content.rfind(b"f30-xx") // PAGE
        content[page * PAGE:(page + 1) * PAGE] = bytes(PAGE)
        file.write_bytes(content)
        server.start()
        self.http = server.client()
        answers = [self.http.get(f"/folders/{each}", {"X-Request-Id": f"look-{each}"}) for each in made]
        broken = [answer.json() for answer in answers if answer.status == 500]
        self.assertGreater(len(broken), 0)
        self.assertEqual({answer.status for answer in answers}, {200, 500})
        self.assertEqual(self.figure("parley_store_corrupt_reads_total"), len(broken))
        self.assertEqual(self.figure("parley_http_exceptions_total"), len(broken))
        log = server.told()
        for problem in broken:
            self.assertRegex(problem["instance"], "^look-")
            self.assertRegex(log, rf'error problem request={problem["instance"]} route=/folders/{{id}} kind=internal detail=".*MDB_')
            self.assertNotIn("MDB_", problem["detail"])


if __name__ == "__main__":
    cases.main()
