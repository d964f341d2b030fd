#pragma once
/// The values of a turn by the names that templates use (D100). Pure; any thread.

#include <string>
#include <string_view>

#include "outbound/agents/agent_turn.hpp"

namespace parley::outbound {

/// The value as JSON; "null" for a value that the turn does not have, such as the action of a message turn.
[[nodiscard]] std::string template_value(const AgentTask& task, std::string_view name);

/// Whether a config uses the custom fields of the test. Otherwise, they are not read.
[[nodiscard]] bool requires_fields(const json::Text& config);

}  // namespace parley::outbound
