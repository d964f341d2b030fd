#pragma once
/// Checks whether a workflow that GitHub starts can call back to the URL that it receives (D72, D74). Pure; any
/// thread.

#include <optional>
#include <string>

#include "outbound/agents/agent_config.hpp"

namespace parley::outbound {

/// The reason why another machine cannot call `base_url`, in a sentence that says what to do: its host is this
/// machine or no particular host, or its port is 0. nullopt if the URL may be reachable, and also if GitHub's
/// `apiUrl` is on this machine.
[[nodiscard]] std::optional<std::string> fault_of_callback(const std::string& base_url,
                                                           const GithubConfig& config);

}  // namespace parley::outbound
