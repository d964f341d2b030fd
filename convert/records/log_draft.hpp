#pragma once
/// A conversation log that is being read, and its output line: a body of POST /external-conversation-logs/. Plain
/// values.

#include <string>
#include <utility>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// Prefix of the call ids that an export generates for calls without an id. An import drops such ids.
inline constexpr std::string_view own_call_id = "parley_call_";

/// Ordered members of a JSON object; values are JSON text.
using Members = std::vector<std::pair<std::string, std::string>>;
/// Sets the member. Adds it if it is missing.
void set_member(Members& members, const std::string& key, std::string json);
[[nodiscard]] const std::string* find_member(const Members& members, std::string_view key);
[[nodiscard]] std::string* find_member(Members& members, std::string_view key);
[[nodiscard]] std::string object_of(const Members& members);
/// A text as a quoted JSON string.
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
  std::string id;  ///< id in the source; empty: the file and a number are used
  std::vector<LogEntry> entries;
  Members metadata;
  std::vector<Check> checks;                           ///< for POST .../score; their ids are c1, c2 ...
  std::vector<std::pair<std::size_t, bool>> expected;  ///< recorded verdicts, by position in `checks`

  void say(bool is_tester, std::string text, Members about = {}) {
    entries.push_back({LogEntry::Type::message, is_tester, std::move(text), {}, std::move(about)});
  }
  /// Adds a tool entry and returns its position.
  std::size_t call(std::string name, Members about) {
    entries.push_back({LogEntry::Type::tool, false, {}, std::move(name), std::move(about)});
    return entries.size() - 1;
  }
};

[[nodiscard]] EntryCounts counts_of(const LogDraft& log);
/// Why the log exceeds the limits of a record (a text, its metadata or the number of entries); empty if it does not.
[[nodiscard]] std::string misfit_of(const LogDraft& log);

struct LogNames {
  std::string external_id;
  std::string source;       ///< the format
  std::string description;  ///< "Imported from F:L"
};
/// The request body on one line, without a line end.
[[nodiscard]] std::string log_line(const LogDraft& log, const LogNames& names);

/// The assertion in the format of the API.
[[nodiscard]] std::string assertion_json(const Check& check, const std::string& id);

}  // namespace parley::convert
