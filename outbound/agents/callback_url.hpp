#pragma once
/// Whether a workflow that GitHub starts can call back at the URL that it is told (D72, D74). Pure; any thread.

#include <optional>
#include <string>

#include "outbound/agents/agent_config.hpp"

namespace parley::outbound {

/// Why nobody on another machine can call `base_url`, in a sentence that says what to do: its host is this machine, no host in
/// particular, or its port is 0. Nothing where it may be reached, and where GitHub's `apiUrl` is on this machine, too.
[[nodiscard]] std::optional<std::string> fault_of_callback(const std::string& base_url,
                                                           const GithubConfig& config);

}  // namespace parley::outbound
