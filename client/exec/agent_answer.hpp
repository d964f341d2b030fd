#pragma once
/// Reads a command's answer to a turn, in the form of an HTTP agent (docs/agents.md#http). Pure; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/report/report.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// The entries of one answer, as bodies of `POST /test-results/{id}/conversation`, in the order of the events.
struct AgentAnswer {
  std::vector<std::string> entries;
};

/// The parsed `{"message"?, "tools"?, "events"?, "metadata"?, "end"?}`, or the fault: `not_json`, `wrong_shape` with
/// the place, or `empty_answer`.
struct AnswerOrFault {
  std::optional<AgentAnswer> answer;
  CaseFault fault;
};
[[nodiscard]] AnswerOrFault read_answer(std::string_view text, std::int64_t response_ms);
/// Records the plain text as the message.
[[nodiscard]] AgentAnswer plain_answer(std::string_view text, std::int64_t response_ms);

/// Replaces each secret of six bytes or more with `***`.
[[nodiscard]] std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace parley::client
