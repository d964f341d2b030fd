"""Client of parley, the conversation testing server. Needs only Python 3.9 or later.

    from parley_client import Client

    client = Client("http://127.0.0.1:7410", key="parley_...")
    agent = client.create_agent("my bot")
    with client.conversation(agent, instruction="say: Hello", assertions=[{"type": "min-length", "config": {"value": 1}}]) as talk:
        for turn in talk:
            talk.reply(my_chatbot(turn.message))
    assert talk.outcome.passed, talk.outcome.text
"""
from .client import Client, ParleyError, Unreachable
from .conversation import Conversation, Turn
from .outcome import Outcome, outcome_of
from .server import Server

__all__ = ["Client", "Conversation", "Outcome", "ParleyError", "Server", "Turn", "Unreachable", "outcome_of"]
