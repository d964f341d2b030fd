#include "convert/chat/stored_calls.hpp"

namespace parley::convert {
namespace {

void append(std::vector<Node>& out, const std::vector<Node>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

/// The model's answer: the first choice, the items of OpenAI's Responses API, or Anthropic's message.
std::vector<Node> answer_in(const Node& response) {
  const std::vector<Node>& choices = response.list_of("choices");
  const Node* message = choices.empty() ? nullptr : choices.front().find("message");
  if (message != nullptr && message->is_map()) return {*message};
  const std::vector<Node>& items = response.list_of("output");
  if (!items.empty() && !items.front().text_of("type").empty()) return items;
  const bool is_message = response.text_of("role") == "assistant" && response.find("content") != nullptr;
  return is_message ? std::vector<Node>{response} : std::vector<Node>{};
}

/// The messages of the request. Empty: its format is unknown.
std::vector<Node> input_of(const Node& request) {
  std::vector<Node> out;
  for (const std::string_view key : {"instructions", "system"}) {
    if (const Node* found = request.find(key)) out.push_back(text_message("system", *found));
  }
  const Node* input = request.first_of({"messages", "input"});
  if (input != nullptr && input->is_text()) {
    out.push_back(text_message("user", *input));
  } else if (input != nullptr && input->is_list() && !input->items.empty() && input->items.front().is_map()) {
    append(out, input->items);
  } else {
    return {};
  }
  return out;
}

}  // namespace

std::optional<RowConversation> stored_call(const Node& row) {
  const Node* request = row.first_of({"request", "body"});
  const Node* response = row.find("response");
  const bool is_apart = request != nullptr && request->is_map();
  if (response != nullptr && response->find("body") != nullptr) response = response->find("body");
  const std::vector<Node> answer = answer_in(!is_apart ? row : response != nullptr ? *response : no_node());
  if (!is_apart && (answer.empty() || is_chat_message(row))) return std::nullopt;
  RowConversation out;
  out.messages = input_of(is_apart ? *request : row);
  if (out.messages.empty()) return std::nullopt;
  append(out.messages, answer);
  if (is_apart) {
    out.keys = {request->key};
    if (!answer.empty()) out.keys.insert("response");
  } else {
    out.keys = {"messages", "input", "instructions", "system", "choices", "output"};
  }
  return out;
}

}  // namespace parley::convert
