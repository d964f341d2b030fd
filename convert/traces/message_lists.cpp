#include "convert/traces/message_lists.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/message_shapes.hpp"

namespace parley::convert {
namespace {

bool is_message(const Node& node) {
  if (!node.is_map()) return false;
  const std::string type = plain_role(node.text_of("type"));
  const Node* kwargs = node.find("kwargs");  // LangChain; the arguments of a function have no content
  return node.first_of({"role", "from"}) != nullptr || (kwargs != nullptr && kwargs->has("content")) ||
         type == "function_call" || type == "function_call_output" || type == "message" ||
         type == "reasoning" ||
         ((type == "human" || type == "ai" || type == "system" || type == "tool") && node.has("content"));
}

bool is_call(const Node& node) {
  return node.first_of({"toolCallId", "toolName"}) != nullptr;
}

/// Calls without a message, as one assistant message.
Node calls_message(const std::vector<Node>& calls, Place place) {
  Node message = holder_node(Node::Kind::map, "", place);
  Node list = holder_node(Node::Kind::list, "tool_calls", place);
  list.items = calls;
  message.items = {text_node("role", "assistant", place), std::move(list)};
  return message;
}

std::vector<Node> messages_in(const Node& list) {
  if (list.items.size() == 1 && list.items.front().is_list()) return messages_in(list.items.front());
  std::vector<Node> out;
  for (const Node& each : list.items) {
    if (is_message(each)) out.push_back(each);
  }
  return out;
}

void append(std::vector<Node>& out, std::vector<Node>&& more) {
  out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The message of a generation. A missing role or content is added.
Node answer_of(Node message, const Node* text) {
  if (message.first_of({"role", "type", "kwargs"}) == nullptr)
    message.items.push_back(text_node("role", "assistant", message.place));
  if (text != nullptr && message.first_of({"content", "parts", "kwargs"}) == nullptr)
    message.items.push_back(renamed(*text, "content"));
  return message;
}

/// The messages of a choice or a generation: its message, or its text.
std::vector<Node> choice_messages(const Node& choice) {
  if (choice.is_list()) {
    std::vector<Node> out;
    for (const Node& each : choice.items) append(out, choice_messages(each));
    return out;
  }
  const Node* text = choice.find("text");
  if (const Node* message = choice.first_of({"message", "delta"}); message != nullptr && message->is_map())
    return {answer_of(*message, text)};
  if (const Node* content = choice.find("content"); content != nullptr && content->is_map())
    return {*content};
  return text == nullptr ? std::vector<Node>{} : std::vector<Node>{message_node("assistant", *text)};
}

std::vector<Node> messages_of_map(const Node& output) {
  for (const std::string_view key : {"choices", "generations", "candidates"}) {
    const std::vector<Node>& list = output.list_of(key);
    if (!list.empty()) return choice_messages(list.front());
  }
  if (const Node* message = output.find("message"); message != nullptr && message->is_map())
    return {*message};
  if (is_message(output)) return {output};
  if (const Node* content = output.find("content"); content != nullptr && is_message(*content))
    return {*content};  // Google ADK
  if (!output.list_of("messages").empty()) return messages_in(*output.find("messages"));
  for (const std::string_view key : {"output", "outputs", "result", "response", "answer"}) {
    if (const Node* inner = output.find(key)) return output_messages(*inner);
  }
  std::vector<Node> out;
  const Node* text = output.first_of({"text", "content", "completion", "combined_chunk_content"});
  if (text != nullptr && !as_text(*text).empty()) out.push_back(message_node("assistant", *text));
  for (const std::string_view key : {"toolCalls", "tool_calls"}) {
    const std::vector<Node>& calls = output.list_of(key);
    if (!calls.empty()) out.push_back(calls_message(calls, output.place));
  }
  return out;
}

/// The messages of a text that begins with instructions and has the role before each message: `system: ...`, then lines
/// with `user: ...`. Empty: the text has another form.
std::vector<Node> labelled_messages(const Node& text) {
  constexpr std::array<std::string_view, 5> roles{"system", "developer", "user", "assistant", "tool"};
  std::vector<Node> messages;
  if (!text.is_text() || !(text.text.starts_with("system: ") || text.text.starts_with("developer: ")))
    return messages;
  for (std::string_view rest = text.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string_view role = line.substr(0, line.find(": "));
    if (role.size() < line.size() && std::find(roles.begin(), roles.end(), role) != roles.end()) {
      const std::string content(line.substr(role.size() + 2));
      messages.push_back(message_node(role, text_node("", content, text.place)));
    } else {
      messages.back().items.back().text.append("\n").append(line);
    }
  }
  // Python's None is a message without text, such as an answer that only calls tools.
  std::erase_if(messages, [](const Node& message) { return message.items.back().text == "None"; });
  return messages.size() > 1 ? messages : std::vector<Node>{};
}

}  // namespace

Node opened_member(const Node& member) {
  if (member.key != "content") return opened(member);
  Node inner = opened(member);
  const bool is_parts = inner.is_list() && !inner.items.empty() &&
                        inner.items.front().first_of({"type", "text", "toolUse", "toolResult"}) != nullptr;
  return is_parts ? inner : member;
}

Node message_node(std::string_view role, const Node& content) {
  Node message = holder_node(Node::Kind::map, "", content.place);
  message.items = {text_node("role", std::string(role), content.place), renamed(content, "content")};
  return message;
}

std::vector<Node> input_messages(const Node& given) {
  const Node input = opened(unquoted(opened(given)));
  if (input.is_list()) return messages_in(input);
  if (auto messages = labelled_messages(input); !messages.empty()) return messages;
  if (input.is_text())
    return input.text.empty() ? std::vector<Node>{} : std::vector<Node>{message_node("user", input)};
  if (!input.is_map()) return {};
  if (const Node* messages = input.find("messages")) {
    const Node list = opened(*messages);
    std::vector<Node> out;
    if (const Node* system = input.find("system")) out.push_back(message_node("system", *system));
    append(out, list.is_list() ? messages_in(list) : input_messages(list));
    return out;
  }
  if (const Node* contents = input.find("contents")) {  // Gemini
    std::vector<Node> out;
    const Node* config = input.find("config");
    const Node* system = config == nullptr ? nullptr : config->find("system_instruction");
    if (system != nullptr) out.push_back(message_node("system", *system));
    append(out, input_messages(*contents));
    return out;
  }
  if (is_message(input)) return {input};
  for (const std::string_view key : {"input", "prompt", "question", "query", "text", "message", "user_msg"}) {
    const Node* inner = input.find(key);
    if (inner == nullptr) continue;
    std::vector<Node> out;
    if (const Node* history = input.first_of({"chat_history", "history"});
        history != nullptr && history->is_list())
      out = messages_in(*history);
    append(out, input_messages(*inner));
    return out;
  }
  // The arguments of a traced function: the first positional argument, or one of the named arguments.
  const std::vector<Node>& arguments = input.list_of("args");
  if (!arguments.empty()) return input_messages(arguments.front());
  const Node* named = input.find("kwargs");
  return named != nullptr && named->is_map() ? input_messages(*named) : std::vector<Node>{};
}

std::vector<Node> output_messages(const Node& given) {
  const Node output = opened(unquoted(opened(given)));
  if (output.is_text())
    return output.text.empty() ? std::vector<Node>{} : std::vector<Node>{message_node("assistant", output)};
  if (output.is_map()) return messages_of_map(output);
  if (!output.is_list() || output.items.empty()) return {};
  if (std::all_of(output.items.begin(), output.items.end(), is_call))
    return {calls_message(output.items, output.place)};
  std::vector<Node> messages = messages_in(output);
  if (!messages.empty()) return messages;
  return messages_of_map(output.items.front());
}

}  // namespace parley::convert
