#include "convert/chat/session_rows.hpp"

#include <utility>

namespace parley::convert {
namespace {

bool is_set(const Node& row, std::string_view key) {
  const Node* found = row.find(key);
  return found != nullptr && found->flag;
}

/// Codex: the event of a row is in `payload`.
const Node* payload_of(const Node& row) {
  const Node* payload = row.find("payload");
  return payload != nullptr && payload->is_map() && row.has("timestamp") ? payload : nullptr;
}

/// The message, call or result of a row; null if the row is about the session.
const Node* message_of(const Node& row) {
  if (const Node* payload = payload_of(row))
    return row.text_of("type") == "response_item" ? payload : nullptr;
  const Node* message = row.find("message");
  return message != nullptr && message->find("role") != nullptr ? message : nullptr;
}

}  // namespace

bool is_session_row(const Node& row) {
  if (row.text_of("type").empty() || row.find("role") != nullptr || row.find("messages") != nullptr)
    return false;
  return payload_of(row) != nullptr || message_of(row) != nullptr ||
         row.first_of({"sessionId", "session_id", "parentUuid", "leafUuid"}) != nullptr;
}

void Session::add(const Node& row) {
  is_found_ = true;
  const std::string type = row.text_of("type");
  const Node* payload = payload_of(row);
  for (const std::string_view key : {"sessionId", "session_id"}) {
    if (id_.empty()) id_ = row.text_of(key);
  }
  if (id_.empty() && payload != nullptr && type == "session_meta") id_ = payload->text_of("id");
  const Node* message = message_of(row);
  if (message == nullptr) return ignore(type, row);
  if (is_set(row, "isSidechain")) return ignore("isSidechain", row);  // a subagent's message
  if (is_set(row, "isMeta")) return ignore("isMeta", row);            // not written by the user
  messages_.push_back(*message);
}

void Session::ignore(const std::string& what, const Node& row) {
  Others& others = others_.try_emplace(what, Others{row.place, 0}).first->second;
  ++others.count;
}

Node Session::row() {
  const Place place = messages_.empty() ? Place{1, 1} : messages_.front().place;
  Node row = holder_node(Node::Kind::map, "", place);
  if (!id_.empty()) row.items.push_back(text_node("id", id_, place));
  Node list = holder_node(Node::Kind::list, "messages", place);
  list.items = std::move(messages_);
  row.items.push_back(std::move(list));
  for (const auto& [what, others] : others_) {
    conversion_.report.add(source_, others.place,
                           {.outcome = Outcome::ignored,
                            .source = what,
                            .text = "rows that are not messages of the conversation",
                            .log = conversion_.log_name(id_),
                            .count = others.count});
  }
  return row;
}

}  // namespace parley::convert
