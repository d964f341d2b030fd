#!/usr/bin/env python3
"""Every hostile mode at every place where the server makes calls (F16-F21): HTTP agents, OPENAI agents, the check of both
(D74), the model of the tester, the judge, GitHub. Only the affected result fails, with the reason; nothing hangs, nothing
passes that should not, and memory stays bounded.

The table is MODES x the tests of this file; a new mode in support/fakes/modes.py is tested at every place."""
import concurrent.futures
import json
import re
import socket
import time

from support import cases, server
from support.driven import GOT, Driven, verdict_of
from support.fakes import github, model, modes, webhook
from support.fakes.base import Reply

STATUSES = ["status-204", "status-302", "status-400", "status-401", "status-404", "status-429", "status-500", "status-503"]
MODES = sorted(modes.MODES) + STATUSES
# Endless answers must be cut off because of their size, compressed or decompressed, and not for another reason.
TOO_LARGE = ("gigabyte", "chunks-for-ever", "endless", "gzip-bomb", "nothing-for-ever", "header-flood", "header-for-ever")
BROKEN = ("codings-within-codings", "codings-in-three-lines", "codings-on-the-way", "extension-for-ever")
CRITERION = {"type": "criteria", "criteria": "The chatbot greets.", "severity": "BLOCKER"}
NAMED = re.compile(r"MODE=([a-z0-9-]+)")
AT_ONCE = 6  # modes that share a server and its model: so few that its circuit breaker (10 failures in a row) stays closed
GROWTH_MAX = 96 << 20
GITHUB_STARTS_WITHIN = "3s"


