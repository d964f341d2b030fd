#pragma once
/// What the config and the secrets of an agent must hold, by its type (D70, D71, D72). Pure; any thread.

#include "model/agent.hpp"
#include "model/record_parse.hpp"

namespace parley::http {

/// Adds a fault for an unknown type and for every key of `/config` that is missing or cannot be meant. Keys
/// that the type does not know are kept as given.
void check_agent_config(const Agent& agent, Findings& findings);

}  // namespace parley::http
