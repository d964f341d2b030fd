#include "convert/messages/chat_reader.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/message_shapes.hpp"
#include "convert/reading/python_literal.hpp"
#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Types of content parts that are text.
constexpr std::array<std::string_view, 5> text_types{"text", "input_text", "output_text", "summary_text",
                                                     "refusal"};
constexpr std::array<std::string_view, 5> reasoning_types{"reasoning", "thinking", "redacted_thinking",
                                                          "thought", "reasoning_content"};
constexpr std::array<std::string_view, 7> call_types{
    "tool_call", "tool_use", "tool-call", "function_call", "functionCall", "custom_tool_call", "tool"};
constexpr std::array<std::string_view, 7> result_types{
    "tool_result",      "tool_call_response",     "tool-result", "function_call_output", "function_response",
    "functionResponse", "custom_tool_call_output"};

/// Roles of the assistant. ShareGPT uses the names of the products that answered.
constexpr std::array<std::string_view, 10> assistant_roles{
    "assistant", "gpt", "ai", "model", "bot", "chatbot", "chatgpt", "bing", "bard", "google_bard"};

constexpr std::array<std::string_view, 5> tool_roles{"tool", "function", "observation", "tool_response",
                                                     "tool-response"};
/// Roles of messages that are calls, in LLaMA-Factory, ms-swift and smolagents.
constexpr std::array<std::string_view, 3> call_roles{"function_call", "tool_call", "tool-call"};

/// Number of the newest unanswered calls that are searched for a tool name.
constexpr std::size_t calls_looked_at_max = 64;

template <std::size_t Size>
bool is_one_of(std::string_view word, const std::array<std::string_view, Size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string id_of(const Node& call) {
  for (const std::string_view key :
       {"tool_call_id", "call_id", "toolCallId", "tool_use_id", "toolUseId", "id"}) {
    std::string id = call.text_of(key);
    if (!id.empty()) return id;
  }
  return {};
}

/// The JSON of a tool result. A list that consists of one text part is that text.
std::string result_json(const Node& value) {
  const bool is_one_text = value.is_list() && value.items.size() == 1 && value.items[0].is_map();
  const Node* inner =
      is_one_text ? value.items[0].first_of({"tool_result", "text", "content", "value"}) : nullptr;
  return to_json(inner != nullptr ? *inner : value);
}

}  // namespace

std::string arguments_json(const Node& arguments) {
  if (!arguments.is_text()) return to_json(arguments);
  const auto document = json::parse(arguments.text);
  return document.ok() ? document->root().compact().text : to_json(opened_literal(arguments));
}

ChatReader::Side ChatReader::side_of(const Node& message) {
  std::string role = message.text_of("role");
  if (role.empty()) role = message.text_of("from");
  if (role.empty()) role = message.text_of("type");
  role = plain_role(role);
  if (role == "system" || role == "developer") return Side::system;
  if (role == "user" || role == "human") return Side::user;
  if (is_one_of(role, assistant_roles)) return Side::assistant;
  if (is_one_of(role, tool_roles)) return Side::tool;
  return Side::unknown;
}

bool ChatReader::is_tool_result(const Node& message) {
  return side_of(message) == Side::tool || is_one_of(message.text_of("type"), result_types);
}

bool ChatReader::is_of_assistant(const Node& message) {
  const std::string type = message.text_of("type");
  return side_of(message) == Side::assistant || is_one_of(type, call_types) ||
         is_one_of(type, reasoning_types);
}

void ChatReader::add_all(const std::vector<Node>& messages) {
  for (const Node& message : messages) add(message);
}

