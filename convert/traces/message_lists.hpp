#pragma once
/// Inputs and outputs of model calls, as every framework records them, as lists of chat messages. Pure.

#include "convert/reading/node.hpp"

namespace parley::convert {

/// What went into the call: a list of messages, a prompt, a state with `messages`. Empty: nothing is known.
[[nodiscard]] std::vector<Node> input_messages(const Node& input);
/// What came out: a message, choices, generations, items, calls.
[[nodiscard]] std::vector<Node> output_messages(const Node& output);

/// A value that may be JSON in a string. Content is a text unless it is a list of parts.
[[nodiscard]] Node opened_member(const Node& member);
/// A message of that role.
[[nodiscard]] Node message_node(std::string_view role, const Node& content);

}  // namespace parley::convert
