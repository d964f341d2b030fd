#include "convert/chat/openai.hpp"

#include <algorithm>

#include "convert/chat/row_test.hpp"
#include "convert/messages/chat_reader.hpp"
#include "convert/messages/rows.hpp"

namespace parley::convert {
namespace {

bool is_message(const Node& node) {
  return node.is_map() && (node.find("role") != nullptr || node.find("from") != nullptr);
}

bool is_message_list(const Node* node) {
  return node != nullptr && node->is_list() && !node->items.empty() && is_message(node->items.front());
}

bool is_exchange(const Node& node) {
  return node.is_list() && node.items.size() == 2 && node.items[0].is_text() && node.items[1].is_text();
}

Node text_message(std::string_view role, const Node& text) {
  Node message = holder_node(Node::Kind::map, "", text.place);
  message.items = {text_node("role", std::string(role), text.place), renamed(text, "content")};
  return message;
}

/// Reads one row of any of the shapes into a log.
class Row {
 public:
  Row(Conversion& conversion, const Source& source, const Node& row)
      : conversion_(conversion), source_(source), row_(row), reader_(conversion, source, log_) {}

  /// False: the row has no conversation, and a fault was added.
  bool read() {
    log_.id = row_.text_of("id");
    if (log_.id.empty()) log_.id = row_.text_of("conversation_id");
    reader_.set_log_name(conversion_.external_id(log_.id));
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
                              .why = "no one says anything in it"});
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
    if (is_message_list(&row_)) {
      reader_.add_all(row_.items);
      return true;
    }
    if (const Node* messages = messages_of(row_)) {
      reader_.add_all(messages->items);
      add_side("assistant", row_.find("chosen"));
      return true;
    }
    if (row_.find("query") != nullptr || row_.find("response") != nullptr) {
      add_history();
      add_side("user", row_.find("query"));
      add_side("assistant", row_.find("response"));
      return true;
    }
    if (row_.find("prompt") != nullptr && row_.find("completion") != nullptr) {
      add_side("user", row_.find("prompt"));
      add_side("assistant", row_.find("completion"));
      return true;
    }
    conversation_key_ = "input";
    if (const Node* input = row_.find("input"); input != nullptr && messages_of(*input) != nullptr) {
      reader_.add_all(messages_of(*input)->items);
      add_side("assistant", row_.find("preferred_output"));
      return true;
    }
    conversion_.faults.add(source_, row_.place, "the row has no \"messages\", \"conversation\" or \"query\"");
    return false;
  }

  [[nodiscard]] static const Node* messages_of(const Node& node) {
    for (const std::string_view key : {"messages", "conversations", "conversation"}) {
      const Node* found = node.find(key);
      if (found != nullptr && found->is_list()) return found;
      if (found != nullptr && found->is_map()) return messages_of(*found);
    }
    return nullptr;
  }

  /// The exchanges before the query, `[["question", "answer"], ...]`.
  void add_history() {
    const Node* history = row_.find("history");
    has_history_ = history != nullptr && history->is_list() &&
                   std::all_of(history->items.begin(), history->items.end(), is_exchange);
    if (!has_history_) return;
    for (const Node& each : history->items) {
      add_side("user", &each.items[0]);
      add_side("assistant", &each.items[1]);
    }
  }

  void add_side(std::string_view role, const Node* side) {
    if (side == nullptr) return;
    const Node inner = opened(*side);
    if (is_message_list(&inner)) {
      reader_.add_all(inner.items);
    } else if (is_message(inner)) {
      reader_.add(inner);
    } else {
      reader_.add(text_message(role, *side));
    }
  }

  /// The rest of the row: what the tables name becomes metadata, everything else is reported.
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
        lost(member, std::max<std::size_t>(1, member.items.size()), "only texts are kept");
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
                            .log = conversion_.external_id(log_.id),
                            .why = why,
                            .count = count});
  }

  [[nodiscard]] bool is_conversation(const std::string& key) const {
    constexpr std::array<std::string_view, 9> known{
        "id",    "conversation_id", "messages",   "conversations",   "conversation",
        "query", "response",        "completion", "preferred_output"};
    if (std::find(known.begin(), known.end(), key) != known.end()) return true;
    if (key == "history") return has_history_;
    if (key == "chosen") return messages_of(row_) != nullptr;
    return key == "prompt" ? row_.find("completion") != nullptr : key == conversation_key_;
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& row_;
  LogDraft log_;
  ChatReader reader_;
  std::string conversation_key_;
  bool has_history_ = false;
};

bool is_sharegpt(const Node& row) {
  const std::vector<Node>& turns = row.list_of("conversations");
  return !turns.empty() && turns.front().find("from") != nullptr;
}

void import_rows(Conversion& conversion) {
  const bool is_openai = conversion.options.format == "openai-jsonl";
  for_each_source(conversion, [&](const Source& source) {
    for_each_row(conversion, source, [&](const Node& node) {
      if (!node.is_map() && !is_message_list(&node)) {
        conversion.faults.add(source, node.place,
                              "a row must be an object with the messages of a conversation");
        return;
      }
      if (is_openai && is_sharegpt(node)) {
        conversion.faults.add(
            source, node.place,
            "\"conversations\" with \"from\" and \"value\" are ShareGPT's; use --from sharegpt");
        return;
      }
      Row row(conversion, source, node);
      if (row.read()) row.finish();
    });
  });
}

}  // namespace

void import_openai_jsonl(Conversion& conversion) {
  import_rows(conversion);
}

void import_sharegpt(Conversion& conversion) {
  import_rows(conversion);
}

int looks_like_openai_jsonl(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  const Node& row = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  if (is_message_list(row.find("messages")) && row.find("scores") == nullptr) return 60;
  const Node* conversation = row.find("conversation");
  if (conversation != nullptr && is_message_list(conversation->find("messages"))) return 60;
  return row.find("query") != nullptr && row.find("response") != nullptr ? 50 : 0;
}

int looks_like_sharegpt(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  const Node& row = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  return is_sharegpt(row) ? 70 : 0;
}

}  // namespace parley::convert