void ChatReader::add(const Node& given) {
  const Node message = unwrapped_message(given);
  if (read_item(message)) return;
  const Side known = side_of(message);
  const Side side = known == Side::unknown && awaits(message.text_of("role")) ? Side::tool : known;
  if (side == Side::unknown) return lost(message, "message", "its role is unknown");
  const std::size_t at = log_.entries.size();
  if (side == Side::tool) {
    const Node* value = message.first_of({"content", "value", "parts", "output"});
    if (value != nullptr && read_calls_of_tool(*value)) return;
    if (value != nullptr && id_of(message).empty() && read_definition(*value)) return;
    const bool has_parts =
        value != nullptr && value->is_list() && !value->items.empty() &&
        std::any_of(value->items.begin(), value->items.end(), [](const Node& part) {
          return is_one_of(part.text_of("type"), result_types) ||
                 part.first_of({"functionResponse", "function_response", "toolResult"}) != nullptr;
        });
    if (!has_parts) return result(message, id_of(message), value);
  }
  const Content content =
      read_content(message.first_of({"content", "value", "parts", "text", "message"}), side);
  for (const std::string_view key : {"reasoning_content", "reasoning", "thinking"}) {
    const Node* found = message.find(key);
    if (found != nullptr && !as_text(*found).empty())
      lost(*found, std::string(key), "a log cannot hold reasoning");
  }
  if (side == Side::system) return add_system(content.text);
  add_message(message, side, content, at);
  const bool has_calls = read_calls(message, side) || content.has_calls;
  if (!content.has_text && !has_calls && log_.entries.size() == at && side != Side::tool) {
    conversion_.report.add(source_, message.place,
                           {.outcome = side == Side::user ? Outcome::not_mapped : Outcome::ignored,
                            .source = "message without text",
                            .log = log_name_,
                            .why = side == Side::user ? "a log message must have text" : ""});
  }
}

/// Whether a call of that tool has no result yet. Some frameworks send the tool name as the role of its result.
bool ChatReader::awaits(const std::string& tool) const {
  const std::size_t newest = std::min<std::size_t>(unanswered_.size(), calls_looked_at_max);
  return std::any_of(unanswered_.end() - static_cast<std::ptrdiff_t>(newest), unanswered_.end(),
                     [&](std::size_t at) { return log_.entries[at].name == tool; });
}

/// Reads calls from a message that has the role tool but contains calls. False: it contains a result.
bool ChatReader::read_calls_of_tool(const Node& value) {
  const Node inner = opened(value);
  const bool is_calls = inner.is_list() && !inner.items.empty() &&
                        std::all_of(inner.items.begin(), inner.items.end(), [](const Node& each) {
                          const Node* function = each.find("function");
                          return function != nullptr && function->has("arguments");
                        });
  if (!is_calls) return false;
  for (const Node& each : inner.items) call(each, Side::assistant);
  return true;
}

/// Stores a tool definition as the definitions of a row are stored. False: the value is not a definition.
bool ChatReader::read_definition(const Node& value) {
  const auto definition = definition_in(value);
  if (!definition) return false;
  const std::string json = to_json(*definition);
  if (std::find(tools_.begin(), tools_.end(), json) != tools_.end()) return true;
  tools_.push_back(json);
  std::string list;
  for (const std::string& each : tools_) list += (list.empty() ? "" : ",") + each;
  set_member(log_.metadata, "tools", "[" + list + "]");
  return true;
}

/// Reads an item of a response that is a call, a tool result or reasoning. False: it is a message.
bool ChatReader::read_item(const Node& message) {
  const std::string type = message.text_of("type");
  if (message.find("role") != nullptr || message.find("from") != nullptr) {
    const std::string role = ascii::lower(message.text_of(message.find("role") != nullptr ? "role" : "from"));
    if (!is_one_of(role, call_roles)) return false;
    const Node* content = message.first_of({"value", "content", "parts"});
    const std::vector<Node> calls = content == nullptr ? std::vector<Node>{message} : calls_in(*content);
    for (const Node& each : calls) call(each, Side::assistant);
    if (calls.empty()) lost(message, role, "the call is not JSON");
    return true;
  }
  if (is_one_of(type, call_types) && type != "tool") {
    call(message, Side::assistant);
    return true;
  }
  if (is_one_of(type, result_types)) {
    result(message, id_of(message), message.first_of({"output", "result", "response", "content"}));
    return true;
  }
  if (!is_one_of(type, reasoning_types)) return false;
  lost(message, type, "a log cannot hold reasoning");
  return true;
}

ChatReader::Content ChatReader::read_content(const Node* content, Side side) {
  Content read;
  if (content == nullptr) return read;
  if (content->is_list()) {
    for (const Node& part : content->items) read_part(part, side, read);
  } else if (content->is_map()) {
    read_part(*content, side, read);
  } else {
    read.text = as_text(*content);
    read.has_text = !read.text.empty();
  }
  return read;
}

