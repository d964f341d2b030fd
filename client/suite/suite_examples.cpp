#include "client/suite/suite_examples.hpp"

#include <algorithm>
#include <array>

namespace parley::client {
namespace {

constexpr std::string_view demo_text = R"(version: 1
project: @PROJECT@

agents:
  shop: {demo: true}              # a shop assistant inside parley; replace it by http, openai or exec

tests:
  - name: Finds an order
    script: |
      say: Hello
      say: Where is order 42?
      say: bye
    must:
      - tool-called: {name: lookup_order, arguments: {order: "42"}}
      - icontains: sent

  - name: Knows the price of a latte
    script: |
      say: What does a latte cost?
    must:
      - contains: "4.50"          # the demo does not know prices, so this test fails
)";

constexpr std::string_view http_text = R"(version: 1
project: @PROJECT@

agents:
  bot: {http: "@URL@", timeout: 20s}

tests:
  - name: Answers a greeting
    script: |
      say: Hello
    must:
      - min-length: 1

  - name: Knows the price of a latte
    script: |
      say: What does a latte cost?
    must:
      - contains: "4.50"          # fails unless your chatbot sells coffee
)";

constexpr std::string_view openai_text = R"(version: 1
project: @PROJECT@

agents:
  bot:
    openai: "@URL@"
    model: ${LLM_MODEL:-llama3.1}
    system: You sell coffee. A latte costs 4.50 euros.
    secrets: {apiKey: "${LLM_KEY:-none}"}

tests:
  - name: Knows the price of a latte
    script: |
      say: What does a latte cost?
    must:
      - contains: "4.50"

  - name: Does not offer tea
    script: |
      say: Which kinds of tea do you have?
    must:
      - {icontains: earl grey}    # fails unless the model invents tea
)";

constexpr std::string_view exec_text = R"(version: 1
project: @PROJECT@

agents:
  bot: {exec: [python3, bot.py]}  # any program that reads a line of JSON and writes one

tests:
  - name: Knows the price of a latte
    script: |
      say: What does a latte cost?
    must:
      - contains: "4.50"

  - name: Sells tea
    script: |
      say: What does tea cost?
    must:
      - contains: "3.00"          # the bot knows no tea, so this test fails
)";

constexpr std::string_view exec_bot = R"(import json
import sys

# One line of JSON for each turn; one line back. Write logs to stderr.
for line in sys.stdin:
    turn = json.loads(line)
    price = "A latte costs 4.50 euros." if "latte" in turn["message"] else "I do not know."
    print(json.dumps({"message": price}), flush=True)
)";
constexpr std::array exec_files{ExampleFile{"bot.py", exec_bot}};

constexpr std::string_view goal_text = R"(version: 1
project: @PROJECT@

# A model plays the user, and another one judges. Both take any OpenAI-compatible endpoint.
tester: {url: "${LLM_URL:-http://127.0.0.1:11434/v1}", model: "${LLM_MODEL:-llama3.1}", key: "${LLM_KEY:-none}"}
judge:  {url: "${LLM_URL:-http://127.0.0.1:11434/v1}", model: "${LLM_MODEL:-llama3.1}", key: "${LLM_KEY:-none}"}

agents:
  shop: {demo: true}

personas:
  hasty: {description: A commuter with two minutes, instruction: Short sentences.}

defaults: {repeat: 3, max-turns: 8}

tests:
  - name: Finds an order
    goal: |
      You want to know where order 42 is. Say goodbye when you know it.
    persona: hasty
    must:
      - tool-called: lookup_order
      - criteria: The chatbot says that the order has been sent.

  - name: Orders a latte
    goal: |
      You want a large latte with oat milk.
    persona: hasty
    must:
      - {tool-called: {name: place_order, arguments: {size: large}}, name: places the order}
    should:
      - criteria: The chatbot repeats the order before it places it.
)";

constexpr std::array examples{
    SuiteExample{"demo", "the assistant inside parley; needs nothing", demo_text, ""},
    SuiteExample{"http", "a chatbot with a URL", http_text, "http://127.0.0.1:8000/turn"},
    SuiteExample{"openai", "an OpenAI-compatible endpoint", openai_text, "http://127.0.0.1:11434/v1"},
    SuiteExample{"exec", "a program on this machine", exec_text, "", exec_files},
    SuiteExample{"goal", "models that play the user and judge", goal_text, ""},
};

void replace(std::string& text, std::string_view mark, std::string_view value) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
    text.replace(at, mark.size(), value);
  }
}

}  // namespace

std::span<const SuiteExample> suite_examples() {
  return examples;
}

const SuiteExample* find_example(std::string_view name) {
  const auto found = std::find_if(examples.begin(), examples.end(),
                                  [&](const SuiteExample& each) { return each.name == name; });
  return found == examples.end() ? nullptr : &*found;
}

std::string filled_example(const SuiteExample& example, const ExampleValues& values) {
  std::string text =
      "# yaml-language-server: $schema=" + values.schema + "\n# $schema: " + values.schema + "\n";
  text += example.text;
  replace(text, "@PROJECT@", values.project);
  replace(text, "@URL@", values.url);
  return text;
}

}  // namespace parley::client
