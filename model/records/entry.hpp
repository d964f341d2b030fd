#pragma once
/// Conversation entries (D53): messages, tool calls, events and actions. Plain values.

#include <array>
#include <string_view>

#include "model/description/record_parse.hpp"
#include "model/limits.hpp"

namespace parley {

enum class EntryType : std::uint8_t { message, tool, internal_event, public_event, action };
template <>
struct Words<EntryType> {
  static constexpr std::array<std::string_view, 5> all{"message", "tool", "internal-event", "public-event",
                                                       "action"};
};

enum class Role : std::uint8_t { tester, chatbot };
template <>
struct Words<Role> {
  static constexpr std::array<std::string_view, 2> all{"tester", "chatbot"};
};

[[nodiscard]] constexpr bool is_event(EntryType type) {
  return type == EntryType::internal_event || type == EntryType::public_event;
}

/// The field that a body must contain for an entry of this type.
[[nodiscard]] constexpr std::string_view needed_field(EntryType type) {
  return type == EntryType::message ? "content" : "name";
}

/// Adds a fault if the body of an entry, at `pointer`, lacks the field that its type requires. Needs: a valid
/// type.
template <class Body>
void check_needed_field(const Body& body, const std::string& pointer, Findings& findings) {
  const std::string_view needed = needed_field(body.type);
  const bool is_given = needed == "content" ? body.content.has_value() : body.name.has_value();
  if (is_given) return;
  const bool is_message = body.type == EntryType::message;
  findings.add(pointer + "/" + std::string(needed),
               is_message ? "is required for a message" : "is required for this type");
}

/// One entry of a conversation.
struct Entry {
  Id id;
  EntryType type = EntryType::message;
  Role role = Role::chatbot;
  std::optional<std::string> content;
  std::optional<std::string> name;
  json::Text metadata;
  Time created_at;
  /// Number of the exchange, from 0; a tester turn opens the next one (D53).
  std::int64_t turn = 0;
  bool is_history = false;  ///< recorded before the first turn (D108): context that no assertion counts
  bool operator==(const Entry&) const = default;
};

/// True for what the chatbot said in this conversation, as opposed to tools and events.
[[nodiscard]] inline bool is_chatbot_message(const Entry& entry) {
  return entry.type == EntryType::message && entry.role == Role::chatbot && !entry.is_history;
}

/// True for a tester's message or action, which starts an exchange.
[[nodiscard]] inline bool is_tester_turn(const Entry& entry) {
  return entry.role == Role::tester && (entry.type == EntryType::message || entry.type == EntryType::action);
}

/// The entry as responses show it.
[[nodiscard]] std::string entry_json(const Entry& entry);

/// Reads what entry_json wrote, in one pass over the bytes; members may have another order. Problem: invalid_json.
[[nodiscard]] Expected<Entry> entry_from_stored(std::string_view text);

/// Repairs a text whose metadata is not JSON (an old redaction bug left some): the metadata becomes
/// `{"unreadable": "..."}` with the old text as a string. nullopt for all other texts, at the cost of a
/// search for the mask.
[[nodiscard]] std::optional<std::string> mended_entry(std::string_view text);

/// The numbers of the recognized metadata keys; empty if absent or not a number.
struct Measures {
  std::optional<double> response_time;
  std::optional<double> input_tokens;
  std::optional<double> output_tokens;
  std::optional<double> cost;
  bool operator==(const Measures&) const = default;
};
[[nodiscard]] Measures measures_of(const json::Value& metadata);

/// The fields of an entry in responses (entry_json), whether or not a body may set them.
inline constexpr std::array<std::string_view, 9> entry_fields{
    "id", "type", "role", "content", "name", "metadata", "createdAt", "turn", "history"};

/// The speaker, in the terms of logs and histories; `user` is the tester's side, `assistant` the chatbot's.
enum class LogRole : std::uint8_t { tester, user, chatbot, assistant };
template <>
struct Words<LogRole> {
  static constexpr std::array<std::string_view, 4> all{"tester", "user", "chatbot", "assistant"};
};

[[nodiscard]] constexpr bool is_testers(LogRole role) {
  return role == LogRole::tester || role == LogRole::user;
}

/// A message of a test's history (D108): recorded before the first turn.
struct HistoryMessage {
  EntryType type = EntryType::message;
  LogRole role = LogRole::chatbot;
  std::optional<std::string> content;
  std::optional<std::string> name;
  json::Text metadata;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("type", self.type, Rules{}, "message (default), tool, internal-event, public-event or action.");
    v.field("role", self.role, Rules{}, "tester or user, chatbot (default) or assistant.");
    v.field("content", self.content, Rules{.bytes_max = limits::history_bytes_max},
            "Text; required for a message.");
    v.field("name", self.name, Rules{.chars_max = limits::entry_name_chars_max, .never_empty = true},
            "Name of the tool, event or action; required for those.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max}, "Any JSON object.");
  }
  bool operator==(const HistoryMessage&) const = default;
};

/// Body of POST /test-results/{id}/conversation.
struct EntryBody {
  EntryType type = EntryType::message;
  std::optional<Role> role;
  std::optional<std::string> content;
  std::optional<std::string> name;
  std::optional<json::Text> metadata;
  std::optional<std::string> after;
  std::optional<std::string> before;
  bool end = false;

  static constexpr auto& shown_fields = entry_fields;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("type", self.type, Rules{}, "message (default), tool, internal-event, public-event or action.");
    v.field("role", self.role, Rules{}, "Who speaks; tester only in a manual session (isManual).");
    v.field("content", self.content, Rules{.bytes_max = limits::content_bytes_max},
            "Text; required for a message.");
    v.field("name", self.name, Rules{.chars_max = limits::entry_name_chars_max, .never_empty = true},
            "Name of the tool, event or action; required for those.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max},
            "Any JSON object up to 100 KB; an event may register actions under `actions`.");
    v.field("after", self.after, Rules{}, "Id of the entry to insert after; excludes `before`.");
    v.field("before", self.before, Rules{}, "Id of the entry to insert in front of; excludes `after`.");
    v.field("end", self.end, Rules{},
            "On a message of the chatbot: it ends the conversation (endReason agent_ended).");
  }
};

/// Body of PATCH /test-results/{id}/conversation/{message_id}.
struct EntryPatchBody {
  json::Text metadata;

  static constexpr auto& shown_fields = entry_fields;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("metadata", self.metadata, Rules{.required = true, .bytes_max = limits::metadata_bytes_max},
            "Keys to overwrite or add; the others are kept. `actions` cannot be changed.");
  }
};

}  // namespace parley