void ChatReader::read_part(const Node& part, Side side, Content& into) {
  const auto add_text = [&](const std::string& text) {
    if (text.empty()) return;
    if (into.has_text) into.text += '\n';
    into.text += text;
    into.has_text = true;
  };
  if (part.is_scalar()) return add_text(part.text);
  if (!part.is_map()) return;
  const std::string type = part.text_of("type");
  if (const Node* inner = part.first_of({"functionCall", "function_call", "toolUse"});
      inner != nullptr && inner->is_map()) {
    into.has_calls = true;
    return call(*inner, side);
  }
  if (const Node* inner = part.first_of({"functionResponse", "function_response", "toolResult"});
      inner != nullptr && inner->is_map()) {
    into.has_calls = true;
    return result(*inner, id_of(*inner), inner->first_of({"response", "output", "result", "content"}));
  }
  if (is_one_of(type, call_types)) {
    into.has_calls = true;
    const Node* value = part.find("value");  // the whole call as JSON text
    const Node inner = value != nullptr ? opened(*value) : part;
    return call(inner.is_map() ? inner : part, side == Side::user ? Side::assistant : side);
  }
  if (is_one_of(type, result_types)) {
    into.has_calls = true;
    return result(part, id_of(part),
                  part.first_of({"tool_result", "response", "result", "output", "content"}));
  }
  if (is_one_of(type, reasoning_types) || (part.find("thought") != nullptr && part.find("thought")->flag)) {
    return lost(part, type.empty() ? "thought" : type, "a log cannot hold reasoning");
  }
  if (type.empty() || is_one_of(type, text_types)) {
    const Node* text = part.first_of({"text", "content", "refusal", "value"});
    if (text != nullptr && text->is_scalar()) return add_text(text->text);
    if (text != nullptr && text->is_map()) return add_text(text->text_of("value"));
    if (text == nullptr && is_one_of(type, text_types)) return;
  }
  lost(part, type.empty() ? "content part" : type, "only text is kept");
}

void ChatReader::add_system(const std::string& text) {
  const std::string* known = find_member(log_.metadata, "system");
  if (known == nullptr) return set_member(log_.metadata, "system", json_text(text));
  const auto document = json::parse(*known);
  const std::string before = document.ok() ? std::string(document->root().string()) : std::string();
  if (before != text) set_member(log_.metadata, "system", json_text(before + "\n" + text));
}

void ChatReader::add_message(const Node& message, Side side, const Content& content, std::size_t at) {
  if (!content.has_text || side == Side::tool) return;
  LogEntry entry;
  entry.is_tester = side == Side::user;
  entry.content = content.text;
  if (const Node* about = message.find("metadata"); about != nullptr && about->is_map()) {
    for (const Node& each : about->items) set_member(entry.metadata, each.key, to_json(each));
  }
  if (const Node* weight = message.find("weight")) set_member(entry.metadata, "weight", to_json(*weight));
  // Calls among the content parts were added first, but the text comes before them.
  log_.entries.insert(log_.entries.begin() + static_cast<std::ptrdiff_t>(at), std::move(entry));
  for (auto& [id, position] : by_id_) position += position >= at ? 1 : 0;
  for (std::size_t& position : unanswered_) position += position >= at ? 1 : 0;
}

bool ChatReader::read_calls(const Node& message, Side side) {
  const std::vector<Node>& calls = message.list_of("tool_calls");
  for (const Node& each : calls) call(each, side);
  const Node* single = message.find("function_call");
  if (single != nullptr && single->is_map()) call(*single, side);
  const Node* extra = message.find("additional_kwargs");
  if (calls.empty() && extra != nullptr) {
    for (const Node& each : extra->list_of("tool_calls")) call(each, side);
  }
  return !calls.empty() || single != nullptr;
}

