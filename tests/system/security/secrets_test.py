#!/usr/bin/env python3
"""No secret in any artifact (I67). Canaries are the key of the caller, a fresh API key and the secrets of an agent. After
requests and failures that use all of them, every answer, the log, the metrics, the data directory and a backup are searched.
The systemd unit is rated by the tool of systemd if it is installed."""
import shutil
import subprocess
import time

from support import cases, command, server
from support.cases import OwnServerTest
from support.driven import Driven, verdict_of
from support.fakes import model
from support.fakes.base import Reply
from support.fakes.webhook import WebhookAgent

TOKEN, OTHER = "canary-token-4711", "canary-other-4712"
PATHS = ("agents", "api-keys", "users", "runs", "test-results", "scenarios", "tests", "scheduled-runs")


class Secrets(OwnServerTest, Driven):
    def setUp(self):
        self.own_server("--allow-private-agents", "true")
        self.seen = []
        plain = self.http.send

        def send(*arguments):
            answer = plain(*arguments)
            self.seen.append(answer.body + repr(answer.fields).encode())
            return answer
        self.http.send = send

    def drive(self, respond):
        """Plays a run with an agent whose secrets are sent in a header and in the body; returns the requests that it got."""
        with WebhookAgent(respond) as fake:
            agent = self.agent(type="HTTP", secrets={"token": TOKEN, "other": OTHER},
                               config={**fake.config, "headers": {"X-Token": "{{secret:token}}"}})
            scenario = self.scenario()
            self.a_test(scenario, "say: one")
            run = self.a_run(scenario, agent, "pending")
            self.run_becomes(run, "completed")
            return list(fake.requests)

    def test_I67_canaries_are_found_nowhere(self):
        made = self.create("/api-keys/", name="fresh", scopes=["read", "write"])
        fresh = made["key"]
        self.seen.clear()   # that answer shows the key intentionally, once
        asked = self.drive(lambda turn: {"message": "said"})
        self.assertIn(TOKEN, repr(asked), "the canary was in use")
        self.drive(lambda turn: Reply({"error": TOKEN}, status=500))      # an agent that repeats the secret in an error
        for path in PATHS:
            self.ok(self.http.get(f"/{path}/?limit=1000"))
        for path in ("/agents/", "/runs/", "/api-keys/"):
            self.http.post(path, {"secrets": {"token": TOKEN}, "config": 3})
        self.http.get("/runs/?key=" + fresh)   # a key in a query is neither used nor logged
        self.seen.pop()   # the links in that answer repeat the query of the caller
        self.ok_text(self.http.get("/metrics"))
        backup = self.server.folder / "backup"
        done = subprocess.run([server.binary(), "backup", str(backup), "--data", str(self.server.data)],
                              capture_output=True, check=True)
        artefacts = {"answers": b"\n".join(self.seen), "log": self.server.told().encode(),
                     "tool": done.stdout + done.stderr, "backup": backup.read_bytes()}
        artefacts.update({file.name: file.read_bytes() for file in self.server.data.iterdir() if file.name != "admin.key"})
        self.assertIn("data.mdb", artefacts)
        for name, content in artefacts.items():
            for canary in (OTHER, fresh, self.server.key):
                with self.subTest(artefact=name, canary=canary[:12]):
                    self.assertNotIn(canary.encode(), content)
            with self.subTest(artefact=name, canary="token"):
                self.assertNotIn(TOKEN.encode(), content)

    def test_I67_a_key_that_a_model_repeats_is_recorded_nowhere(self):
        keys = {"tester": "sk-canary-tester-4713", "judge": "sk-canary-judge-4714"}
        criterion = {"type": "criteria", "criteria": "It greets.", "severity": "BLOCKER"}
        told = lambda role, status: Reply({"error": {"message": f"bad key {keys[role]}"}}, status)
        judged = lambda asked: verdict_of(asked).replace("It says so.", "I was asked with " + keys["judge"])
        rows = [  # the answers of the tester and of the judge
            (lambda asked: told("tester", 401), lambda asked: told("judge", 401)),
            (lambda asked: told("tester", 200), lambda asked: told("judge", 200)),
            (lambda asked: "My key is " + keys["tester"], judged),
            (lambda asked: Reply("x" * 290 + keys["tester"], 400), lambda asked: Reply("x" * 290 + keys["judge"], 400)),
        ]
        for tester, judge in rows:
            with model.Model(tester, key=keys["tester"]) as playing, model.Model(judge, key=keys["judge"]) as judging:
                self.own_server("--tester-url", playing.base_url, "--tester-model", "t", "--judge-url", judging.base_url,
                                "--judge-model", "j", "--keep-answers", "true", PARLEY_TESTER_API_KEY=keys["tester"],
                                PARLEY_JUDGE_API_KEY=keys["judge"])
                run = self.ended(self.launched(self.agent(type="DEMO"), instruction="Be polite.\nmax turns: 2"))
                for result in self.results_of(run):
                    self.http.post(f"/test-results/{result['id']}/review", {})
                made = self.result(testInstruction="say: hello", assertionResults=[criterion])
                self.converse(made, ["hello you"])
                row = self.settled(made)["assertionResults"][0]
                self.assertIn(row["status"], ("error", "passed"))
                review = self.ok(self.http.post(f"/test-results/{made['id']}/review", {}))
                self.ok(self.http.post(f"/runs/{run['id']}/detect-hallucinations", {}))
                seen = [self.ok(self.http.get(f"/test-results/?limit=1000")), row, review, self.results_of(run)]
                self.assertTrue(playing.requests and judging.requests, "both were asked, with their keys")
                self.server.stop()
                artefacts = {"answers": repr(seen).encode(), "log": self.server.log.read_bytes()}
                artefacts.update({file.name: file.read_bytes() for file in self.server.data.iterdir()})
            for name, content in artefacts.items():
                for role in keys:
                    with self.subTest(artefact=name, role=role):
                        self.assertNotIn(b"canary-" + role.encode(), content)

    def test_I67_secrets_that_an_agent_repeats_are_recorded_nowhere(self):
        said = {"message": f"I was sent {TOKEN}", "metadata": {"heard": [OTHER]},
                "tools": [{"name": "call " + TOKEN, "metadata": {"with": TOKEN}}],
                "events": [{"name": "event", "metadata": {"of": OTHER}}]}
        self.drive(lambda turn: said)
        [result] = self.ok(self.http.get("/test-results/?limit=1000"))["data"]
        shown = self.http.get(f"/test-results/{result['id']}").body
        for canary in (TOKEN, OTHER):
            self.assertNotIn(canary.encode(), shown)
        self.assertIn(b"I was sent ***", shown)

    def test_I67_an_echo_that_a_mask_would_break_is_kept_as_JSON(self):
        digits, key = "12345678", "sk-abcdef"
        said = lambda text: b'{"message":"hi",' + text + b'}'
        rows = {  # the secret, the answer of the agent, and the shown metadata of the entry
            "digits": (digits, said(b'"metadata":{"order":12345678}'), {"order": 12345678}),
            "keys": (key, said(b'"metadata":{"***":1,"sk-abcdef":2}'), {"***": 1, "***-2": 2}),
            "backslashes": (key, said(b'"metadata":{"p":"' + b"\\" * 16 + b'sk-abcdef"}'), {"p": "***"}),
            "tail": ("abcdefg\\", said(b'"metadata":{"p":"abcdefg\\\\"}'), {"p": "***"}),
            "word": ("corp\\bob", said(b'"metadata":{"dump":"{\\"user\\":\\"corp\\\\\\\\bob\\"}"}'),
                     {"dump": '{"user":"***"}'}),
            "quotes": (f'"{key}"', said(b'"metadata":{"p":"sk-abcdef"}'), {"p": "***"}),
            "event": (digits, said(b'"events":[{"name":"e","public":true,"metadata":{"order":12345678}}]'),
                      {"order": 12345678}),
            "tool": (digits, said(b'"tools":[{"name":"t","metadata":{"***":1,"12345678":2,"n":12345678}}]'),
                     {"***": 1, "***-2": 2, "n": 12345678})}
        for name, (secret, answer, shown) in rows.items():
            with self.subTest(name), WebhookAgent(lambda turn, answer=answer: Reply(answer)) as fake:
                agent = self.agent(type="HTTP", secrets={"X-Key": secret}, config=fake.config)
                made = self.result(agent=agent, testInstruction="say: one")
                self.wait_for(lambda: self.get_result(made)["status"] in cases.TERMINAL)
                result = self.get_result(made)
                self.assertEqual(result["status"], "completed", result)
                [entry] = [entry for entry in result["conversation"] if entry["role"] == "chatbot" and
                           (entry["type"] != "message" or name not in ("event", "tool"))]
                entry["metadata"].pop("responseTime", None)
                self.assertEqual(entry["metadata"], shown)
                self.assertTrue(self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)["ok"])
        self.assertTrue(self.server.is_alive())

    def test_I67_a_word_in_a_header_changes_no_verdict(self):
        answer = lambda turn: {"message": "Please ask our customer support."}
        with WebhookAgent(answer) as fake:
            agent = self.agent(type="HTTP", secrets={"X-User": "support", "X-Key": "sup-port"}, config=fake.config)
            spoken = {"type": "contains", "config": {"value": "customer support"}, "severity": "BLOCKER"}
            [result] = self.results_of(self.ended(self.launched(agent, assertions=(spoken,))))
        self.assertEqual(result["assertionResults"][0]["status"], "passed", result)
        with WebhookAgent(lambda turn: Reply({"error": "no support, no sup-port"}, status=500)) as fake:
            agent = self.agent(type="HTTP", secrets={"X-User": "support", "X-Key": "sup-port"}, config=fake.config)
            [result] = self.results_of(self.ended(self.launched(agent)))
        self.assertEqual(result["metadata"]["error"]["detail"], "The agent answered 500: no ***, no ***")

    def test_D23_an_escaped_echo_of_a_secret_is_masked_too(self):
        echo = Reply(b'{"error":"no canary-token\\u002d4711, canary\\/other"}', status=401)
        with WebhookAgent(lambda turn: echo) as fake:
            agent = self.agent(type="HTTP", secrets={"token": TOKEN, "X-Other": "canary/other"}, config=fake.config)
            [result] = self.results_of(self.ended(self.launched(agent)))
            self.assertEqual(result["metadata"]["error"]["detail"], "The agent answered 401: no ***, ***")
            check = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
            self.assertEqual(check["error"]["detail"], "The agent answered 401: no ***, ***")

    def test_F23_an_echo_of_one_letter_takes_no_time(self):
        with WebhookAgent(lambda turn: {"message": "a" * 900_000}) as fake:
            agent = self.agent(type="HTTP", secrets={"no header": "a" * 30_000}, config=fake.config)
            begun = time.monotonic()
            made = [self.result(agent=agent, testInstruction="say: one") for _ in range(4)]
            for result in made:
                self.wait_for(lambda result=result: self.get_result(result)["status"] in cases.TERMINAL, seconds=30)
            self.assertLess(time.monotonic() - begun, 30, "hours, where each letter is compared with all of the secret")
        [said] = [entry["content"] for entry in self.get_result(made[0])["conversation"] if entry["role"] == "chatbot"]
        self.assertEqual(said, "***")

    def test_D74_a_check_reports_a_secret_that_cannot_be_opened_like_a_result(self):
        with WebhookAgent() as fake:
            agent = self.agent(type="HTTP", secrets={"token": TOKEN}, config=fake.config)
            self.assertEqual(self.server.stop(), 0)
            (self.server.data / "secrets.key").unlink()
            self.server.options += ["--new-secrets-key", "true"]
            self.server.start()
            self.http.close()
            self.http = self.server.client()
            check = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
            [result] = self.results_of(self.ended(self.launched(agent)))
            self.assertEqual(list(fake.requests), [])
        self.assertEqual((check["ok"], check["status"], check["reply"]), (False, None, None))
        told = result["metadata"]["error"]
        self.assertEqual(check["error"], {"code": told["code"], "detail": told["detail"]})

    def ok_text(self, answer):
        self.assertEqual(answer.status, 200, answer)

    def test_a_malformed_master_key_is_reported_with_its_form(self):
        for key in ("", "a" * 63, "A" * 64, "g" * 64):
            with self.subTest(key=key):
                ended = command.parley("serve", "--data", self.server.folder / "new", "--listen", "127.0.0.1:0",
                                       environment={"PARLEY_SECRETS_KEY": key})
                self.assertEqual(ended.returncode, 1, ended)
                self.assertIn("must be 64 lower-case hex digits, such as `openssl rand -hex 32` prints", ended.stderr)
                self.assertNotIn(key or "PARLEY_SECRETS_KEY=", ended.stderr)

    def test_the_unit_is_marked_2_or_better(self):
        unit = server.ROOT / "contrib/parley.service"
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        said = subprocess.run(["systemd-analyze", "security", "--offline=true", str(unit)], capture_output=True, text=True,
                              check=False).stdout
        mark = float(said.rstrip().splitlines()[-1].split(":")[1].split()[0])
        self.assertLessEqual(mark, 2.0, said)


if __name__ == "__main__":
    cases.main()
