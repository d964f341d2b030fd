#pragma once
/// Shapes in which frameworks wrap a message, a call or the definition of a tool. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The message without the wrapper of LangChain (`kwargs`) or of a coding agent (`message`).
[[nodiscard]] Node unwrapped_message(const Node& message);
/// The role in lower case; the name of a class of LangChain (`AIMessageChunk`) as its type (`ai`).
[[nodiscard]] std::string plain_role(std::string_view role);
/// The calls that a content has as JSON or as a literal of Python, also after other words. Empty: it has none.
[[nodiscard]] std::vector<Node> calls_in(const Node& content);
/// The definition of a tool, which LangChain's callbacks of Langfuse append to the messages as if a tool said it.
[[nodiscard]] std::optional<Node> definition_in(const Node& content);

}  // namespace parley::convert
