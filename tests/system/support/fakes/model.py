"""A scripted OpenAI-compatible chat-completions server: agent, tester or judge (D61, D70)."""
import itertools
import json

from . import base

PATH = "/v1/chat/completions"


def text(content, **usage):
    """A turn that says something."""
    return {"message": {"role": "assistant", "content": content}, "finish": "stop", "usage": usage}


def tool(name, arguments, content=None, **usage):
    """A turn that calls one tool; `arguments`: an object, or a text that need not be JSON."""
    return tools([(name, arguments)], content, **usage)


def tools(calls, content=None, **usage):
    rows = [{"id": f"call_{number}", "type": "function",
             "function": {"name": name,
                          "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}}
            for number, (name, arguments) in enumerate(calls, 1)]
    return {"message": {"role": "assistant", "content": content, "tool_calls": rows}, "finish": "tool_calls",
            "usage": usage}


def refusal(words):
    return {"message": {"role": "assistant", "content": None, "refusal": words}, "finish": "stop", "usage": {}}


def broken_off(content, words):
    """A 200 from a gateway whose model failed during its answer: the content so far, and the error."""
    return base.Reply({"id": "x", "model": "m", "choices": [{
        "index": 0, "finish_reason": "error", "error": {"code": 502, "message": words},
        "message": {"role": "assistant", "content": content}}]})


def refused(words):
    """A 200 with only an error."""
    return base.Reply({"error": {"code": 429, "message": words}})


def hostile(mode):
    """Acts out a mode of modes.py instead of answering."""
    return base.Reply(mode=mode)


class Model(base.Fake):
    """`script`: a list with one answer per call (the last one repeats), or a callable that takes the JSON of the request. An
    answer is a text, a value of text(), tool() or refusal(), or a base.Reply (a status, a hostile mode, any body)."""

    def __init__(self, script=("Hello.",), key=None, **options):
        super().__init__(**options)
        self.script = script
        self.key = key
        self._numbers = itertools.count()

    @property
    def base_url(self):
        return f"{self.url}/v1"

    def asked(self):
        """The JSON of all calls."""
        return [request.json() for request in list(self.requests)]

    async def answer(self, request):
        if request.path.partition("?")[0] != PATH or request.method != "POST":
            return base.Reply({"error": {"message": f"no such path {request.path}"}}, 404)
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            return base.Reply({"error": {"message": "incorrect API key"}}, 401)
        asked, number = request.json(), next(self._numbers)
        said = self.script(asked) if callable(self.script) else self.script[min(number, len(self.script) - 1)]
        if isinstance(said, base.Reply):
            return said
        return base.Reply(completion(asked, text(said) if isinstance(said, str) else said, number))


def completion(asked, turn, number):
    """The document of a completion. Missing usage is counted in words instead of tokens."""
    words = {"prompt_tokens": len(json.dumps(asked.get("messages", [])).split()),
             "completion_tokens": len(json.dumps(turn["message"]).split()), **turn["usage"]}
    return {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 0, "model": asked.get("model"),
            "choices": [{"index": 0, "message": turn["message"], "finish_reason": turn["finish"], "logprobs": None}],
            "usage": {**words, "total_tokens": words["prompt_tokens"] + words["completion_tokens"]}}
