"""A well-behaved HTTP webhook agent (D71)."""
import collections

from . import base


def echo(turn):
    """The default answer of the agent."""
    return {"message": f"You said: {turn.get('message')}"}


class WebhookAgent(base.Fake):
    """`respond`: the answer to a turn, as a value, a base.Reply or a callable that takes the posted JSON and returns either; or
    a list of those, one per call (the last one repeats). `keys` counts the requests by Idempotency-Key."""

    def __init__(self, respond=echo, **options):
        super().__init__(**options)
        self.respond = respond
        self.keys = collections.Counter()
        self._calls = 0

    @property
    def config(self):
        return {"url": f"{self.url}/turn"}

    def turns(self):
        """The JSON of all turns, as posted."""
        return [request.json() for request in list(self.requests)]

    async def _think(self, request, reader, writer):
        self.keys[request.key] += 1
        return await super()._think(request, reader, writer)

    async def answer(self, request):
        chosen = self.respond
        if isinstance(chosen, (list, tuple)):
            chosen = chosen[min(self._calls, len(chosen) - 1)]
            self._calls += 1
        said = chosen(request.json()) if callable(chosen) else chosen
        return said if isinstance(said, base.Reply) else base.Reply(said)
