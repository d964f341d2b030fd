"""Chatbots with their own formats, by path (D100): each one records its requests and answers in its format."""
import asyncio
import json
import urllib.parse

from . import base


def said_by(text):
    return f"You said: {text}"


def rasa(request):
    asked = request.json()
    return [{"recipient_id": asked["sender"], "text": said_by(asked["message"])},
            {"recipient_id": asked["sender"], "image": "https://x.example/menu.png"},
            {"recipient_id": asked["sender"], "text": "Anything else?"}]


def botpress(request):
    asked = request.json()
    assert asked["type"] == "text", asked
    return {"responses": [{"type": "typing", "value": True}, {"type": "text", "text": said_by(asked["text"])}],
            "conversationId": request.path.rsplit("/", 1)[1]}


def langserve(request):
    asked = request.json()
    assert asked["input"]["chat_history"][-1] == {"role": "user", "content": asked["input"]["input"]}, asked
    return {"output": {"output": said_by(asked["input"]["input"])},
            "metadata": {"run_id": asked["config"]["configurable"]["thread_id"]}}


def responses(request):
    asked = request.json()
    message = asked["input"][-1]["content"]
    return {"id": "resp_1", "object": "response", "model": asked["model"],
            "output": [{"type": "reasoning", "id": "rs_1", "summary": []},
                       {"type": "function_call", "name": "look_up", "call_id": "c1", "arguments": json.dumps({"q": message})},
                       {"type": "message", "role": "assistant",
                        "content": [{"type": "output_text", "text": said_by(message), "annotations": []}]}],
            "usage": {"input_tokens": 5, "output_tokens": 7}}


def text(request):
    assert request.headers["content-type"].startswith("text/plain"), request.headers
    return said_by(request.body.decode()) + "\n"


def sessions(request):
    assert request.method == "PUT", request.method
    query = urllib.parse.parse_qs(request.path.partition("?")[2])
    return {"answer": said_by(query["q"][0]), "session": request.path.partition("?")[0].rsplit("/", 1)[1]}


def webhook(request):
    return {"message": said_by(request.json()["message"])}


class Chatbots(base.Fake):
    """`tokens`: issued by the token endpoint; /turn accepts only the last one."""

    ways = {"/webhooks/rest/webhook": rasa, "/api/v1/bots/shop/converse/": botpress, "/agent/invoke": langserve,
            "/v1/responses": responses, "/say": text, "/sessions/": sessions}

    def __init__(self, life_s=3600, takes_basic=True, **options):
        super().__init__(**options)
        self.life_s, self.takes_basic = life_s, takes_basic
        self.tokens = []

    async def answer(self, request):
        if request.path == "/oauth/token":
            return self.token(request)
        if request.path == "/turn":
            if not self.tokens or request.headers.get("authorization") != f"Bearer {self.tokens[-1]}":
                return base.Reply({"error": f"no token in {request.headers.get('authorization')}"}, 401)
            return base.Reply(webhook(request))
        way = next(way for path, way in self.ways.items() if request.path.startswith(path))
        return base.Reply(way(request))

    def token(self, request):
        form = urllib.parse.parse_qs(request.body.decode())
        is_basic = request.headers.get("authorization", "").startswith("Basic ")
        if is_basic != self.takes_basic or form["grant_type"] != ["client_credentials"]:
            return base.Reply({"error": "invalid_client"}, 401)
        if not is_basic and form["client_secret"] != ["s3cret of the client"]:
            return base.Reply({"error": f"wrong secret {form['client_secret'][0]}"}, 400)
        self.tokens.append(f"token-{len(self.tokens) + 1}-of-the-chatbot")
        return base.Reply({"access_token": self.tokens[-1], "token_type": "Bearer", "expires_in": self.life_s})

    async def _reply(self, request, reader, writer):
        if not request.path.startswith("/stream"):
            return await super()._reply(request, reader, writer)
        self.requests.append(request)
        await self._stream(request.json(), writer)
        return True

    @staticmethod
    async def _stream(asked, writer):
        """Sends the answer piece by piece, as such chatbots do."""
        def chunk(data):
            return f"{len(data):x}\r\n".encode() + data + b"\r\n"

        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in said_by(asked["question"]).split(" "):
            event = {"type": "delta", "delta": {"text": piece if piece == "You" else " " + piece}}
            writer.write(chunk(f"event: delta\ndata: {json.dumps(event)}\n\n".encode()))
            await writer.drain()
            await asyncio.sleep(0.002)
        writer.write(chunk(b": bye\n\ndata: {\"type\": \"usage\", \"usage\": {\"output\": 9}}\n\ndata: [DONE]\n\n") + b"0\r\n\r\n")
        await writer.drain()
