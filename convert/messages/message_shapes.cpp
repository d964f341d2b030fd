#include "convert/messages/message_shapes.hpp"

#include <array>
#include <utility>

#include "convert/reading/python_literal.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Unwraps LangChain's constructor form: the message is in `kwargs`, and its class is the last item of `id`.
Node constructed(const Node& message, const Node& kwargs) {
  Node inner = kwargs;
  inner.place = message.place;
  const std::vector<Node>& path = message.list_of("id");
  const std::string type = path.empty() ? "" : path.back().text;
  if (inner.find("role") != nullptr || inner.find("type") != nullptr) return inner;
  const std::string role = type.starts_with("Human")    ? "user"
                           : type.starts_with("AI")     ? "assistant"
                           : type.starts_with("System") ? "system"
                                                        : "tool";
  inner.items.push_back(text_node("role", role, message.place));
  return inner;
}

constexpr std::array<std::string_view, 9> call_types{"tool_call",     "tool_use",        "tool-call",
                                                     "function_call", "functionCall",    "custom_tool_call",
                                                     "tool",          "server_tool_use", "mcp_tool_use"};
constexpr std::array<std::string_view, 4> service_call_types{"mcp_call", "web_search_call",
                                                             "file_search_call", "code_interpreter_call"};
constexpr std::array<std::string_view, 7> result_types{
    "tool_result",      "tool_call_response",     "tool-result", "function_call_output", "function_response",
    "functionResponse", "custom_tool_call_output"};

/// Tools of OpenAI that only the type of the call names: the type, the tool, and the member with the arguments.
constexpr std::array<std::array<std::string_view, 3>, 3> unnamed_tools{
    {{"web_search_call", "web_search", "action"},
     {"file_search_call", "file_search", "queries"},
     {"code_interpreter_call", "code_interpreter", "code"}}};

/// The texts of a list of parts, joined into one text; other contents unchanged.
Node joined_texts(const Node& content) {
  if (!content.is_list() || content.items.empty() || content.items.front().find("text") == nullptr)
    return content;
  std::string text;
  for (const Node& part : content.items) text += part.text_of("text");
  return text_node(content.key, std::move(text), content.place);
}

}  // namespace

bool is_call_type(std::string_view type) {
  return is_service_call(type) || is_one_of(type, call_types);
}

bool is_service_call(std::string_view type) {
  return is_one_of(type, service_call_types);
}

bool is_result_type(std::string_view type) {
  return type.ends_with("_tool_result") || is_one_of(type, result_types);
}

std::string call_id_of(const Node& call) {
  for (const std::string_view key :
       {"tool_call_id", "call_id", "toolCallId", "tool_use_id", "toolUseId", "id"}) {
    std::string id = call.text_of(key);
    if (!id.empty()) return id;
  }
  return {};
}

Node unwrapped_message(const Node& message) {
  const Node* kwargs = message.find("kwargs");
  if (kwargs != nullptr && kwargs->is_map()) return constructed(message, *kwargs);
  const Node* inner = message.find("message");
  const bool is_inside = message.find("role") == nullptr && inner != nullptr && inner->is_map() &&
                         inner->find("role") != nullptr;
  return is_inside ? *inner : message;
}

std::string plain_role(std::string_view role) {
  const std::string lower = ascii::lower(role);
  std::string_view plain = lower;
  for (const std::string_view suffix : {"chunk", "message"}) {
    if (plain.size() > suffix.size() && plain.ends_with(suffix)) plain.remove_suffix(suffix.size());
  }
  return std::string(plain);
}

std::vector<Node> calls_in(const Node& content) {
  Node inner = joined_texts(content);
  if (inner.is_text()) {
    const std::size_t begin = inner.text.find_first_of("[{");
    if (begin == std::string::npos) return {};
    inner = opened_literal(text_node(inner.key, inner.text.substr(begin), inner.place));
  }
  if (inner.is_map()) return {std::move(inner)};
  return inner.is_list() ? std::move(inner.items) : std::vector<Node>{};
}

NamedCall named_call(const Node& call) {
  const Node* inner = call.first_of({"function", "tool_call"});
  const Node& body = inner != nullptr && inner->is_map() ? *inner : call;
  NamedCall named;
  for (const std::string_view key : {"name", "toolName"}) {
    if (named.name.empty()) named.name = body.text_of(key);
  }
  if (named.name.empty() && inner != nullptr && inner->is_text()) named.name = inner->text;
  named.arguments = body.first_of({"arguments", "args", "input", "parameters"});
  for (const auto& [type, tool, arguments] : unnamed_tools) {
    if (!named.name.empty() || call.text_of("type") != type) continue;
    named.name = tool;
    named.arguments = call.find(arguments);
  }
  const bool is_empty =
      named.arguments != nullptr && named.arguments->is_text() && named.arguments->text.empty();
  if (is_empty) named.arguments = nullptr;
  return named;
}

std::optional<Node> definition_in(const Node& content) {
  Node inner = opened(content);
  const Node* function = inner.find("function");
  const bool is_definition = function != nullptr && function->has("name") && !function->has("arguments") &&
                             function->first_of({"description", "parameters"}) != nullptr;
  if (!is_definition) return std::nullopt;
  return inner;
}

}  // namespace parley::convert
