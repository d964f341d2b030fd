#pragma once
/// The Model Context Protocol over lines of JSON-RPC 2.0 (modelcontextprotocol.io, revision 2025-06-18): initialize, ping,
/// tools/list, tools/call. Notifications get no answer. Main thread.

#include <optional>
#include <string>
#include <string_view>

#include "client/mcp/tools.hpp"

namespace parley::client {

/// The longest line that is accepted. A longer line ends the session.
inline constexpr std::size_t mcp_line_bytes_max = 4 << 20;

class McpServer {
 public:
  McpServer(McpContext context, std::string version)
      : context_(std::move(context)), version_(std::move(version)) {}

  /// Returns the answer to one line, without the line end; nullopt for a notification.
  [[nodiscard]] std::optional<std::string> answer(std::string_view line);

 private:
  [[nodiscard]] std::string answer_request(const json::Value& request, std::string_view id);
  [[nodiscard]] std::string initialize(const json::Value& request) const;
  [[nodiscard]] std::string call_tool(const json::Value& request, std::string_view id);

  McpContext context_;
  std::string version_;
};

/// Answers lines until the input ends. Returns false if a line is too long or the output is closed.
[[nodiscard]] bool serve_mcp(McpServer& server, int input, int output);

}  // namespace parley::client
