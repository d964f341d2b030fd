"""Tests of the chatbot in shop.py. Run them with: python3 -m pytest"""
import pytest
import shop

TESTS = [
    {"name": "knows the price of a latte", "instruction": "say: What does a latte cost?", "assertions": [
        {"type": "contains", "severity": "BLOCKER", "config": {"value": "4.50"}},
        {"type": "tool-called", "severity": "BLOCKER", "config": {"name": "look_up_price", "arguments": {"drink": "latte"}}}]},
    {"name": "knows the price of tea", "instruction": "say: And a cup of tea?", "assertions": [
        {"name": "names a price", "type": "regex", "severity": "BLOCKER", "config": {"pattern": "[0-9]\\.[0-9]{2}"}}]},
]


@pytest.mark.parley(tests=TESTS)
def test_shop(parley_case):
    parley_case.play(lambda turn: shop.answer(turn.message))


def test_a_conversation_of_my_own(parley, parley_agent):
    greeting = [{"type": "min-length", "severity": "BLOCKER", "config": {"value": 5}}]
    with parley.conversation(parley_agent, instruction="say: Hello\nsay: An espresso, please", assertions=greeting) as talk:
        for turn in talk:
            answer = shop.answer(turn.message)
            talk.reply(answer if isinstance(answer, str) else answer["message"])
    assert talk.outcome.passed, talk.outcome.text
