#pragma once
/// The shapes of a conversation in a row of chat data: a list of messages, pairs, exchanges, a question with its
/// answer, a prompt with a chosen answer. Each shape is converted to a list of messages for ChatReader. Pure.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

struct RowConversation {
  std::vector<Node> messages;
  std::set<std::string> keys;   ///< members of the row from which `messages` was built
  std::vector<Node> leftovers;  ///< members of pairs that are not one of the two texts
};

/// nullopt: the row has none of these shapes.
[[nodiscard]] std::optional<RowConversation> conversation_of(const Node& row);

/// A message with that role.
[[nodiscard]] Node text_message(std::string_view role, const Node& text);
/// Whether the node is a single message, that is, has a role.
[[nodiscard]] bool is_chat_message(const Node& node);
/// Whether the row belongs to a data set for chat training, not to a table of questions and answers.
[[nodiscard]] bool is_training_row(const Node& row);

}  // namespace parley::convert
