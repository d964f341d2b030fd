#pragma once
/// Starts the workflow that drives the results of a GITHUB agent (D72). Pure; any thread.

#include <span>

#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

inline constexpr std::size_t github_ids_max =
    500;  ///< of one dispatch; inputs are bounded by GitHub at 64 KB

/// One dispatch: results of one run.
struct GithubDispatch {
  std::optional<Id> run;  ///< results without a run are sent with an empty run_id
  std::span<const Id> results;
  std::string base_url;  ///< where the workflow reaches the service
};

/// Needs: at most github_ids_max results. Secret `token`; fault `invalid_secret` if it is missing or no header can
/// carry it.
[[nodiscard]] std::variant<HttpRequest, AgentFault> github_request(const GithubConfig& config,
                                                                   const Secrets& secrets,
                                                                   const GithubDispatch& dispatch);

/// Looks the workflow up without starting it (D74).
[[nodiscard]] std::variant<HttpRequest, AgentFault> github_check_request(const GithubConfig& config,
                                                                         const Secrets& secrets);

/// nullopt for a 2xx, else why the results fail, without repeating a secret (D23).
[[nodiscard]] std::optional<AgentFault> read_github(const HttpAnswer& answer, const Secrets& secrets = {});

}  // namespace parley::outbound
