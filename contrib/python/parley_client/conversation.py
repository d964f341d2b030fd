"""The loop of a conversation that the client drives: ask for the tester's turn, pass it on, record the answer."""
from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

from .outcome import Outcome, outcome_of

if TYPE_CHECKING:
    from .client import Client

TURN_WAIT_S = 20


@dataclass(frozen=True)
class Turn:
    """A turn of the tester: it says `message` or invokes `action` ({"name", "arguments"}). Exactly one of the two is set."""
    number: int
    message: Optional[str] = None
    action: Optional[Mapping[str, Any]] = None
    asked_at: float = field(default=0.0, compare=False, repr=False)


class Conversation:
    """A test result whose conversation the caller drives.

        with client.conversation(agent, test=test, run=run) as talk:
            for turn in talk:
                answer = my_chatbot(turn.message)
                talk.tool("lookup_order", arguments={"order": "42"}, result={"state": "sent"})
                talk.reply(answer)
        talk.outcome

    The loop ends when the tester has nothing more to say. Leaving the block waits up to `wait` seconds for the
    verdict. If an exception leaves the block, the result is canceled and the exception propagates."""

    def __init__(self, client: Client, body: Mapping[str, Any], wait: float) -> None:
        self._client = client
        self._body = body
        self._wait = wait
        self._turn: Optional[Turn] = None
        self.id = ""
        self.result: dict[str, Any] = {}

    def __enter__(self) -> Conversation:
        self.result = self._client.post("/test-results/", self._body)
        self.id = self.result["id"]
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        if error is not None:
            self._cancel()
            return
        self.result = self._client.result(self.id, wait=self._wait)

    def _cancel(self) -> None:
        """Cancels the result. Errors are ignored: the caller's exception matters more."""
        try:
            self.result = self._client.patch(f"/test-results/{self.id}", {"status": "canceled"})
        except Exception:  # noqa: BLE001
            return

    def __iter__(self) -> Iterator[Turn]:
        number = 0
        while True:
            answer = self._next()
            if answer["end_chat"]:
                return
            number += 1
            self._turn = Turn(number, answer["message"], answer["action"], time.monotonic())
            yield self._turn

    def _next(self) -> dict[str, Any]:
        """Waits for the tester's turn. A model may take longer than one request may wait, so several requests may be needed."""
        until = time.monotonic() + self._wait
        while True:
            answer: dict[str, Any] = self._client.post(f"/test-results/{self.id}/next-message", None, Prefer=f"wait={TURN_WAIT_S}")
            if answer["ready"]:
                return answer
            if time.monotonic() >= until:
                raise TimeoutError(f"result {self.id}: the tester's turn was not ready after {self._wait:g} s")

    def record(self, **entry: Any) -> dict[str, Any]:
        """Adds an entry of any type to the conversation and returns it."""
        added: dict[str, Any] = self._client.post(f"/test-results/{self.id}/conversation", entry, Prefer="return=minimal")
        return added

    def reply(self, text: str, *, end: bool = False, **metadata: Any) -> dict[str, Any]:
        """Records the chatbot's message. `metadata` may hold responseTime (measured if absent), inputTokens, outputTokens and
        cost; `end` reports that the chatbot ended the conversation."""
        if self._turn is not None:
            metadata.setdefault("responseTime", round((time.monotonic() - self._turn.asked_at) * 1000))
        return self.record(type="message", content=text, metadata=metadata, **({"end": True} if end else {}))

    def tool(self, name: str, *, arguments: Any = None, result: Any = None, **metadata: Any) -> dict[str, Any]:
        """Records a tool call of the chatbot."""
        called = {"arguments": arguments if arguments is not None else {}, **({"result": result} if result is not None else {}), **metadata}
        return self.record(type="tool", name=name, metadata=called)

    def event(self, name: str, *, public: bool = False, **metadata: Any) -> dict[str, Any]:
        """Records an event. `actions=[...]` registers actions that the tester may invoke in its next turn."""
        return self.record(type="public-event" if public else "internal-event", name=name, metadata=metadata)

    @property
    def outcome(self) -> Outcome:
        """The outcome with its explanation. Valid after the block."""
        return outcome_of(self.result)
