"""A receiver of webhooks that checks every signature (Standard Webhooks) and fails as configured."""
import base64
import collections
import hashlib
import hmac
import threading

from . import base


def signature_of(key, request):
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


class Receiver(base.Fake):
    """`fails`: a callable that takes (webhook-id, number of earlier attempts) and returns a status, or None for 204.
    By webhook-id: `taken` is the number of 204 answers, `seen` the number of attempts, `bodies` the body."""

    def __init__(self, key=b"", fails=lambda _id, _before: None, **options):
        super().__init__(**options)
        self.key, self.fails = key, fails
        self.seen, self.taken, self.bodies = collections.Counter(), collections.Counter(), {}
        self.forged = []
        self.changed = []
        self.guard = threading.Lock()

    async def answer(self, request):
        event = request.headers.get("webhook-id")
        if self.key and request.headers.get("webhook-signature") != signature_of(self.key, request):
            self.forged.append(event)
            return base.Reply(status=401)
        with self.guard:
            before = self.seen[event]
            self.seen[event] += 1
            if self.bodies.setdefault(event, request.body) != request.body:
                self.changed.append(event)
            status = self.fails(event, before)
            if status is None:
                self.taken[event] += 1
        return base.Reply(status=status or 204)

    def events(self):
        """The parsed bodies of all events that were accepted."""
        return [base.json.loads(self.bodies[event]) for event in self.taken]
