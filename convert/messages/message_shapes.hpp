#pragma once
/// Shapes in which frameworks wrap a message, a call or a tool definition. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// Whether an item or content part of this type is a call.
[[nodiscard]] bool is_call_type(std::string_view type);
/// Whether it is a call of a tool that the service runs itself. The result, if there is one, is in the same item.
[[nodiscard]] bool is_service_call(std::string_view type);
/// Whether an item or content part of this type is a tool result. Anthropic has a type for each tool that it runs, such
/// as `web_search_tool_result`.
[[nodiscard]] bool is_result_type(std::string_view type);
/// The id by which a result refers to its call; empty: none.
[[nodiscard]] std::string call_id_of(const Node& call);

/// The message without the wrapper of LangChain (`kwargs`) or of a coding agent (`message`).
[[nodiscard]] Node unwrapped_message(const Node& message);
/// The role in lowercase; a LangChain class name (`AIMessageChunk`) is shortened to its type (`ai`).
[[nodiscard]] std::string plain_role(std::string_view role);
/// The calls in a content, given as JSON or as a Python literal, possibly after other text. Empty: the content has
/// none.
[[nodiscard]] std::vector<Node> calls_in(const Node& content);
/// The tool that a call names, and its arguments.
struct NamedCall {
  std::string name;                 ///< empty: the call names no tool
  const Node* arguments = nullptr;  ///< null pointer: none
};
/// Needs: the call outlives the result.
[[nodiscard]] NamedCall named_call(const Node& call);
/// A tool definition, which LangChain's callbacks for Langfuse append to the messages as if it were a tool message.
[[nodiscard]] std::optional<Node> definition_in(const Node& content);

}  // namespace parley::convert
