#pragma once
/// The tools that `parley mcp` offers to a coding agent. Each reads its arguments, asks the server, and answers with text.
/// Main thread.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "client/remote/api.hpp"

namespace parley::client {

/// The environment of the tools.
struct McpContext {
  Api& api;
  /// Called once a run exists; drives agents that are commands. Null: the session drives none.
  std::function<Expected<Done>(const std::string& run, const std::string& agent)> started = nullptr;
};

struct McpTool {
  std::string_view name;
  std::string_view description;
  std::string_view input_schema;  ///< JSON Schema of the arguments
  bool is_read_only = true;
  /// The text for the model. Problem: the error of the server or of the arguments; the model reads it as an error.
  Expected<std::string> (*call)(const McpContext& context, const json::Value& arguments) = nullptr;
};

[[nodiscard]] std::span<const McpTool> mcp_tools();
[[nodiscard]] const McpTool* find_mcp_tool(std::string_view name);

}  // namespace parley::client
