#include "convert/records/log_draft.hpp"

#include <algorithm>
#include <array>

#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "model/limits.hpp"

namespace parley::convert {
namespace {

std::string_view type_word(LogEntry::Type type) {
  constexpr std::array<std::string_view, 5> words{"message", "tool", "action", "internal-event",
                                                  "public-event"};
  return words[static_cast<std::size_t>(type)];
}

void write_entry(json::Writer& out, const LogEntry& entry) {
  out.begin_object();
  if (entry.type != LogEntry::Type::message) out.member("type", type_word(entry.type));
  out.member("role", entry.is_tester ? "tester" : "chatbot");
  if (entry.type == LogEntry::Type::message) {
    out.member("content", entry.content);
  } else {
    out.member("name", entry.name);
    if (!entry.content.empty()) out.member("content", entry.content);
  }
  if (!entry.metadata.empty()) out.key("metadata").raw(object_of(entry.metadata));
  out.end_object();
}

Members metadata_of(const LogDraft& log) {
  Members members = log.metadata;
  if (log.checks.empty()) return members;
  json::Writer assertions;
  assertions.begin_array();
  for (std::size_t i = 0; i < log.checks.size(); ++i) {
    assertions.raw(assertion_json(log.checks[i], "c" + std::to_string(i + 1)));
  }
  assertions.end_array();
  set_member(members, "assertions", std::move(assertions).text());
  if (log.expected.empty()) return members;
  json::Writer expected;
  expected.begin_object();
  for (const auto& [check, met] : log.expected) expected.key("c" + std::to_string(check + 1)).boolean(met);
  expected.end_object();
  set_member(members, "expected", std::move(expected).text());
  return members;
}

}  // namespace

void set_member(Members& members, const std::string& key, std::string json) {
  for (auto& [name, value] : members) {
    if (name != key) continue;
    value = std::move(json);
    return;
  }
  members.emplace_back(key, std::move(json));
}

const std::string* find_member(const Members& members, std::string_view key) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& each) { return each.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

std::string* find_member(Members& members, std::string_view key) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& each) { return each.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

std::string object_of(const Members& members) {
  json::Writer out;
  out.begin_object();
  for (const auto& [key, value] : members) out.key(key).raw(value);
  out.end_object();
  return std::move(out).text();
}

std::string json_text(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

EntryCounts counts_of(const LogDraft& log) {
  EntryCounts counts;
  for (const LogEntry& entry : log.entries) {
    if (entry.type == LogEntry::Type::message) ++(entry.is_tester ? counts.tester : counts.chatbot);
    if (entry.type == LogEntry::Type::tool) ++counts.tool;
    if (entry.type == LogEntry::Type::action) ++counts.action;
  }
  return counts;
}

std::string misfit_of(const LogDraft& log) {
  if (log.entries.size() > limits::external_messages_max) return "a log is limited to 10,000 entries";
  for (const LogEntry& entry : log.entries) {
    if (entry.content.size() > limits::content_bytes_max) return "a message is limited to 1 MiB of text";
    if (entry.name.size() > limits::entry_name_chars_max) return "a tool name is limited to 256 characters";
    std::size_t bytes = 0;
    for (const auto& [key, value] : entry.metadata) bytes += key.size() + value.size() + 4;
    if (bytes > limits::metadata_bytes_max) return "message metadata is limited to 100 KB";
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : log.metadata) bytes += key.size() + value.size() + 4;
  if (bytes > limits::record_json_bytes_max) return "log metadata is limited to 256 KiB";
  return {};
}

std::string assertion_json(const Check& check, const std::string& id) {
  json::Writer out;
  out.begin_object();
  if (!id.empty()) out.member("id", id);
  out.member("type", check.type);
  if (!check.name.empty()) out.member("name", check.name);
  if (!check.criteria.empty()) out.member("criteria", check.criteria);
  constexpr std::array<std::string_view, 3> severities{"BLOCKER", "MAJOR", "MINOR"};
  out.member("severity", severities[static_cast<std::size_t>(check.severity)]);
  if (check.weight) out.key("weight").integer(*check.weight);
  std::string config = check.config;
  if (check.negate) {
    config.pop_back();
    config += config == "{" ? R"("negate":true})" : R"(,"negate":true})";
  }
  if (config != "{}") out.key("config").raw(config);
  out.end_object();
  return std::move(out).text();
}

std::string log_line(const LogDraft& log, const LogNames& names) {
  json::Writer out;
  out.begin_object().member("externalId", names.external_id).member("externalSource", names.source);
  out.member("description", names.description);
  if (const Members metadata = metadata_of(log); !metadata.empty())
    out.key("metadata").raw(object_of(metadata));
  out.key("conversation").begin_array();
  for (const LogEntry& entry : log.entries) write_entry(out, entry);
  out.end_array().end_object();
  return std::move(out).text();
}

}  // namespace parley::convert
