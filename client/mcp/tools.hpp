#pragma once
/// The tools that `parley mcp` offers to a coding agent. Each tool reads its arguments, calls the server and answers
/// with text. Main thread.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "client/remote/api.hpp"

namespace parley::client {

/// The environment of the tools.
struct McpContext {
  Api& api;
  /// Called after a run was created, to drive an exec agent. Null: the session drives no agents.
  std::function<Expected<Done>(const std::string& run, const std::string& agent)> started = nullptr;
};

struct McpTool {
  std::string_view name;
  std::string_view description;
  std::string_view input_schema;  ///< JSON Schema of the arguments
  bool is_read_only = true;
  /// Returns the text for the model. Problem: an error of the server or of the arguments, which the model receives as
  /// a tool error.
  Expected<std::string> (*call)(const McpContext& context, const json::Value& arguments) = nullptr;
};

[[nodiscard]] std::span<const McpTool> mcp_tools();
[[nodiscard]] const McpTool* find_mcp_tool(std::string_view name);

}  // namespace parley::client
