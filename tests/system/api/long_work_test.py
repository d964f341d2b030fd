#!/usr/bin/env python3
"""Long work of one client does not delay another client while a thread is idle (I65)."""
import threading
import time

from support import cases

TEXT = "Größe und Straße, schön für Ärger über Öl. " * 2000
RESULTS = 60


class LongWork(cases.OwnServerTest):
    def long_run(self):
        """A run that takes some seconds to rescore, and whose pages are larger than one write to a socket."""
        agent, scenario = self.agent(), self.scenario()
        rules = [{"type": "contains", "config": {"value": f"niemals {number}", "negate": True}} for number in range(30)]
        test = self.a_test(scenario, "end", rules)
        run = self.a_run(scenario, agent)
        for _ in range(RESULTS):
            made = self.result(agent, run=run["id"], test=test["id"])
            self.entry(made, TEXT)
            self.turn(made)
        self.run_becomes(run, "completed", 60)
        return run

    def read_pages(self, run, has_ended, waits):
        client = self.server.client(120)
        while not has_ended.is_set():
            began = time.monotonic()
            self.ok(client.get(f"/runs/{run['id']}/test-results?limit=20"), 200)
            waits.append(time.monotonic() - began)
        client.close()

    def test_I65_pages_one_after_the_other_do_not_wait_for_a_run_that_is_scored_again(self):
        self.own_server("--fsync", "off")
        run = self.long_run()
        has_ended, waits = threading.Event(), []
        readers = [threading.Thread(target=self.read_pages, args=(run, has_ended, waits)) for _ in range(4)]
        began = time.monotonic()
        rescorer = self.server.client(120)
        for reader in readers:
            reader.start()
        self.ok(rescorer.post(f"/runs/{run['id']}/rescore?limit={RESULTS}", {"preview": True}), 200)
        has_ended.set()
        took = time.monotonic() - began
        for reader in readers:
            reader.join()
        rescorer.close()
        self.assertGreater(len(waits), len(readers))
        self.assertLess(max(waits), took / 2, "a page waited for the run")


if __name__ == "__main__":
    cases.main()
