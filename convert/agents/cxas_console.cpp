#include "convert/agents/cxas_console.hpp"

namespace parley::convert {
namespace {

Node list_node(std::string key, Place place) {
  return holder_node(Node::Kind::list, std::move(key), place);
}

void add_input(Node& turn, const Node& input) {
  if (const Node* text = input.find("text")) turn.items.push_back(renamed(*text, "user"));
  for (const std::string_view key : {"event", "variables"}) {
    if (const Node* found = input.find(key)) turn.items.push_back(*found);
  }
}

std::string text_of_chunks(const Node& response) {
  std::string text = response.text_of("text");
  for (const Node& chunk : response.list_of("chunks")) text += chunk.text_of("text");
  return text;
}

/// Sorts an expectation of the agent: a text, a tool call, or any other expectation, which is reported under its key.
void add_expectation(const Node& expectation, Node& answers, Node& calls, Node& others) {
  const Node* response = expectation.find("agentResponse");
  const Node* call = expectation.find("toolCall");
  if (const std::string text = response == nullptr ? "" : text_of_chunks(*response); !text.empty()) {
    answers.items.push_back(text_node("", text, response->place));
  } else if (call != nullptr && call->first_of({"displayName", "tool"}) != nullptr) {
    Node made = renamed(*call, "");
    made.items.push_back(renamed(*call->first_of({"displayName", "tool"}), "name"));
    calls.items.push_back(std::move(made));
  } else {
    others.items.push_back(renamed(expectation, ""));
  }
}

Node turn_of(const Node& given) {
  Node turn = holder_node(Node::Kind::map, "", given.place);
  Node answers = list_node("agent", given.place);
  Node calls = list_node("tool_calls", given.place);
  Node others = list_node("expectations", given.place);
  for (const Node& step : given.list_of("steps")) {
    const Node* input = step.find("userInput");
    const Node* expectation = step.find("expectation");
    if (input != nullptr) add_input(turn, *input);
    if (expectation != nullptr) add_expectation(*expectation, answers, calls, others);
    if (input == nullptr && expectation == nullptr) others.items.push_back(step);
  }
  for (Node* each : {&answers, &calls, &others}) turn.items.push_back(std::move(*each));
  return turn;
}

/// The criterion for the judge. If the file only names a criterion, its text is missing and it is reported under its
/// key.
Node criterion_in(const Node& given) {
  const Node* criteria = given.find("llmCriteria");
  const Node* prompt = criteria == nullptr ? nullptr : criteria->find("prompt");
  if (prompt != nullptr) return renamed(*prompt, "");
  Node other = holder_node(Node::Kind::map, "", given.place);
  other.items.push_back(renamed(given, "evaluationExpectations"));
  return other;
}

}  // namespace

std::optional<Node> from_console(const Node& file) {
  const Node* golden = file.find("golden");
  if (golden == nullptr || golden->list_of("turns").empty()) return std::nullopt;
  Node eval = holder_node(Node::Kind::map, "", file.place);
  if (const Node* name = file.find("displayName")) eval.items.push_back(renamed(*name, "name"));
  if (const Node* tags = file.find("tags")) eval.items.push_back(*tags);
  Node turns = list_node("turns", golden->place);
  for (const Node& each : golden->list_of("turns")) turns.items.push_back(turn_of(each));
  Node expectations = list_node("expectations", golden->place);
  for (const Node& each : golden->list_of("evaluationExpectations"))
    expectations.items.push_back(criterion_in(each));
  eval.items.push_back(std::move(turns));
  eval.items.push_back(std::move(expectations));
  Node evals = list_node("conversations", file.place);
  evals.items.push_back(std::move(eval));
  Node whole = holder_node(Node::Kind::map, "", file.place);
  whole.items.push_back(std::move(evals));
  return whole;
}

}  // namespace parley::convert
