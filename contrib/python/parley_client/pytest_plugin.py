"""pytest plugin: one pytest test for each parley test.

    @pytest.mark.parley(tests=[{"name": "knows the price", "instruction": "say: What does a latte cost?",
                                "assertions": [{"type": "contains", "config": {"value": "4.50"}}]}])
    def test_shop(parley_case):
        parley_case.play(lambda turn: my_chatbot(turn.message))

`tests` are bodies for POST /tests/. Alternatively, `scenario="Coffee shop"` uses the enabled tests of a scenario on the server.
The marked function has one run on the server; pytest selects the tests that are played.

Fixtures: `parley` (a Client), `parley_agent` (the agent record of the results), `parley_case` (one parley test).
--parley-url or PARLEY_URL names the server, and PARLEY_KEY its key. Without a URL, the plugin starts a private server
(--parley-binary, PARLEY_BINARY or `parley` on the PATH) and stops it when the session ends.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import pytest

from .client import Client, id_of
from .conversation import Conversation, Turn
from .outcome import Outcome
from .server import Server

Answer = Union[str, Mapping[str, Any], None]
WAIT_S = 120.0


class Undecided(Exception):
    """The result does not show whether the agent is right: an outage, a missing judge, a fault of the test."""


class Session:
    """The server and the runs of this pytest session."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._server: Optional[Server] = None
        self._client: Optional[Client] = None
        self._agent: Optional[Mapping[str, Any]] = None
        self._scenarios: dict[str, Mapping[str, Any]] = {}
        self._runs: dict[str, str] = {}
        self.selected: dict[str, list[Mapping[str, Any]]] = {}

    @property
    def client(self) -> Client:
        if self._client is None:
            url = self._config.getoption("parley_url") or os.environ.get("PARLEY_URL")
            if url:
                self._client = Client(url)
            else:
                self._server = Server(self._config.getoption("parley_binary"))
                self._server.start()
                self._client = self._server.client()
        return self._client

    @property
    def agent(self) -> Mapping[str, Any]:
        if self._agent is None:
            self._agent = self.client.create_agent(self._config.getini("parley_agent"))
        return self._agent

    def tests_of(self, marker: pytest.Mark, name: str) -> list[Mapping[str, Any]]:
        """The parley tests of a marked function. Declared tests are stored when the first of them is played."""
        declared, scenario = marker.kwargs.get("tests"), marker.kwargs.get("scenario")
        if (declared is None) == (scenario is None):
            raise pytest.UsageError(f"{name}: @pytest.mark.parley takes either tests=[...] or scenario=\"...\"")
        if declared is not None:
            return list(declared)
        found = self.client.scenario_named(scenario)
        self._scenarios[name] = found
        return self.client.tests_of(found)

    def run_of(self, function: str, tests: list[Mapping[str, Any]], agent: Mapping[str, Any]) -> str:
        """The run of a marked function, created with the tests that pytest selected."""
        if function not in self._runs:
            scenario = self._scenarios.get(function) or self.client.create_scenario(function)
            for test in tests:
                if "id" not in test:
                    test.update(self.client.create_test(scenario, **test))  # type: ignore[attr-defined]
            run = self.client.create_run(scenario, agent, testConfigs=[{"test": test["id"]} for test in tests])
            self._runs[function] = run["id"]
        return self._runs[function]

    def close(self) -> None:
        if self._server is not None:
            self._server.stop()


class Case:
    """One parley test, which is played once."""

    def __init__(self, session: Session, function: str, test: Mapping[str, Any], agent: Mapping[str, Any]) -> None:
        self._session, self._function, self._agent = session, function, agent
        self.test = test
        self.result: Mapping[str, Any] = {}

    def conversation(self, wait: float = WAIT_S) -> Conversation:
        """The conversation, for chatbots that need more than `play` offers. Call `check` with its outcome at the end."""
        selected = self._session.selected.get(self._function) or [self.test]
        run = self._session.run_of(self._function, selected, self._agent)
        return self._session.client.conversation(self._agent, test=self.test["id"], run=run, wait=wait)

    def play(self, answer: Callable[[Turn], Answer], wait: float = WAIT_S) -> Mapping[str, Any]:
        """Plays the conversation and checks its outcome. `answer` returns the chatbot's text, or {"message", "tools": [{"name",
        "arguments", "result"}], "events": [{"name", "public", "actions"}], "metadata", "end"}, or None for no reply."""
        __tracebackhide__ = True
        talk = self.conversation(wait)
        with talk:
            for turn in talk:
                _record(talk, answer(turn))
        self.result = talk.result
        self.check(talk.outcome)
        return talk.result

    @staticmethod
    def check(outcome: Outcome) -> None:
        """Fails the pytest test with the failed assertions and their evidence, unless the parley test passed."""
        __tracebackhide__ = True
        if outcome.state == "failed":
            pytest.fail(outcome.text, pytrace=False)
        if outcome.state == "undecided":
            raise Undecided(outcome.text)


def _record(talk: Conversation, answer: Answer) -> None:
    if answer is None:
        return
    said: Mapping[str, Any] = {"message": answer} if isinstance(answer, str) else answer
    for tool in said.get("tools", []):
        talk.tool(**tool)
    for event in said.get("events", []):
        talk.event(**event)
    if said.get("message") is not None:
        talk.reply(said["message"], end=bool(said.get("end")), **said.get("metadata", {}))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parley")
    group.addoption("--parley-url", metavar="URL", help="parley server (PARLEY_URL; default: a server of this session)")
    group.addoption("--parley-binary", metavar="FILE", help="the parley program (PARLEY_BINARY; default: parley on the PATH)")
    parser.addini("parley_agent", "name of the agent record that parley_agent creates", default="pytest")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "parley(tests, scenario): play parley tests through the parley_case fixture")
    config.stash[SESSION] = Session(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    if SESSION in config.stash:
        config.stash[SESSION].close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "parley_case" not in metafunc.fixturenames:
        return
    function = metafunc.definition.nodeid
    marker = metafunc.definition.get_closest_marker("parley")
    if marker is None:
        raise pytest.UsageError(f"{function}: parley_case needs @pytest.mark.parley(tests=[...]) or (scenario=\"...\")")
    tests = metafunc.config.stash[SESSION].tests_of(marker, function)
    copies = [dict(test) for test in tests]
    metafunc.parametrize("parley_case", [(function, test) for test in copies], ids=[test["name"] or id_of(test) for test in copies], indirect=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keeps the tests that remain after -k, -m and similar options: they are the expected tests of the run."""
    selected = session.config.stash[SESSION].selected
    for item in session.items:
        function, test = getattr(item, "callspec").params["parley_case"] if _is_case(item) else ("", {})
        if function:
            selected.setdefault(function, []).append(test)


def _is_case(item: pytest.Item) -> bool:
    return "parley_case" in getattr(getattr(item, "callspec", None), "params", {})


@pytest.fixture(scope="session")
def parley(pytestconfig: pytest.Config) -> Client:
    """The client of the session's parley server."""
    return pytestconfig.stash[SESSION].client


@pytest.fixture(scope="session")
def parley_agent(pytestconfig: pytest.Config) -> Mapping[str, Any]:
    """The agent under test: an EXTERNAL agent. Override it to use another record."""
    return pytestconfig.stash[SESSION].agent


@pytest.fixture
def parley_case(request: pytest.FixtureRequest, parley_agent: Mapping[str, Any]) -> Iterator[Case]:
    function, test = request.param
    yield Case(request.config.stash[SESSION], function, test, parley_agent)


SESSION: pytest.StashKey[Session] = pytest.StashKey()
