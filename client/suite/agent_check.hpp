#pragma once
/// The check of an agent's config, which the program passes in: the rules belong to the server's `outbound/`.

#include <functional>

#include "model/description/record_parse.hpp"
#include "model/records/agent.hpp"

namespace parley::client {

/// Adds a fault for each value of the config that the service would refuse (D70 to D72). Pointers begin with `/config/`.
using AgentCheck = std::function<void(const Agent&, Findings&)>;

}  // namespace parley::client
