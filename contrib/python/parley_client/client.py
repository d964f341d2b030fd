"""HTTP client of a parley server: one method per operation that a test needs, and `request` for all others."""
from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from .conversation import Conversation

Record = dict[str, Any]
Reference = Union[str, Mapping[str, Any]]

TERMINAL = ("completed", "failed", "canceled")
WAIT_S_MAX = 20     # per request; proxies close requests that take longer than 30 or 60 seconds
PAGE_ROWS = 100
RETRIED = (429, 502, 503, 504)


class Unreachable(Exception):
    """The server did not answer within the time-out."""


class ParleyError(Exception):
    """The server refused a request. `status`, `type`, `title`, `detail` and `errors` are those of its problem document."""

    def __init__(self, what: str, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.type: str = problem.get("type", "about:blank")
        self.title: str = problem.get("title", "")
        self.detail: str = problem.get("detail", "")
        self.errors: list[Record] = list(problem.get("errors", []))
        faults = "".join(f"\n  {each.get('pointer') or each.get('parameter') or ''}: {each.get('detail', '')}" for each in self.errors)
        super().__init__(f"{what}: {status} {self.title}: {self.detail}{faults}")


def id_of(record: Reference) -> str:
    """The id of a record; an id is returned unchanged."""
    return record if isinstance(record, str) else str(record["id"])


class Client:
    """A parley server. Without arguments, PARLEY_URL and PARLEY_KEY give the server and the key.

    Requests are retried for `patience` seconds while the server is unreachable or busy. Every POST carries an Idempotency-Key,
    so it takes effect once even if it is retried. Threads may share a client."""

    def __init__(self, url: Optional[str] = None, key: Optional[str] = None, *, timeout: float = 60.0, patience: float = 30.0) -> None:
        self.url = (url or os.environ.get("PARLEY_URL") or "http://127.0.0.1:7410").rstrip("/")
        self._key = key if key is not None else os.environ.get("PARLEY_KEY", "")
        self.timeout = timeout
        self.patience = patience

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def request(self, method: str, path: str, body: Any = None, *, query: Optional[Mapping[str, Any]] = None,
                headers: Optional[Mapping[str, str]] = None) -> Any:
        """Returns the JSON of the answer, or None if it has no body. Raises ParleyError or Unreachable."""
        sent = {"Authorization": f"Bearer {self._key}", "Accept": "application/json", **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        if method == "POST":
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        url = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        return self._repeated(urllib.request.Request(url, data=data, headers=sent, method=method), f"{method} {path}")

    def _repeated(self, request: urllib.request.Request, what: str) -> Any:
        until = time.monotonic() + self.patience
        pause = 0.1
        while True:
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    text = answer.read()
                return json.loads(text) if text else None
            except urllib.error.HTTPError as fault:
                refusal: Exception = _refusal(what, fault)
                if fault.code not in RETRIED:
                    raise refusal from None
                pause = max(pause, _retry_after(fault))
            except (OSError, http.client.HTTPException) as fault:
                refusal = Unreachable(f"{what}: {self.url} does not answer: {fault or type(fault).__name__}")
            except ValueError:
                raise Unreachable(f"{what}: the answer is not JSON; is {self.url} a parley server?") from None
            if time.monotonic() + pause > until:
                raise refusal from None
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    def get(self, path: str, *, wait: int = 0, **query: Any) -> Any:
        headers = {"Prefer": f"wait={wait}"} if wait else None
        return self.request("GET", path, query=query, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, body, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return self.request("PATCH", path, body)

    def rows(self, path: str, **query: Any) -> Iterator[Record]:
        """Every row of a list, oldest first."""
        page, total = 1, 1
        while (page - 1) * PAGE_ROWS < total:
            answer = self.get(path, **{"limit": PAGE_ROWS, "sortOrder": "asc", "page": page, **query})
            yield from answer["data"]
            page, total = page + 1, answer["total"]

    # Records

    def create_agent(self, name: str, type: str = "EXTERNAL", **fields: Any) -> Record:
        return self.post("/agents/", {"name": name, "type": type, **fields})

    def create_scenario(self, name: str, **fields: Any) -> Record:
        return self.post("/scenarios/", {"name": name, **fields})

    def create_test(self, scenario: Reference, name: str, instruction: str, assertions: Sequence[Mapping[str, Any]] = (),
                    **fields: Any) -> Record:
        return self.post("/tests/", {"scenario": id_of(scenario), "name": name, "instruction": instruction,
                                     "assertions": list(assertions), **fields})

    def create_run(self, scenario: Reference, agent: Reference, status: str = "running", **fields: Any) -> Record:
        return self.post("/runs/", {"scenario": id_of(scenario), "agent": id_of(agent), "status": status, **fields})

    def tests_of(self, scenario: Reference) -> list[Record]:
        """The enabled tests of a scenario, oldest first. Archived tests are left out."""
        return [test for test in self.rows(f"/scenarios/{_quoted(scenario)}/tests") if test["isEnabled"]]

    def scenario_named(self, name: str) -> Record:
        """The scenario with this name or id. Raises LookupError unless exactly one scenario matches."""
        found = [each for each in self.rows("/scenarios/") if name in (each["name"], each["id"])]
        if len(found) != 1:
            raise LookupError(f"{len(found)} scenarios are called {name!r}; give the id of one that exists")
        return found[0]

    # Conversations

    def conversation(self, agent: Reference, *, instruction: Optional[str] = None, assertions: Optional[Sequence[Mapping[str, Any]]] = None,
                     test: Optional[Reference] = None, run: Optional[Reference] = None, wait: float = 120.0, **fields: Any) -> Conversation:
        """Creates a conversation that the caller drives; a context manager, see Conversation."""
        body: Record = {"agent": id_of(agent), **fields}
        if test is not None:
            body["test"] = id_of(test)
        if run is not None:
            body["run"] = id_of(run)
        if instruction is not None:
            body["testInstruction"] = instruction
        if assertions is not None:
            body["assertionResults"] = list(assertions)
        return Conversation(self, body, wait)

    def play(self, agent: Reference, *, wait: float = 120.0, **fields: Any) -> Record:
        """Creates a result that the server drives (HTTP, OPENAI, DEMO agents) and returns it once it is scored."""
        return self.result(self.post("/test-results/", {"agent": id_of(agent), **fields}), wait=wait)

    def result(self, result: Reference, *, wait: float = 0.0) -> Record:
        """Returns a result. With `wait`, waits up to that many seconds until its status is final."""
        return self._awaited(f"/test-results/{_quoted(result)}", wait)

    def run(self, run: Reference, *, wait: float = 0.0) -> Record:
        """Returns a run; `wait` works as for a result."""
        return self._awaited(f"/runs/{_quoted(run)}", wait)

    def _awaited(self, path: str, wait: float) -> Record:
        until = time.monotonic() + wait
        while True:
            left = until - time.monotonic()
            record: Record = self.get(path, wait=max(0, min(WAIT_S_MAX, int(left))))
            if record["status"] in TERMINAL or left <= 0:
                return record
            time.sleep(min(0.2, max(left, 0)))


def _quoted(record: Reference) -> str:
    return urllib.parse.quote(id_of(record), safe="")


def _retry_after(fault: urllib.error.HTTPError) -> float:
    value = fault.headers.get("Retry-After", "")
    return min(float(value), 10.0) if value.isdigit() else 0.0


def _refusal(what: str, fault: urllib.error.HTTPError) -> ParleyError:
    text = fault.read().decode(errors="replace")
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    return ParleyError(what, fault.code, problem if isinstance(problem, dict) else {"title": fault.reason, "detail": text[:200]})
