"""A tiny chatbot to test. It knows two prices and keeps no state."""
PRICES = {"latte": "4.50", "espresso": "2.80"}


def answer(text):
    """The chatbot's answer as a message and tool calls."""
    for drink, price in PRICES.items():
        if drink in text.lower():
            return {"message": f"A {drink} is {price} euros.",
                    "tools": [{"name": "look_up_price", "arguments": {"drink": drink}, "result": {"price": price}}]}
    return "Sorry, I only know coffee."
