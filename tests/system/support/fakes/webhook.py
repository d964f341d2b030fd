"""A well-behaved HTTP webhook agent (D71)."""
import collections

from . import base


def echo(turn):
    """What the agent says by default."""
    return {"message": f"You said: {turn.get('message')}"}


class WebhookAgent(base.Fake):
    """`respond`: what a turn is answered, a callable of the posted JSON that gives the answer or a base.Reply, or a list
    of those, one for each call (its last one goes on). `keys` counts the requests of each Idempotency-Key."""

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
