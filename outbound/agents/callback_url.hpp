#pragma once
/// Whether a workflow that GitHub starts can call back to the URL that it is given (D72, D74). Pure; any
/// thread.

#include <optional>
#include <string>

#include "outbound/agents/agent_config.hpp"

namespace parley::outbound {

/// Why another machine cannot call `base_url`, in a sentence that says what to do: its host is this machine
/// or no particular host, or its port is 0. Empty if it may be reached, and also if GitHub's `apiUrl` is on
/// this machine.
[[nodiscard]] std::optional<std::string> fault_of_callback(const std::string& base_url,
                                                           const GithubConfig& config);

}  // namespace parley::outbound
