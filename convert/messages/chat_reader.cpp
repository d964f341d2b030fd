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
/// Roles of the assistant. ShareGPT uses the names of the products that answered.
constexpr std::array<std::string_view, 10> assistant_roles{
    "assistant", "gpt", "ai", "model", "bot", "chatbot", "chatgpt", "bing", "bard", "google_bard"};

constexpr std::array<std::string_view, 5> tool_roles{"tool", "function", "observation", "tool_response",
                                                     "tool-response"};
/// Roles of messages that are calls, in LLaMA-Factory, ms-swift and smolagents.
constexpr std::array<std::string_view, 3> call_roles{"function_call", "tool_call", "tool-call"};

/// Appends an item to JSON that ends with the character `end`: a list, or a quoted text.
void append_json(std::string& json, std::string_view item, char end) {
  json.pop_back();
  json += item;
  json += end;
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
  return side_of(message) == Side::tool || is_result_type(message.text_of("type"));
}

bool ChatReader::is_of_assistant(const Node& message) {
  const std::string type = message.text_of("type");
  return side_of(message) == Side::assistant || is_call_type(type) || is_one_of(type, reasoning_types);
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
    if (value != nullptr && call_id_of(message).empty() && read_definition(*value)) return;
    const bool has_parts =
        value != nullptr && value->is_list() && !value->items.empty() &&
        std::any_of(value->items.begin(), value->items.end(), [](const Node& part) {
          return is_result_type(part.text_of("type")) ||
                 part.first_of({"functionResponse", "function_response", "toolResult"}) != nullptr;
        });
    if (!has_parts) return result(message, call_id_of(message), value);
  }
  Content content = read_content(message.first_of({"content", "value", "parts", "text", "message"}), side);
  if (side == Side::assistant) read_spoken(message, content);
  for (const std::string_view key : {"reasoning_content", "reasoning", "thinking"}) {
    const Node* found = message.find(key);
    if (found != nullptr && !as_text(*found).empty())
      lost(*found, std::string(key), "a log cannot hold reasoning");
  }
  if (side == Side::system) return add_system(content.text);
  add_message(message, side, content, content.follows_result ? log_.entries.size() : at);
  const bool has_calls = read_calls(message, side) || content.has_calls;
  if (!content.has_text && !has_calls && log_.entries.size() == at && side != Side::tool) {
    conversion_.report.add(source_, message.place,
                           {.outcome = side == Side::user ? Outcome::not_mapped : Outcome::ignored,
                            .source = "message without text",
                            .log = log_name_,
                            .why = side == Side::user ? "a log message must have text" : ""});
  }
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
  std::string* known = tools_.empty() ? nullptr : find_member(log_.metadata, "tools");
  if (!tools_.insert(json).second) return true;
  if (known == nullptr) {
    set_member(log_.metadata, "tools", "[" + json + "]");
  } else {
    append_json(*known, "," + json, ']');
  }
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
  if (is_call_type(type) && type != "tool") {
    call(message, Side::assistant);
    return true;
  }
  if (is_result_type(type)) {
    result(message, call_id_of(message), message.first_of({"output", "result", "response", "content"}));
    return true;
  }
  if (!is_one_of(type, reasoning_types)) return false;
  lost(message, type, "a log cannot hold reasoning");
  return true;
}

void ChatReader::Content::add(const std::string& more) {
  if (more.empty()) return;
  if (has_text) text += '\n';
  text += more;
  has_text = true;
}

/// Adds the texts that OpenAI records next to the content: a refusal, and the words of a spoken answer.
void ChatReader::read_spoken(const Node& message, Content& into) {
  const Node* extra = message.find("additional_kwargs");  // LangChain
  for (const Node* holder : {&message, extra}) {
    if (holder == nullptr) continue;
    const std::string refusal = holder->text_of("refusal");
    if (refusal != into.text) into.add(refusal);
    const Node* audio = holder->find("audio");
    if (audio == nullptr || !audio->is_map()) continue;
    const std::string transcript = audio->text_of("transcript");
    if (transcript != into.text) into.add(transcript);
    if (audio->find("data") != nullptr) lost(*audio, "audio", "only text is kept");
  }
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
  if (part.is_scalar()) return into.add(part.text);
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
    return result(*inner, call_id_of(*inner), inner->first_of({"response", "output", "result", "content"}));
  }
  if (is_call_type(type)) {
    into.has_calls = true;
    const Node* value = part.find("value");  // the whole call as JSON text
    const Node inner = value != nullptr ? opened(*value) : part;
    return call(inner.is_map() ? inner : part, side == Side::user ? Side::assistant : side);
  }
  if (is_result_type(type)) {
    into.has_calls = true;
    if (side == Side::assistant && !into.has_text) into.follows_result = true;
    return result(part, call_id_of(part),
                  part.first_of({"tool_result", "response", "result", "output", "content"}));
  }
  if (is_one_of(type, reasoning_types) || (part.find("thought") != nullptr && part.find("thought")->flag)) {
    return lost(part, type.empty() ? "thought" : type, "a log cannot hold reasoning");
  }
  if (type.empty() || is_one_of(type, text_types)) {
    const Node* text = part.first_of({"text", "content", "refusal", "value"});
    if (text != nullptr && text->is_scalar()) return into.add(text->text);
    if (text != nullptr && text->is_map()) return into.add(text->text_of("value"));
    if (text == nullptr && is_one_of(type, text_types)) return;
  }
  into.add(part.text_of("transcript"));  // of an audio part
  lost(part, type.empty() ? "content part" : type, "only text is kept");
}

void ChatReader::add_system(const std::string& text) {
  std::string* known = find_member(log_.metadata, "system");
  if (known == nullptr || system_.empty()) {
    system_ = text;
    return set_member(log_.metadata, "system", json_text(text));
  }
  if (system_ == text) return;
  system_ += "\n" + text;
  const std::string quoted = json_text("\n" + text);
  append_json(*known, std::string_view(quoted).substr(1, quoted.size() - 2), '"');
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
  for (auto each = calls_.rbegin(); each != calls_.rend() && each->entry >= at; ++each) ++each->entry;
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

void ChatReader::lost(const Node& at, const std::string& what, const std::string& why) {
  conversion_.report.add(
      source_, at.place,
      {.outcome = Outcome::not_mapped, .source = what, .text = as_text(at), .log = log_name_, .why = why});
}

}  // namespace parley::convert
