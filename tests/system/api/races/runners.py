"""Local runners and keys (rows 49, 53, 60, 61, 63)."""
import time

from support.cases import state_of, unique
from support.racing import RacingTest


class RunnerRaces(RacingTest):
    def beat(self, identifier):
        return ("POST", "/agents/local", {"name": "runner", "unique_identifier": identifier})

    def a_runner(self, results=0):
        """(identifier, run or None) of a new runner and its work."""
        identifier = unique("runner")
        agent = self.ok(self.http.send(*self.beat(identifier)))["agent_id"]
        if not results:
            return identifier, None
        run = self.create("/runs/", scenario=self.scenario_["id"], agent=agent, status="pending", repetitions=results)
        return identifier, run

    def test_49_the_clone_of_a_retry_is_handed_out_once(self):
        for _ in self.rounds():
            identifier, run = self.a_runner(1)
            made = self.ok(self.http.send(*self.beat(identifier)))["test_result_ids"][0]
            self.ok(self.patch_result(made, status="failed"), 200)
            retry, *beats = self.race(("POST", f"/test-results/{made}/retry"), self.beat(identifier), self.beat(identifier))
            clone = self.ok(retry, 201)["id"]
            offered = [one for beat in beats for one in self.ok(beat).get("test_result_ids", [])]
            offered += self.ok(self.http.send(*self.beat(identifier))).get("test_result_ids", [])
            self.assertEqual(offered, [clone])

    def test_53_cancel_run_and_a_heartbeat(self):
        for _ in self.rounds():
            identifier, run = self.a_runner(3)
            cancel, beat = self.race(("POST", f"/runs/{run['id']}/cancel"), self.beat(identifier))
            self.ok(cancel, 200)
            for offered in self.ok(beat).get("test_result_ids", []):
                self.assertEqual(state_of(self.get_result(offered)), "X")
                self.problem(self.post_entry(offered, "late"), 409)
            self.assertNotIn("test_result_ids", self.ok(self.http.send(*self.beat(identifier))))

    def test_60_heartbeats_of_one_runner_share_one_agent_and_no_result(self):
        for _ in self.rounds():
            identifier = unique("runner")
            beats = self.race(*[self.beat(identifier)] * 5)
            self.assertEqual(len({self.ok(beat)["agent_id"] for beat in beats}), 1)
            identifier, run = self.a_runner(4)
            offered = [one for beat in self.race(*[self.beat(identifier)] * 5)
                       for one in self.ok(beat).get("test_result_ids", [])]
            self.assertEqual((len(offered), len(set(offered))), (4, 4))

    def test_61_the_first_writer_starts_a_leased_result(self):
        for _ in self.rounds():
            identifier, run = self.a_runner(1)
            made = self.ok(self.http.send(*self.beat(identifier)))["test_result_ids"][0]
            first, second = self.race(("POST", f"/test-results/{made}/next-message"),
                                      ("POST", f"/test-results/{made}/next-message"))
            turns = {turn["message_id"] for turn in map(self.ok, (first, second)) if turn["ready"]}
            self.assertEqual(turns, set(self.ids_of({"id": made})))
            self.assertNotIn("test_result_ids", self.ok(self.http.send(*self.beat(identifier))))

    def test_63_a_key_that_is_revoked(self):
        for _ in self.rounds():
            key = self.create("/api-keys/", name="short", scopes=["read"])
            other = self.server.client(key=key["key"])
            self.ok(other.get("/runs/?limit=1"))
            revoke, = self.race(("DELETE", f"/api-keys/{key['id']}"))
            self.assertEqual(revoke.status, 204, revoke)
            until = time.monotonic() + 1
            while other.get("/runs/?limit=1").status != 401:
                self.assertLess(time.monotonic(), until, "a revoked key still works")
            other.close()