void ChatReader::call(const Node& given, Side side) {
  const Node* inner = given.first_of({"function", "tool_call"});
  const Node& body = inner != nullptr && inner->is_map() ? *inner : given;
  std::string name = body.text_of("name");
  if (name.empty()) name = body.text_of("toolName");
  if (name.empty() && inner != nullptr && inner->is_text()) name = inner->text;
  if (name.empty()) return lost(given, "tool call", "it names no tool");
  const std::string id = id_of(given);
  const auto known = by_id_.find(id);
  const bool is_open = known != by_id_.end() &&
                       std::find(unanswered_.begin(), unanswered_.end(), known->second) != unanswered_.end();
  if (!id.empty() && is_open) return;  // repeated history
  LogEntry entry;
  entry.type = side == Side::user ? LogEntry::Type::action : LogEntry::Type::tool;
  entry.is_tester = side == Side::user;
  entry.name = std::move(name);
  const Node* arguments = body.first_of({"arguments", "args", "input", "parameters"});
  const bool has_arguments = arguments != nullptr && !(arguments->is_text() && arguments->text.empty());
  if (has_arguments) set_member(entry.metadata, "arguments", arguments_json(*arguments));
  if (!id.empty() && !id.starts_with(own_call_id)) set_member(entry.metadata, "id", json_text(id));
  if (const Node* about = given.find("metadata"); about != nullptr && about->is_map()) {
    for (const Node& each : about->items) set_member(entry.metadata, each.key, to_json(each));
  }
  log_.entries.push_back(std::move(entry));
  if (!id.empty()) by_id_[id] = log_.entries.size() - 1;
  unanswered_.push_back(log_.entries.size() - 1);
}

void ChatReader::result(const Node& message, const std::string& id, const Node* value) {
  auto found = unanswered_.end();
  if (const auto known = by_id_.find(id); !id.empty() && known != by_id_.end()) {
    found = std::find(unanswered_.begin(), unanswered_.end(), known->second);
    if (found == unanswered_.end()) return repeated_result(message, log_.entries[known->second], value);
  } else {
    // The position decides only if the result or the call has no id. The member `id` may be that of the message.
    const bool has_call_id = !id.empty() && message.text_of("id") != id;
    found = std::find_if(unanswered_.begin(), unanswered_.end(), [&](std::size_t at) {
      return !has_call_id || find_member(log_.entries[at].metadata, "id") == nullptr;
    });
  }
  if (found == unanswered_.end()) return lost(message, "tool result", "no matching tool call was found");
  LogEntry& entry = log_.entries[*found];
  unanswered_.erase(found);
  if (value != nullptr) set_member(entry.metadata, "result", result_json(*value));
  const Node* error = message.first_of({"error", "is_error"});
  if (error != nullptr && !(error->is(Node::Kind::boolean) && !error->flag))
    set_member(entry.metadata, "error", to_json(*error));
  if (const Node* about = message.find("metadata"); about != nullptr && about->is_map()) {
    for (const Node& each : about->items) set_member(entry.metadata, each.key, to_json(each));
  }
}

/// Ignores a repeated result, which is repeated history, unless it differs from the first one.
void ChatReader::repeated_result(const Node& message, const LogEntry& entry, const Node* value) {
  const std::string* before = find_member(entry.metadata, "result");
  if (value == nullptr || before == nullptr || *before == result_json(*value)) return;
  lost(message, "tool result", "the call already has another result");
}

void ChatReader::add_call(const std::string& id, const std::string& name, const Node* arguments,
                          const Node* value, const std::string& error) {
  const auto known = by_id_.find(id);
  std::size_t at = log_.entries.size();
  if (!id.empty() && known != by_id_.end()) {
    at = known->second;
  } else {
    LogEntry entry;
    entry.type = LogEntry::Type::tool;
    entry.name = name;
    if (!id.empty()) set_member(entry.metadata, "id", json_text(id));
    log_.entries.push_back(std::move(entry));
    if (!id.empty()) by_id_[id] = at;
  }
  LogEntry& entry = log_.entries[at];
  if (arguments != nullptr && find_member(entry.metadata, "arguments") == nullptr) {
    set_member(entry.metadata, "arguments", arguments_json(*arguments));
  }
  if (value != nullptr && find_member(entry.metadata, "result") == nullptr)
    set_member(entry.metadata, "result", to_json(*value));
  if (!error.empty()) set_member(entry.metadata, "error", json_text(error));
}

void ChatReader::lost(const Node& at, const std::string& what, const std::string& why) {
  conversion_.report.add(
      source_, at.place,
      {.outcome = Outcome::not_mapped, .source = what, .text = at.text, .log = log_name_, .why = why});
}

}  // namespace parley::convert
