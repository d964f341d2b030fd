// Gives the results and times in the spans of tools to the tool entries of a log, and places the calls that the messages
// do not have.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "convert/traces/conversation.hpp"
#include "convert/traces/times.hpp"
#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

void sort_keys(Node& node) {
  for (Node& item : node.items) sort_keys(item);
  if (!node.is_map()) return;
  std::stable_sort(node.items.begin(), node.items.end(),
                   [](const Node& a, const Node& b) { return a.key < b.key; });
}

/// The same text for JSON that differs only in spaces, the order of keys, or in being quoted as a string.
std::string comparable(const std::string& json) {
  const auto parsed = parse_inner_json(json, {});
  if (!parsed) return json;
  Node value = opened(*parsed);
  sort_keys(value);
  return to_json(value);
}

/// The tool entries of a log by what they have in common with a call. Each entry is taken once.
class FreeEntries {
 public:
  explicit FreeEntries(LogDraft& log) : log_(log), is_used_(log.entries.size(), false) {
    for (std::size_t i = 0; i < log.entries.size(); ++i) {
      const LogEntry& entry = log.entries[i];
      if (entry.type != LogEntry::Type::tool) continue;
      const std::string* id = find_member(entry.metadata, "id");
      const std::string* arguments = find_member(entry.metadata, "arguments");
      if (id != nullptr) list({By::id, false, *id, {}}, i);
      for (const bool is_without_id : {false, true}) {
        if (is_without_id && id != nullptr) continue;
        list({By::name, is_without_id, entry.name, {}}, i);
        if (arguments == nullptr) list({By::name_without_arguments, is_without_id, entry.name, {}}, i);
        if (arguments != nullptr) list({By::arguments, is_without_id, entry.name, comparable(*arguments)}, i);
      }
    }
  }

  LogEntry* with_id(const ToolCall& call) {
    return call.id.empty() ? nullptr : take({By::id, false, json_text(call.id), {}});
  }
  /// If the call has an id, an entry with another id is not its entry.
  LogEntry* with_arguments(const ToolCall& call) {
    if (!call.arguments) return nullptr;
    return take({By::arguments, !call.id.empty(), call.name, comparable(arguments_json(*call.arguments))});
  }
  LogEntry* with_name(const ToolCall& call) {
    return take({call.arguments ? By::name_without_arguments : By::name, !call.id.empty(), call.name, {}});
  }

 private:
  enum class By : std::uint8_t { id, arguments, name, name_without_arguments };
  using Key = std::tuple<By, bool, std::string, std::string>;
  struct Positions {
    std::vector<std::size_t> all;
    std::size_t next = 0;
  };

  void list(Key key, std::size_t position) { positions_[std::move(key)].all.push_back(position); }

  LogEntry* take(const Key& key) {
    const auto found = positions_.find(key);
    if (found == positions_.end()) return nullptr;
    for (Positions& at = found->second; at.next < at.all.size();) {
      const std::size_t position = at.all[at.next++];
      if (is_used_[position]) continue;
      is_used_[position] = true;
      return &log_.entries[position];
    }
    return nullptr;
  }

  LogDraft& log_;
  std::vector<bool> is_used_;
  std::map<Key, Positions> positions_;
};

/// The calls in order of their start; the files of most exporters list them in order of their end.
std::vector<const ToolCall*> in_order(const std::vector<ToolCall>& tools) {
  std::vector<const ToolCall*> out;
  for (const ToolCall& each : tools) out.push_back(&each);
  std::stable_sort(out.begin(), out.end(),
                   [](const ToolCall* a, const ToolCall* b) { return is_earlier(a->order, b->order); });
  return out;
}

void fill(LogEntry& entry, const ToolCall& call) {
  Members& about = entry.metadata;
  if (call.arguments && find_member(about, "arguments") == nullptr)
    set_member(about, "arguments", arguments_json(*call.arguments));
  if (call.result && find_member(about, "result") == nullptr)
    set_member(about, "result", to_json(*call.result));
  if (!call.error.empty()) set_member(about, "error", json_text(call.error));
  if (call.milliseconds) set_member(about, "responseTime", json::number_text(*call.milliseconds));
}

LogEntry entry_of(const ToolCall& call) {
  LogEntry entry;
  entry.type = LogEntry::Type::tool;
  entry.name = call.name;
  if (!call.id.empty()) set_member(entry.metadata, "id", json_text(call.id));
  fill(entry, call);
  return entry;
}

/// Where a call of each turn is inserted: before the answer that ends the turn, else at the end of the turn. Turn 0 is
/// what the agent says before the user.
std::vector<std::size_t> ends_of_turns(const LogDraft& log) {
  std::vector<std::size_t> ends;
  const auto is_message = [&](std::size_t i) { return log.entries[i].type == LogEntry::Type::message; };
  for (std::size_t i = 0; i <= log.entries.size(); ++i) {
    const bool is_end = i == log.entries.size() || (is_message(i) && log.entries[i].is_tester);
    if (!is_end) continue;
    const bool has_answer = i > 0 && is_message(i - 1) && !log.entries[i - 1].is_tester;
    ends.push_back(has_answer ? i - 1 : i);
  }
  return ends;
}

}  // namespace

std::vector<const ToolCall*> give_to_entries(LogDraft& log, const std::vector<ToolCall>& tools) {
  FreeEntries entries(log);
  std::vector<const ToolCall*> left = in_order(tools);
  for (const auto way : {&FreeEntries::with_id, &FreeEntries::with_arguments, &FreeEntries::with_name}) {
    std::erase_if(left, [&](const ToolCall* call) {
      LogEntry* entry = (entries.*way)(*call);
      if (entry != nullptr) fill(*entry, *call);
      return entry != nullptr;
    });
  }
  return left;
}

void insert_calls(LogDraft& log, const std::vector<const ToolCall*>& calls, std::vector<CallStart> starts) {
  if (calls.empty()) return;
  std::stable_sort(starts.begin(), starts.end(),
                   [](const CallStart& a, const CallStart& b) { return is_earlier(a.begin, b.begin); });
  const std::vector<std::size_t> ends = ends_of_turns(log);
  std::map<std::size_t, std::vector<LogEntry>> added;  // by position
  for (const ToolCall* call : calls) {
    const auto next = std::lower_bound(
        starts.begin(), starts.end(), call->order,
        [](const CallStart& start, const std::string& time) { return is_earlier(start.begin, time); });
    const bool is_known = next != starts.end() && !call->order.empty() && next->turn < ends.size();
    added[is_known ? ends[next->turn] : ends.back()].push_back(entry_of(*call));
  }
  std::vector<LogEntry> entries;
  for (std::size_t i = 0; i <= log.entries.size(); ++i) {
    if (const auto found = added.find(i); found != added.end())
      std::move(found->second.begin(), found->second.end(), std::back_inserter(entries));
    if (i < log.entries.size()) entries.push_back(std::move(log.entries[i]));
  }
  log.entries = std::move(entries);
}

}  // namespace parley::convert