def groups():
    return [MODES[first::len(MODES) // AT_ONCE] for first in range(len(MODES) // AT_ONCE)]


class Hostile(Driven):
    def bounded(self, served, before):
        """Checks that memory has not grown: gigabytes and bombs were cut off."""
        self.assertLess(served.memory() - before, GROWTH_MAX)

    def failed(self, mode, run, source, reasons=("agent_error",)):
        [result] = self.results_of(run)
        self.assertEqual((result["status"], run["result"]["passed"], run["result"]["score"]), ("failed", 0, None), mode)
        self.assertIn(result["endReason"], reasons, mode)
        error = result["metadata"]["error"]
        self.assertEqual(error["source"], source, (mode, error))
        self.assertTrue(error["code"] and error["detail"], (mode, error))
        if mode in TOO_LARGE and source != "infrastructure":   # results of GitHub time out whatever it answers
            self.assertEqual(error["code"], "too_large", (mode, error))
        if mode in BROKEN and source == "agent":
            self.assertEqual(error["code"], "broken", (mode, error))


class HostileAgents(Hostile):
    options = ("--github-timeout", GITHUB_STARTS_WITHIN, "--log-level", "warn")

    def setUp(self):
        self.memory = self.server.memory()

    def agents_fail_alone(self, fake, hostile_agent, good_agent):
        runs = {mode: self.launched(hostile_agent(mode), instruction="say: one") for mode in MODES}
        good = self.ended(self.launched(good_agent, 5, instruction="say: one"))
        self.assertEqual((good["result"]["completed"], good["result"]["score"]), (5, 100))
        for mode, run in runs.items():
            self.failed(mode, self.ended(run, 30), "agent")
        self.assertTrue(fake.wait(lambda now: now.in_flight == 0), "no call is left behind")
        self.bounded(self.server, self.memory)

    def test_F16_F21_an_HTTP_agent(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}) as fake:
            # endless extensions are detected when libcurl counts no bytes for a second
            self.agents_fail_alone(fake, lambda mode: self.agent(
                type="HTTP", config={"url": f"{fake.url}/hostile/{mode}", "timeoutMs": 5000}), self.hosted(fake))

    def test_F16_F21_an_OPENAI_agent(self):
        with model.Model(lambda asked: "said") as fake:
            def agent(base, **config):
                return self.agent(type="OPENAI", config={"url": base, "model": "m", **config})
            self.agents_fail_alone(fake, lambda mode: agent(f"{fake.url}/hostile/{mode}/v1", timeoutMs=1500),
                                   agent(fake.base_url))

    def test_F16_F21_the_check_of_an_agent(self):
        with webhook.WebhookAgent() as fake:
            def agent(kind, mode):
                config = {"url": f"{fake.url}/hostile/{mode}/v1", "timeoutMs": 1500}
                return self.agent(type=kind, config=config if kind == "HTTP" else {**config, "model": "m"})

            def check(row):
                kind, mode, agent = row
                client = self.server.client()
                begun = time.monotonic()
                answer = self.ok(client.post(f"/agents/{agent['id']}/check"), 200)
                client.close()
                return kind, mode, answer, time.monotonic() - begun
            rows = [(kind, mode, agent(kind, mode)) for kind in ("HTTP", "OPENAI") for mode in MODES]
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                checks = list(pool.map(check, rows))
            for kind, mode, answer, took in checks:
                self.assertLess(took, 15, (kind, mode))
                self.assertFalse(answer["ok"], (kind, mode, answer))
                self.assertTrue(answer["error"]["code"] and answer["error"]["detail"], (kind, mode))
        self.bounded(self.server, self.memory)

    def test_F16_F21_GITHUB(self):
        """A dispatch whose answer was lost may have been accepted: it is not repeated, and the results time out (D72)."""
        with github.GitHub() as fake:
            def agent(url):
                return self.agent(type="GITHUB", secrets={"token": "token"}, config={
                    "owner": "o", "repo": "r", "workflow": "w.yml", "ref": "main", "apiUrl": url})
            runs = {mode: self.launched(agent(f"{fake.url}/hostile/{mode}")) for mode in MODES}
            good = self.launched(agent(fake.url))
            # All runs share an origin, and its time-outs slow down every call to it.
            self.assertTrue(fake.wait(lambda now: now.dispatches, 30))
            self.converse(self.results_of(good)[0], ["said"])
            self.assertEqual(self.ended(good)["result"]["score"], 100)
            for mode, run in runs.items():
                self.failed(mode, self.ended(run, 60), "infrastructure", ("infrastructure_error", "timeout"))
            asked = [request.path for request in fake.requests]
            self.assertEqual(len(asked), len(set(asked)), "no dispatch is repeated")
        self.bounded(self.server, self.memory)


class ForbiddenAddresses(Driven):
    """The server must not call addresses inside the network (D75)."""
    options = ("--allow-private-agents", "false")
    FORMS = ("127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0.0.0.0", "localhost", "localhost.", "[::1]", "[::]",
             "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "10.0.0.1", "172.16.0.1",
             "192.168.0.1", "100.64.0.1", "169.254.169.254", "[fd00:ec2::254]", "[fe80::1]", "[fc00::1]", "224.0.0.1",
             "255.255.255.255")

    def test_F20_no_url_of_an_agent_reaches_inside(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(0.2)
            port = listener.getsockname()[1]
            for scheme in ("https", "http"):
                for form in self.FORMS:
                    with self.subTest(scheme=scheme, form=form):
                        made = self.http.post("/agents/", {"name": "inside", "type": "HTTP", "config": {
                            "url": f"{scheme}://{form}:{port}/", "timeoutMs": 1000}})
                        if made.status == 400:   # an unusual form of an address is already refused
                            continue
                        checked = self.ok(self.http.post(f"/agents/{self.ok(made, 201)['id']}/check"), 200)
                        self.assertEqual((checked["ok"], checked["error"]["code"]), (False, "blocked_address"), checked)
            with self.assertRaises(TimeoutError):
                listener.accept()

    def test_F20_a_conversation_with_such_an_agent_fails_and_names_the_reason(self):
        agent = self.agent(type="HTTP", config={"url": "https://127.0.0.1:9/"})
        [result] = self.results_of(self.ended(self.launched(agent, instruction="say: one")))
        self.assertEqual((result["status"], result["metadata"]["error"]["code"]), ("failed", "blocked_address"), result)


class Redirects(Driven):
    options = ("--allow-private-agents", "true", "--log-level", "warn")

    def test_F20_a_redirect_is_not_followed(self):
        with webhook.WebhookAgent() as target:
            for status in (301, 302, 303, 307, 308):
                redirect = Reply("elsewhere", status, {"Location": target.config["url"]})
                with self.subTest(status=status), webhook.WebhookAgent([redirect]) as fake:
                    checked = self.ok(self.http.post(f"/agents/{self.hosted(fake)['id']}/check"), 200)
                    self.assertFalse(checked["ok"], checked)
                    [result] = self.results_of(self.ended(self.launched(self.hosted(fake), instruction="say: one")))
                    self.assertEqual((result["status"], result["endReason"]), ("failed", "agent_error"), result)
            self.assertEqual(len(target.requests), 0)

    def test_F34_no_header_of_a_call_can_be_split(self):
        with webhook.WebhookAgent() as fake:
            for text in ("a\r\nX-More: b", "a\nb", "a\rb", "a\u0000b", "a\u007fb"):
                with self.subTest(text=text):
                    body = {"name": "splits", "type": "HTTP", "config": fake.config}
                    self.problem(self.http.post("/agents/", {**body, "secrets": {"X-Token": text}}), 400, "/secrets/X-Token")
                    config = {**fake.config, "headers": {"X-Header": text}}
                    self.problem(self.http.post("/agents/", {**body, "config": config}), 400, "/config/headers/X-Header")
            self.assertEqual(len(fake.requests), 0)


class HostileModels(Hostile):
    """Tester and judge are settings of a server, so each group of modes has a server with separate models."""

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def setUp(self):
        self.models, self.served = [], []
        for group in groups():
            pair = [model.Model(script).start() for script in (self.say, self.judge)]
            self.models += pair
            self.addCleanup(pair[0].stop)
            self.addCleanup(pair[1].stop)
            one = server.Server("--tester-url", pair[0].base_url, "--tester-model", "t", "--tester-timeout", "1500ms",
                                "--judge-url", pair[1].base_url, "--judge-model", "j", "--judge-timeout", "1500ms")
            self.addCleanup(one.remove)
            one.start()
            self.served.append((group, one, one.memory()))

    @staticmethod
    def say(asked):
        """The reply with the mode that the instruction names, or a turn."""
        named = NAMED.search(json.dumps(asked["messages"]))
        return Reply(mode=named[1]) if named else "Good day."

    @staticmethod
    def judge(asked):
        named = NAMED.search(json.dumps(asked["messages"]))
        return Reply(mode=named[1]) if named else verdict_of(asked)

    def every_group(self, of_mode, good, verify):
        """Plays one run for each mode and a good run per server, on all servers at once."""
        runs = []
        for group, one, before in self.served:
            self.use(one)
            agent = self.agent(type="DEMO")
            here = {mode: self.launched(agent, **of_mode(mode)) for mode in group}
            runs.append((one, before, here, self.launched(agent, 3, **good)))
        for one, before, here, beside in runs:
            self.use(one)
            beside = self.ended(beside, 60)
            self.assertEqual((beside["result"]["completed"], beside["result"]["score"]), (3, 100))
            for mode, run in here.items():
                verify(mode, self.ended(run, 60))
            self.bounded(one, before)
            self.assertEqual(cases.fault_of_end(one), None)
        for fake in self.models:
            self.assertTrue(fake.wait(lambda now: now.in_flight == 0), "no call is left behind")

    def use(self, one):
        self.http = one.client()
        self.addCleanup(self.http.close)

    def test_F16_F21_the_model_of_the_tester(self):
        self.every_group(lambda mode: {"instruction": f"max turns: 1\nBe polite. MODE={mode}", "assertions": []},
                         {"instruction": "max turns: 1\nBe polite.", "assertions": [{"type": "min-turns", "config": {"value": 1}}]},
                         lambda mode, run: self.failed(mode, run, "tester", ("tester_error",)))

    def test_F16_F21_the_judge(self):
        def undecided(mode, run):
            self.assertEqual((run["result"]["completed"], run["result"]["undecided"], run["result"]["passed"],
                              run["result"]["score"]), (1, 1, 0, None), mode)
            [row] = self.results_of(run)[0]["assertionResults"]
            self.assertEqual((row["status"], row["passed"]), ("error", None), mode)
            self.assertTrue(row["reason"], mode)
        self.every_group(lambda mode: {"instruction": "say: hello",
                                       "assertions": [{**CRITERION, "criteria": f"It greets. MODE={mode}"}]},
                         {"instruction": "say: hello", "assertions": [CRITERION]}, undecided)


if __name__ == "__main__":
    cases.main()
