"""The fakes that other tests rely on behave as documented, also with thousands of connections. Needs no server."""
import asyncio
import http.client
import json
import socket
import unittest

from support.fakes import base, github, hostile, model, modes, webhook


def post(fake, path, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", fake.port, timeout=10)
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    raw = answer.read()
    connection.close()
    return answer.status, json.loads(raw) if raw else None


def first_bytes(fake, path, seconds):
    """(bytes received within the time, at most 64 KiB; whether the connection ended)."""
    with socket.create_connection(("127.0.0.1", fake.port), timeout=seconds) as client:
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        data = b""
        try:
            while len(data) < 65536:
                piece = client.recv(65536)
                if not piece:
                    return data, True
                data += piece
        except socket.timeout:
            return data, False
        except ConnectionResetError:
            return data, True
        return data, False


class FakesTest(unittest.TestCase):
    def test_webhook_answers_and_counts(self):
        with webhook.WebhookAgent() as agent:
            for key in ("a", "a", "b"):
                status, said = post(agent, "/turn", {"turn": 1, "message": "hi"}, **{"Idempotency-Key": key})
                self.assertEqual((status, said), (200, {"message": "You said: hi"}))
            self.assertEqual(dict(agent.keys), {"a": 2, "b": 1})
            self.assertEqual([turn["turn"] for turn in agent.turns()], [1, 1, 1])
            self.assertEqual((agent.in_flight, agent.in_flight_max), (0, 1))

    def test_webhook_follows_a_list(self):
        script = [base.Reply({"detail": "busy"}, 503, {"Retry-After": "1"}), {"message": "well"}]
        with webhook.WebhookAgent(script) as agent:
            self.assertEqual([post(agent, "/turn", {})[0] for _ in range(3)], [503, 200, 200])

    def test_model_plays_its_script(self):
        script = [model.tool("look", {"a": 1}, prompt_tokens=7, completion_tokens=3), "Bye.", model.hostile("empty")]
        with model.Model(script, key="k") as fake:
            asked = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
            self.assertEqual(post(fake, model.PATH, asked)[0], 401)
            key = {"Authorization": "Bearer k"}
            _, first = post(fake, model.PATH, asked, **key)
            call = first["choices"][0]["message"]["tool_calls"][0]["function"]
            self.assertEqual(call, {"name": "look", "arguments": '{"a": 1}'})
            self.assertEqual(first["usage"], {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10})
            _, second = post(fake, model.PATH, asked, **key)
            self.assertEqual(second["choices"][0]["message"]["content"], "Bye.")
            with self.assertRaises(http.client.RemoteDisconnected):
                post(fake, model.PATH, asked, **key)

    def test_github_takes_a_dispatch(self):
        path = "/repos/o/r/actions/workflows/w.yml/dispatches"
        inputs = {"run_id": "1", "test_result_ids": '["a", "b"]', "base_url": "http://x"}
        with github.GitHub() as fake:
            self.assertEqual(post(fake, path, {"ref": "main", "inputs": inputs})[0], 401)
            headers = {"Authorization": "Bearer token", "User-Agent": "x"}
            self.assertEqual(post(fake, path, {"ref": "main", "inputs": inputs}, **headers)[0], 204)
            self.assertEqual(post(fake, path, {"inputs": inputs}, **headers)[0], 422)
            self.assertEqual([dispatch["ids"] for dispatch in fake.dispatches], [["a", "b"]])

    def test_every_hostile_mode_is_acted_out(self):
        silent = {"hang", "hang-in-body", "drip", "drip-head"}
        with hostile.HostileServer() as fake:
            for mode in hostile.MODES:
                data, ended = first_bytes(fake, f"/{mode}", 0.3 if mode in silent else 10)
                self.assertEqual(bool(data), mode not in ("hang", "empty", "reset"), mode)
                if mode in silent:
                    self.assertFalse(ended, mode)
            data, _ = first_bytes(fake, "/status-429?after=3", 10)
            self.assertIn(b"HTTP/1.1 429 Said\r\nRetry-After: 3\r\n", data)
            self.assertTrue(fake.wait(lambda it: it.in_flight == 0))

    def test_modes_are_found_below_any_fake(self):
        with webhook.WebhookAgent() as agent:
            data, ended = first_bytes(agent, f"{modes.PREFIX}early-close/v1/chat/completions", 10)
            self.assertTrue(data.startswith(b"HTTP/1.1 200") and ended)

    def test_thousands_of_connections_are_held(self):
        calls = 2000
        with webhook.WebhookAgent(latency=1.0) as agent:
            async def one():
                reader, writer = await asyncio.open_connection("127.0.0.1", agent.port)
                writer.write(b"POST /turn HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
                line = await reader.readline()
                writer.close()
                return line

            async def everyone():
                return await asyncio.gather(*(one() for _ in range(calls)))

            lines = asyncio.run(everyone())
            self.assertEqual(set(lines), {b"HTTP/1.1 200 Said\r\n"})
            self.assertGreater(agent.in_flight_max, calls // 2)

    def test_a_fake_comes_back_on_its_port(self):
        agent = webhook.WebhookAgent().start()
        agent.stop()
        with self.assertRaises(OSError):
            post(agent, "/turn", {})
        agent.start()
        self.assertEqual(post(agent, "/turn", {})[0], 200)
        agent.stop()


if __name__ == "__main__":
    unittest.main()
