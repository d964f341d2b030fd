#pragma once
/// Converts inputs and outputs of model calls, as all frameworks record them, to lists of chat messages. Pure.

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The input of a call: a list of messages, a prompt, or a state with `messages`. Empty: the format is unknown.
[[nodiscard]] std::vector<Node> input_messages(const Node& input);
/// The output of a call: a message, choices, generations, items or calls.
[[nodiscard]] std::vector<Node> output_messages(const Node& output);

/// The member, parsed if it is a string that contains JSON. Content stays a text unless it is a list of parts.
[[nodiscard]] Node opened_member(const Node& member);
/// A message with that role.
[[nodiscard]] Node message_node(std::string_view role, const Node& content);

}  // namespace parley::convert
