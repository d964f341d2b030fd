// The calls of ChatReader: tool calls, their results, and calls that a service answers itself.
#include "convert/messages/chat_reader.hpp"
#include "convert/messages/message_shapes.hpp"

namespace parley::convert {
namespace {

/// Number of the newest unanswered calls that are searched for a tool name.
constexpr std::size_t calls_looked_at_max = 64;

/// The JSON of a tool result. A list that consists of one text part is that text.
std::string result_json(const Node& value) {
  const bool is_one_text = value.is_list() && value.items.size() == 1 && value.items[0].is_map();
  const Node* inner =
      is_one_text ? value.items[0].first_of({"tool_result", "text", "content", "value"}) : nullptr;
  return to_json(inner != nullptr ? *inner : value);
}

}  // namespace

/// Whether a call of that tool has no result yet. Some frameworks send the tool name as the role of its result.
bool ChatReader::awaits(const std::string& tool) const {
  std::size_t looked_at = 0;
  for (auto each = unanswered_.rbegin(); each != unanswered_.rend(); ++each) {
    if (looked_at++ == calls_looked_at_max) return false;
    if (log_.entries[calls_[*each].entry].name == tool) return true;
  }
  return false;
}

void ChatReader::call(const Node& given, Side side) {
  NamedCall named = named_call(given);
  const bool is_service = is_service_call(given.text_of("type"));
  if (named.name.empty()) return lost(given, "tool call", "it names no tool");
  const std::string id = call_id_of(given);
  const auto known = by_id_.find(id);
  const bool is_repeated = known != by_id_.end() && (is_service || unanswered_.contains(known->second));
  if (!id.empty() && is_repeated) return;  // repeated history
  LogEntry entry;
  entry.type = side == Side::user ? LogEntry::Type::action : LogEntry::Type::tool;
  entry.is_tester = side == Side::user;
  entry.name = std::move(named.name);
  if (named.arguments != nullptr) set_member(entry.metadata, "arguments", arguments_json(*named.arguments));
  if (!id.empty() && !id.starts_with(own_call_id)) set_member(entry.metadata, "id", json_text(id));
  if (const Node* about = given.find("metadata"); about != nullptr && about->is_map()) {
    for (const Node& each : about->items) set_member(entry.metadata, each.key, to_json(each));
  }
  if (is_service) finish_service_call(given, entry);
  const bool has_id = find_member(entry.metadata, "id") != nullptr;
  log_.entries.push_back(std::move(entry));
  const std::size_t number = add_known(id, {log_.entries.size() - 1, has_id});
  if (is_service) return;
  unanswered_.insert(number);
  if (!has_id) unanswered_no_id_.insert(number);
}

/// Adds the call to those that results may refer to, and returns its number.
std::size_t ChatReader::add_known(const std::string& id, Call known) {
  calls_.push_back(known);
  const std::size_t number = calls_.size() - 1;
  if (!id.empty()) by_id_[id] = number;
  return number;
}

/// Adds the result and the error of a call that the service answers itself.
void ChatReader::finish_service_call(const Node& given, LogEntry& entry) {
  if (const Node* value = given.first_of({"output", "results", "outputs", "result"}))
    set_member(entry.metadata, "result", result_json(*value));
  if (const Node* error = given.find("error")) set_member(entry.metadata, "error", to_json(*error));
}

void ChatReader::result(const Node& message, const std::string& id, const Node* value) {
  std::size_t number = calls_.size();
  if (const auto known = by_id_.find(id); !id.empty() && known != by_id_.end()) {
    number = known->second;
    if (!unanswered_.contains(number))
      return repeated_result(message, log_.entries[calls_[number].entry], value);
  } else {
    // The position decides only if the result or the call has no id. The member `id` may be that of the message.
    const bool has_call_id = !id.empty() && message.text_of("id") != id;
    const std::set<std::size_t>& candidates = has_call_id ? unanswered_no_id_ : unanswered_;
    if (candidates.empty()) return lost(message, "tool result", "no matching tool call was found");
    number = *candidates.begin();
  }
  LogEntry& entry = log_.entries[calls_[number].entry];
  unanswered_.erase(number);
  unanswered_no_id_.erase(number);
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
    at = calls_[known->second].entry;
  } else {
    LogEntry entry;
    entry.type = LogEntry::Type::tool;
    entry.name = name;
    if (!id.empty()) set_member(entry.metadata, "id", json_text(id));
    log_.entries.push_back(std::move(entry));
    add_known(id, {at, !id.empty()});
  }
  LogEntry& entry = log_.entries[at];
  if (arguments != nullptr && find_member(entry.metadata, "arguments") == nullptr) {
    set_member(entry.metadata, "arguments", arguments_json(*arguments));
  }
  if (value != nullptr && find_member(entry.metadata, "result") == nullptr)
    set_member(entry.metadata, "result", to_json(*value));
  if (!error.empty()) set_member(entry.metadata, "error", json_text(error));
}

}  // namespace parley::convert
