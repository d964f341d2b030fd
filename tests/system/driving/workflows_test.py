#!/usr/bin/env python3
"""Results that a GitHub workflow drives (D72): the workflow is started once, results that no workflow starts fail, and an
unreachable base_url is reported (D74)."""
import socket

from support import cases
from support.driven import Driven
from support.fakes import github


class Workflows(Driven):
    options = ("--github-timeout", "4s", "--public-url", "https://parley.example")

    def github(self, fake, **secrets):
        return self.agent(type="GITHUB", secrets={"token": "token", **secrets},
                          config={"owner": "o", "repo": "r", "workflow": "w.yml", "ref": "main", "apiUrl": fake.url})

    def test_D72_a_launch_dispatches_the_workflow_once(self):
        with github.GitHub() as fake:
            run = self.launched(self.github(fake), 3)
            fake.wait(lambda now: now.dispatches)
            results = self.results_of(run)
            for result in results:
                self.converse(result, ["said"])
            self.assertEqual(self.ended(run)["result"]["score"], 100)
            [dispatch] = fake.dispatches
        self.assertEqual(sorted(dispatch["ids"]), sorted(result["id"] for result in results))
        self.assertEqual((dispatch["inputs"]["run_id"], dispatch["inputs"]["base_url"]), (run["id"], "https://parley.example"))

    def test_D72_a_refused_dispatch_fails_the_results(self):
        with github.GitHub(token="another") as fake:
            run = self.ended(self.launched(self.github(fake), 2))
        for result in self.results_of(run):
            self.assertEqual((result["status"], result["metadata"]["error"]["source"]), ("failed", "infrastructure"))
            self.assertIn("Bad credentials", result["metadata"]["error"]["detail"])

    def test_D72_results_that_no_workflow_starts_time_out(self):
        with github.GitHub() as fake:
            run = self.ended(self.launched(self.github(fake)))
        [result] = self.results_of(run)
        self.assertEqual((result["status"], result["endReason"]), ("failed", "timeout"))

    def test_D74_a_check_finds_a_workflow_that_may_call_back(self):
        with github.GitHub() as fake:
            checked = self.ok(self.http.post(f"/agents/{self.github(fake)['id']}/check"))
        self.assertEqual((checked["ok"], checked["status"], checked["error"]), (True, 200, None))

    def test_a_retry_dispatches_its_workflow(self):
        with github.GitHub() as fake:
            made = self.result(self.github(fake), testInstruction="say: one")
            fake.wait(lambda now: now.dispatches)
            self.converse(made)
            self.settled(made)
            clone = self.ok(self.retry(made), 201)
            fake.wait(lambda now: len(now.dispatches) == 2)
            self.assertEqual(fake.dispatches[1]["ids"], [clone["id"]])


class UnreachableWorkflows(Driven):
    """Without --public-url, a remote workflow gets an address that it cannot reach."""
    options = ("--github-timeout", "2s")

    def setUp(self):
        """The tests call GitHub by the host name: with a loopback address, its workflows could run on this machine too."""
        self.name = socket.gethostname()
        try:
            known = socket.gethostbyname(self.name)
        except OSError:
            known = None
        if known != "127.0.0.1" or self.name == "localhost":
            self.skipTest("this machine's name leads elsewhere")

    def github(self, fake, host):
        return self.agent(type="GITHUB", secrets={"token": "token"}, config={
            "owner": "o", "repo": "r", "workflow": "w.yml", "ref": "main", "apiUrl": f"http://{host}:{fake.port}"})

    def assert_told(self, detail):
        host, port = self.server.address
        for words in (f"http://{host}:{port} ", "base_url", "--public-url"):
            self.assertIn(words, detail)

    def test_D74_a_check_says_that_the_workflow_could_not_call_back(self):
        with github.GitHub() as fake:
            checked = self.ok(self.http.post(f"/agents/{self.github(fake, self.name)['id']}/check"))
            self.assertEqual((checked["ok"], checked["status"], checked["error"]["code"]), (False, 200, "unreachable"))
            self.assert_told(checked["error"]["detail"])
            self.assertTrue(self.ok(self.http.post(f"/agents/{self.github(fake, '127.0.0.1')['id']}/check"))["ok"])

    def test_D72_a_result_that_no_workflow_starts_reports_why(self):
        with github.GitHub() as fake:
            run = self.ended(self.launched(self.github(fake, self.name)))
            [result] = self.results_of(run)
            error = result["metadata"]["error"]
            self.assertEqual((error["source"], error["code"]), ("infrastructure", "timeout"))
            self.assertIn("--github-timeout", error["detail"])
            self.assert_told(error["detail"])
            run = self.ended(self.launched(self.github(fake, "127.0.0.1")))
            [result] = self.results_of(run)
            self.assertNotIn("--public-url", result["metadata"]["error"]["detail"])


if __name__ == "__main__":
    cases.main()
