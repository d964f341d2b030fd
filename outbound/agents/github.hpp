#pragma once
/// Starts the workflow that drives the results of a GITHUB agent (D72). Pure; any thread.

#include <span>

#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

inline constexpr std::size_t github_ids_max = 500;  ///< in one dispatch; GitHub limits inputs to 64 KB

/// One dispatch, for results of one run.
struct GithubDispatch {
  std::optional<Id> run;  ///< results without a run are sent with an empty run_id
  std::span<const Id> results;
  std::string base_url;  ///< the URL where the workflow reaches the service
};

/// Needs: at most github_ids_max results. Uses the secret `token`. Fault: `invalid_secret` if it is missing or
/// cannot be sent in a header.
[[nodiscard]] std::variant<HttpRequest, AgentFault> github_request(const GithubConfig& config,
                                                                   const Secrets& secrets,
                                                                   const GithubDispatch& dispatch);

/// Looks up the workflow without starting it (D74).
[[nodiscard]] std::variant<HttpRequest, AgentFault> github_check_request(const GithubConfig& config,
                                                                         const Secrets& secrets);

/// nullopt for a 2xx, else the fault of the results, without secrets (D23).
[[nodiscard]] std::optional<AgentFault> read_github(const HttpAnswer& answer, const Secrets& secrets = {});

}  // namespace parley::outbound
