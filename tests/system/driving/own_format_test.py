#!/usr/bin/env python3
"""Chatbots in their own formats (D100, D74): each recipe of docs/guide/own-format.md with a matching server. The agent
is created and checked, and a run with it is scored."""
import json
import pathlib
import re

from support import cases, server as servers
from support.driven import Driven
from support.fakes import chatbots, model, webhook
from support.fakes.base import Reply

GUIDE = servers.ROOT / "docs/guide/own-format.md"
RECIPE = re.compile(r"^### (.*?)\n.*?^```json\n(.*?)^```$", re.M | re.S)
CONVERSATIONS = 12
SAYS_IT = {"type": "contains", "config": {"value": "You said: two"}, "severity": "BLOCKER"}


def recipes():
    return dict(RECIPE.findall(pathlib.Path(GUIDE).read_text(encoding="utf-8")))


class OwnFormat(Driven):
    def agent_of(self, recipe, fake, **more):
        config = json.loads(recipe.replace("127.0.0.1:5005", f"127.0.0.1:{fake.port}")
                            .replace("127.0.0.1:3000", f"127.0.0.1:{fake.port}")
                            .replace("127.0.0.1:8000", f"127.0.0.1:{fake.port}"))
        return self.agent(type="HTTP", config={**config, **more}, secrets={"clientSecret": "s3cret of the client"})

    def checked(self, agent):
        return self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)

    def played(self, agent):
        run = self.ended(self.launched(agent, instruction="say: one\nsay: two", assertions=[SAYS_IT],
                                       repetitions=CONVERSATIONS, maxConcurrentTests=6))
        self.assertEqual((run["result"]["completed"], run["result"]["passed"]), (CONVERSATIONS, CONVERSATIONS), run)
        return self.results_of(run)

    def test_each_recipe_of_the_guide_is_checked_and_scored_D100(self):
        found = recipes()
        self.assertGreaterEqual(len(found), 8)
        with chatbots.Chatbots() as fake:
            for name, recipe in found.items():
                with self.subTest(name):
                    agent = self.agent_of(recipe, fake)
                    check = self.checked(agent)
                    self.assertTrue(check["ok"], check)
                    self.assertIn("You said: Hello", check["reply"]["message"])
                    self.assertIn("Hello", check["sent"]["body"] + check["sent"]["url"])
                    self.assertEqual((check["received"]["status"], check["proposal"], check["error"]), (200, None, None))
                    self.played(agent)

    def test_the_recipes_find_more_than_the_message(self):
        found = recipes()
        with chatbots.Chatbots() as fake:
            said = {}
            for name in ("Rasa", "LangServe", "OpenAI Responses", "A streaming chatbot"):
                [result] = self.results_of(self.ended(self.launched(self.agent_of(found[name], fake))))
                said[name] = [entry for entry in result["conversation"] if entry["role"] == "chatbot"]
        self.assertEqual(said["Rasa"][0]["content"], "You said: one\nAnything else?")
        self.assertIn("runId", said["LangServe"][0]["metadata"])
        tool, message = said["OpenAI Responses"][:2]
        self.assertEqual((tool["type"], tool["name"], tool["metadata"]), ("tool", "look_up", {"arguments": {"q": "one"}}))
        self.assertEqual((message["content"], message["metadata"]["outputTokens"]), ("You said: one", 7))
        streamed = said["A streaming chatbot"][1]
        self.assertEqual((streamed["content"], streamed["metadata"]["outputTokens"]), ("You said: two", 9))

    def test_a_check_shows_what_was_sent_and_proposes_where_the_message_is(self):
        rows = (({"output": {"text": "Good day to you"}, "id": "1"}, {"message": "/output/text"}),
                ([{"text": "Good day"}], {"message": "/*/text"}),
                ("Good day, sir.", "text"))
        for answer, proposal in rows:
            with self.subTest(answer), webhook.WebhookAgent(lambda turn, answer=answer: Reply(answer)) as fake:
                agent = self.hosted(fake, headers={"X-Kind": "test"})
                check = self.checked(agent)
                self.assertFalse(check["ok"], check)
                self.assertEqual(check["proposal"], {"reply": proposal})
                self.assertEqual(check["sent"]["headers"]["X-Canary"], "***")
                self.assertEqual(check["sent"]["headers"]["X-Kind"], "test")
                self.assertEqual(json.loads(check["sent"]["body"])["message"], "Hello")
                self.assertNotIn(cases.CANARY, json.dumps(check))
                config = {**fake.config, **check["proposal"]}
                self.ok(self.http.patch(f"/agents/{agent['id']}", {"config": config}), 200)
                again = self.checked(agent)
                self.assertTrue(again["ok"], again)
                self.assertIn("Good day", again["reply"]["message"])

    def test_an_answer_without_a_message_fails_the_turn_D100(self):
        with webhook.WebhookAgent(lambda turn: {"anwser": "Hi", "session": 7}) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake))))
        error = result["metadata"]["error"]
        self.assertEqual((result["status"], result["endReason"], error["source"], error["code"]),
                         ("failed", "agent_error", "agent", "empty_answer"))
        self.assertIn("anwser, session", error["detail"])
        with webhook.WebhookAgent(lambda turn: {"end": True}) as fake:
            [result] = self.results_of(self.ended(self.launched(self.hosted(fake))))
        self.assertEqual((result["status"], result["endReason"]), ("completed", "agent_ended"))

    def test_fields_and_metadata_of_the_test_are_sent(self):
        with webhook.WebhookAgent(lambda turn: {"message": "said"}) as fake:
            agent = self.hosted(fake, request={"city": "{{fields.city}}", "who": "for {{fields.name}}!", "probe": "{{metadata.probe}}"})
            configuration = self.create("/scenario-configurations/", name="c", testFields=[
                {"key": "city", "type": "string", "label": "City"}, {"key": "name", "type": "string", "label": "Name"}])
            scenario = self.create("/scenarios/", name="s", configuration=configuration["id"])
            self.create("/tests/", scenario=scenario["id"], instruction="say: one", fields={"city": "Bern", "name": "Ann"})
            self.ended(self.a_run(scenario, agent, "pending"))
            self.assertEqual(fake.turns(), [{"city": "Bern", "who": "for Ann!", "probe": None}])
            self.assertTrue(self.checked(agent)["ok"])
            self.assertEqual(fake.turns()[-1], {"city": None, "who": "for !", "probe": True})

    def test_a_meaningless_config_is_refused_with_its_pointer(self):
        for config, pointer in (({"request": {"a": "{{mesage}}"}}, "/config/request/a"),
                                ({"reply": {"message": "answer"}}, "/config/reply/message"),
                                ({"method": "GET"}, "/config/method")):
            body = {"name": "x", "type": "HTTP", "config": {"url": "http://127.0.0.1:1/", **config}}
            self.problem(self.http.post("/agents/", body), 400, pointer)

    def test_a_redirect_names_its_place(self):
        moved = Reply("", 308, {"Location": "https://bot.example/turn/"})
        with webhook.WebhookAgent(lambda turn: moved) as fake:
            check = self.checked(self.hosted(fake))
        self.assertIn("308 and points to https://bot.example/turn/", check["error"]["detail"])

    def test_a_byte_order_mark_is_skipped(self):
        marked = Reply(b"\xef\xbb\xbf" + json.dumps({"message": "said"}).encode())
        with webhook.WebhookAgent(lambda turn: marked) as fake:
            self.assertEqual(self.checked(self.hosted(fake))["reply"]["message"], "said")

    def test_a_model_that_streams(self):
        def chunks(asked):
            self.assertTrue(asked["stream"])
            rows = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in ("I sa", "id", " so.")]
            rows += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                     {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]
            text = "".join(f"data: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"
            return Reply(text, headers={"Content-Type": "text/event-stream"})

        with model.Model(chunks) as fake:
            agent = self.agent(type="OPENAI", config={"url": fake.base_url, "model": "m", "stream": True})
            self.assertTrue(self.checked(agent)["ok"])
            [result] = self.results_of(self.ended(self.launched(agent)))
        said = result["conversation"][1]
        self.assertEqual((said["content"], said["metadata"]["outputTokens"], result["status"]), ("I said so.", 4, "completed"))


class OAuth(Driven):
    def begin(self, **options):
        fake = chatbots.Chatbots(**options).start()
        self.addCleanup(fake.stop)
        config = {"url": f"{fake.url}/turn", "oauth": {"tokenUrl": f"{fake.url}/oauth/token", "clientId": "parley"}}
        agent = self.agent(type="HTTP", config=config, secrets={"clientSecret": "s3cret of the client"})
        return fake, agent

    def calls(self, fake, path):
        return [request for request in list(fake.requests) if request.path == path]

    def test_one_token_serves_all_calls(self):
        fake, agent = self.begin()
        run = self.ended(self.launched(agent, repetitions=10, assertions=[]))
        self.assertEqual(run["result"]["completed"], 10)
        self.assertEqual((len(fake.tokens), len(self.calls(fake, "/turn"))), (1, 20))
        for request in self.calls(fake, "/turn"):
            self.assertNotIn("clientsecret", request.headers)

    def test_credentials_go_into_the_body_where_basic_is_refused(self):
        fake, agent = self.begin(takes_basic=False)
        check = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
        self.assertTrue(check["ok"], check)
        self.assertEqual(len(self.calls(fake, "/oauth/token")), 2)

    def test_a_token_is_renewed_when_it_expires_or_is_refused(self):
        fake, agent = self.begin(life_s=1)
        check = f"/agents/{agent['id']}/check"
        self.assertTrue(self.ok(self.http.post(check), 200)["ok"])
        self.wait_for(lambda: self.ok(self.http.post(check), 200)["ok"] and len(fake.tokens) > 1)
        fake.life_s = 3600
        self.wait_for(lambda: self.ok(self.http.post(check), 200)["ok"] and len(fake.tokens) > 2)
        count = len(fake.tokens)
        fake.tokens.append("another-one-that-nobody-was-given")
        self.assertTrue(self.ok(self.http.post(check), 200)["ok"])
        self.assertEqual(len(fake.tokens), count + 2)

    def test_a_refused_client_is_reported_without_its_secret(self):
        fake, agent = self.begin(takes_basic=False)
        self.ok(self.http.patch(f"/agents/{agent['id']}", {"secrets": {"clientSecret": "a wrong one"}}), 200)
        check = self.ok(self.http.post(f"/agents/{agent['id']}/check"), 200)
        self.assertEqual((check["ok"], check["error"]["code"]), (False, "no_token"))
        self.assertIn("wrong secret ***", check["error"]["detail"])
        self.assertEqual(self.calls(fake, "/turn"), [])


if __name__ == "__main__":
    cases.main()
