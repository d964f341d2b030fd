"""A server that does everything wrong, in the modes of modes.py; `/MODE` and `/hostile/MODE` are the same path here."""
from . import base, modes

MODES = sorted(modes.MODES)


class HostileServer(base.Fake):
    """`http://127.0.0.1:PORT/hang` hangs, `/status-503?after=1` answers 503 with Retry-After; other paths answer 404."""

    def url_of(self, mode):
        return f"{self.url}/{mode}"

    async def answer(self, request):
        name = modes.of_path(modes.PREFIX + request.path.lstrip("/")) if known(request.path) else None
        return base.Reply(mode=name) if name else base.Reply({"detail": "no such mode"}, 404)


def known(path):
    name = path.lstrip("/").partition("?")[0].split("/")[0]
    return name in modes.MODES or name.startswith("status-")
