#pragma once
/// Shapes in which frameworks wrap a message, a call or a tool definition. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The message without the wrapper of LangChain (`kwargs`) or of a coding agent (`message`).
[[nodiscard]] Node unwrapped_message(const Node& message);
/// The role in lowercase; a LangChain class name (`AIMessageChunk`) is shortened to its type (`ai`).
[[nodiscard]] std::string plain_role(std::string_view role);
/// The calls in a content, given as JSON or as a Python literal, possibly after other text. Empty: the content has
/// none.
[[nodiscard]] std::vector<Node> calls_in(const Node& content);
/// A tool definition, which LangChain's callbacks for Langfuse append to the messages as if it were a tool message.
[[nodiscard]] std::optional<Node> definition_in(const Node& content);

}  // namespace parley::convert
