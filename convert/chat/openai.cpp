#include "convert/chat/openai.hpp"

#include <algorithm>

#include "convert/chat/row_shapes.hpp"
#include "convert/chat/row_test.hpp"
#include "convert/chat/session_rows.hpp"
#include "convert/chat/single_messages.hpp"
#include "convert/chat/stored_calls.hpp"
#include "convert/messages/chat_reader.hpp"
#include "convert/messages/rows.hpp"

namespace parley::convert {
namespace {

/// Reads one row of any shape into a log.
class Row {
 public:
  Row(Conversion& conversion, const Source& source, const Node& row)
      : conversion_(conversion), source_(source), row_(row), reader_(conversion, source, log_) {}

  /// False: the row has no conversation, and a fault was added.
  bool read() {
    log_.id = row_.text_of("id");
    for (const std::string_view key : {"conversation_id", "custom_id"}) {
      if (log_.id.empty()) log_.id = row_.text_of(key);
    }
    reader_.set_log_name(conversion_.log_name(log_.id));
    if (!read_messages()) return false;
    read_about();
    return true;
  }

  void finish() {
    const At at{source_, row_.place};
    if (!reader_.has_entries()) {
      conversion_.report.add(source_, row_.place,
                             {.kind = ItemKind::log,
                              .outcome = Outcome::not_mapped,
                              .source = "conversation",
                              .why = "it contains no messages"});
      return;
    }
    if (conversion_.options.as == "tests") {
      add_row_test(conversion_, log_, at);
    } else {
      conversion_.finish_log(std::move(log_), at);
    }
  }

 private:
  bool read_messages() {
    auto conversation = conversation_of(row_);
    if (!conversation) {
      conversion_.faults.add(source_, row_.place,
                             "the row has no \"messages\", \"conversation\" or \"query\"");
      return false;
    }
    reader_.add_all(conversation->messages);
    for (const Node& each : conversation->leftovers) lost(each, 1, "a log cannot hold it");
    read_keys_ = std::move(conversation->keys);
    return true;
  }

  /// Reads the other members of the row. Known keys become metadata; all others are reported.
  void read_about() {
    for (const Node& member : row_.items) {
      const std::string& key = member.key;
      if (!row_.is_map() || member.is_null() || is_conversation(key)) continue;
      if (key == "tools" || key == "functions" || key == "tool_definitions") {
        set_member(log_.metadata, "tools", to_json(opened(member)));
      } else if (key == "parallel_tool_calls" || key == "ground_truth") {
        set_member(log_.metadata, key, to_json(member));
      } else if (key == "system" || key == "system_prompt") {
        set_member(log_.metadata, "system", to_json(member));
      } else if ((key == "images" || key == "videos" || key == "audios") && member.is_list()) {
        lost(member, std::max<std::size_t>(1, member.items.size()), "only text is kept");
      } else if (key == "metadata" && member.is_map()) {
        for (const Node& each : member.items) set_member(log_.metadata, each.key, to_json(each));
      } else {
        lost(member, 1, "a log cannot hold it");
      }
    }
  }

  void lost(const Node& member, std::size_t count, const std::string& why) {
    conversion_.report.add(source_, member.place,
                           {.outcome = Outcome::not_mapped,
                            .source = member.key,
                            .text = as_text(member),
                            .log = conversion_.log_name(log_.id),
                            .why = why,
                            .count = count});
  }

  [[nodiscard]] bool is_conversation(const std::string& key) const {
    return key == "id" || key == "conversation_id" || key == "custom_id" || read_keys_.contains(key);
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& row_;
  LogDraft log_;
  ChatReader reader_;
  std::set<std::string> read_keys_;
};

bool is_sharegpt(const Node& row) {
  const std::vector<Node>& turns = row.list_of("conversations");
  return !turns.empty() && turns.front().find("from") != nullptr;
}

void import_row(Conversion& conversion, const Source& source, const Node& node) {
  const bool is_list = node.is_list() && !node.items.empty() && is_chat_message(node.items.front());
  if (!node.is_map() && !is_list)
    return conversion.faults.add(source, node.place,
                                 "a row must be an object with the messages of a conversation");
  if (conversion.options.format == "openai-jsonl" && is_sharegpt(node)) {
    return conversion.faults.add(
        source, node.place,
        "\"conversations\" with \"from\" and \"value\" are ShareGPT's; use --from sharegpt");
  }
  Row row(conversion, source, node);
  if (row.read()) row.finish();
}

/// Whether the row is a single message, so that the file contains one conversation.
bool is_single_message(const Node& row) {
  return row.is_map() && is_chat_message(row) && !conversation_of(row);
}

/// Whether the row is a session event without a conversation of its own. Not every such row names the session.
bool is_event(const Node& row, const Session& session) {
  const bool is_later = !session.empty() && !row.text_of("type").empty();
  return (is_later || is_session_row(row)) && !conversation_of(row);
}

void import_rows(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const std::size_t before = conversion.totals.logs + conversion.totals.tests;
    SingleMessages singles;
    Session session(conversion, source);
    bool has_rows = false;
    for_each_row(conversion, source, [&](const Node& node) {
      if (!has_rows && is_single_message(node)) return singles.add(node);
      if (!has_rows && is_event(node, session)) return session.add(node);
      has_rows = true;
      import_row(conversion, source, node);
    });
    for (const Node& row : singles.rows())
      import_row(conversion, source, has_rows ? row.list_of("messages").front() : row);
    if (!session.empty()) import_row(conversion, source, session.row());
    if (conversion.faults.empty() && conversion.totals.logs + conversion.totals.tests == before) {
      conversion.faults.add(source, {1, 1},
                            "no row has a message of a user or an assistant; is the format \"" +
                                conversion.options.format + "\"?");
    }
  });
}

}  // namespace

void import_openai_jsonl(Conversion& conversion) {
  import_rows(conversion);
}

void import_sharegpt(Conversion& conversion) {
  import_rows(conversion);
}

int looks_like_openai_jsonl(const std::string& /*path*/, std::string_view text, const Node* head) {
  if (head == nullptr) return 0;
  const Node& row = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  if (is_session_row(row) && !conversation_of(row) && text.find("\"role\"") != std::string_view::npos)
    return 60;
  if (row.find("scores") == nullptr && (is_training_row(row) || stored_call(row))) return 60;
  const Node& message = row.is_list() && !row.items.empty() ? row.items.front() : row;
  if (message.find("role") != nullptr && message.first_of({"content", "parts"}) != nullptr) return 55;
  return row.find("query") != nullptr && row.find("response") != nullptr ? 50 : 0;
}

int looks_like_sharegpt(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  const Node& row = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  return is_sharegpt(row) ? 70 : 0;
}

}  // namespace parley::convert
