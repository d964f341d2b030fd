#pragma once
/// The shapes in which a row of chat data has its conversation: a list of messages, pairs, exchanges, a question with its answer,
/// a prompt with a chosen answer. Each becomes a list of messages for the one reader of messages. Pure.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

struct RowConversation {
  std::vector<Node> messages;
  std::set<std::string> keys;   ///< members of the row that `messages` were made of
  std::vector<Node> leftovers;  ///< members of pairs other than the texts of both sides
};

/// nullopt: the row has no conversation in any of the shapes.
[[nodiscard]] std::optional<RowConversation> conversation_of(const Node& row);

/// A message of that role.
[[nodiscard]] Node text_message(std::string_view role, const Node& text);
/// Whether the node is one message: it has a role.
[[nodiscard]] bool is_chat_message(const Node& node);
/// Whether the row is of a data set for training chats, and not a table of questions and answers.
[[nodiscard]] bool is_training_row(const Node& row);

}  // namespace parley::convert
