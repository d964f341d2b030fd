#pragma once
/// A conversation log while it is read, and the line it becomes: a body of POST /external-conversation-logs/. Plain values.

#include <string>
#include <utility>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// Prefix of the ids that an export makes for calls without one. An import drops such ids.
inline constexpr std::string_view own_call_id = "parley_call_";

/// Members of a JSON object in order; values are JSON text.
using Members = std::vector<std::pair<std::string, std::string>>;
/// Sets the member, or adds it.
void set_member(Members& members, const std::string& key, std::string json);
[[nodiscard]] const std::string* find_member(const Members& members, std::string_view key);
[[nodiscard]] std::string object_of(const Members& members);
/// A text as JSON.
[[nodiscard]] std::string json_text(std::string_view text);

struct LogEntry {
  enum class Type : std::uint8_t { message, tool, action, internal_event, public_event };
  Type type = Type::message;
  bool is_tester = false;
  std::string content;
  std::string name;
  Members metadata;
};

struct LogDraft {
  std::string id;  ///< of the source; empty: file and number
  std::vector<LogEntry> entries;
  Members metadata;
  std::vector<Check> checks;                           ///< for POST .../score; ids are c1, c2 ...
  std::vector<std::pair<std::size_t, bool>> expected;  ///< recorded verdicts: position in `checks`

  void say(bool is_tester, std::string text, Members about = {}) {
    entries.push_back({LogEntry::Type::message, is_tester, std::move(text), {}, std::move(about)});
  }
  /// The position of the new tool entry.
  std::size_t call(std::string name, Members about) {
    entries.push_back({LogEntry::Type::tool, false, {}, std::move(name), std::move(about)});
    return entries.size() - 1;
  }
};

[[nodiscard]] EntryCounts counts_of(const LogDraft& log);
/// What no record can hold, or empty: a text, metadata or the conversation beyond the limits.
[[nodiscard]] std::string misfit_of(const LogDraft& log);

struct LogNames {
  std::string external_id;
  std::string source;       ///< the format
  std::string description;  ///< "Imported from F:L"
};
/// The body on one line, without a line end.
[[nodiscard]] std::string log_line(const LogDraft& log, const LogNames& names);

/// The assertion as the API takes it.
[[nodiscard]] std::string assertion_json(const Check& check, const std::string& id);

}  // namespace parley::convert
