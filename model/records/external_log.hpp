#pragma once
/// External conversation logs (D20, D24): conversations that took place elsewhere. Plain values.

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/entry.hpp"

namespace parley {

struct ExternalLog {
  Stamp stamp;
  std::string external_id;
  std::string description;
  std::string external_source;
  std::optional<Time> timestamp;  ///< always set once stored
  Links<RecordKind::tag> tags;
  Links<RecordKind::agent> agents;
  bool is_archived = false;
  json::Text metadata;
  json::Text conversation{"[]"};  ///< entries as entry_json writes them
  /// The verdict of the last saved `score`: all fields are set, or none. It belongs to this conversation, so
  /// replacing the conversation removes it.
  std::optional<json::Text> assertion_results;  ///< as responses show them
  std::optional<std::int64_t> score;
  std::optional<bool> overall_passed;
  std::optional<bool> decided;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::external_log;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("externalId", self.external_id,
            Rules{.access = Access::create,
                  .required = true,
                  .chars_max = limits::name_chars_max,
                  .never_empty = true},
            "The log's id in its source; no two logs have the same.");
    v.field("description", self.description, Rules{.chars_max = limits::name_chars_max},
            "Three to five words.");
    v.field("externalSource", self.external_source, Rules{.chars_max = limits::name_chars_max},
            "Where it comes from: a system or the name of an agent.");
    v.field("timestamp", self.timestamp, Rules{.access = Access::create},
            "When the conversation took place; now if absent.");
    v.field("tags", self.tags, Rules{.items_max = limits::links_max}, "Smart tags are added on creation.");
    v.field("agents", self.agents, Rules{.items_max = limits::links_max},
            "If set, only these can re-run it.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::record_json_bytes_max, .minimal = false},
            "Anything; a PATCH replaces it.");
    v.field("conversation", self.conversation,
            Rules{.shape = Shape::array, .minimal = false, .schema = "Entry", .body_schema = "LogMessage"},
            "Entries in order, at most 10,000.");
    v.field(
        "assertionResults", self.assertion_results,
        Rules{
            .access = Access::service, .shape = Shape::array, .minimal = false, .schema = "AssertionResult"},
        "The verdicts of the last score that was saved.");
    v.field("score", self.score, Rules{.access = Access::service}, "The saved score, 0 to 100.");
    v.field("overallPassed", self.overall_passed, Rules{.access = Access::service},
            "Whether no BLOCKER failed, as saved.");
    v.field("decided", self.decided, Rules{.access = Access::service},
            "False if the saved score counts neither for nor against.");
  }
};

/// Removes the saved verdict.
void forget_verdict(ExternalLog& log);

/// The messages of a stored log.
[[nodiscard]] std::vector<Entry> entries_of(const ExternalLog& log);

/// Whether the log names no agents, or names this one.
[[nodiscard]] bool allows_agent(const ExternalLog& log, const Id& agent);

/// One message of a log, as a body contains it.
struct LogMessage {
  EntryType type = EntryType::message;
  LogRole role = LogRole::chatbot;
  std::optional<std::string> content;
  std::optional<std::string> name;
  json::Text metadata;
  std::optional<Time> created_at;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.computed("id", std::string(), "Made by the service.");
    v.field("type", self.type, Rules{}, "message (default), tool, internal-event, public-event or action.");
    v.field("role", self.role, Rules{}, "tester or user, chatbot (default) or assistant.");
    v.field("content", self.content, Rules{.bytes_max = limits::content_bytes_max},
            "Text; required for a message.");
    v.field("name", self.name, Rules{.chars_max = limits::entry_name_chars_max, .never_empty = true},
            "Name of the tool, event or action; required for those.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max},
            "Any JSON object up to 100 KB.");
    v.field("createdAt", self.created_at, Rules{}, "When it was said; now where absent.");
    v.computed("turn", std::string(), "Counted by the service.");
  }
};

}  // namespace parley
