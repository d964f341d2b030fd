#include "convert/chat/single_messages.hpp"

namespace parley::convert {
namespace {

std::string conversation_id_of(const Node& message) {
  for (const std::string_view key :
       {"conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "threadId", "chat_id"}) {
    std::string id = message.text_of(key);
    if (!id.empty()) return id;
  }
  return {};
}

}  // namespace

void SingleMessages::add(const Node& message) {
  const std::string id = conversation_id_of(message);
  const auto [place, is_new] = places_.try_emplace(id, conversations_.size());
  if (is_new) conversations_.push_back({id, {}});
  conversations_[place->second].messages.push_back(message);
}

std::vector<Node> SingleMessages::rows() const {
  std::vector<Node> rows;
  for (const Conversation& each : conversations_) {
    const Place place = each.messages.front().place;
    Node list = holder_node(Node::Kind::list, "messages", place);
    list.items = each.messages;
    Node row = holder_node(Node::Kind::map, "", place);
    if (!each.id.empty()) row.items.push_back(text_node("id", each.id, place));
    row.items.push_back(std::move(list));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace parley::convert
