#pragma once
/// The runner of an exec agent on a server. It offers to play runs that others launch, for example on the page. Main
/// thread.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/exec/exec_runner.hpp"

namespace parley::client {

/// An exec agent of a suite.
struct NamedExec {
  ExecOptions options;
  std::string identifier;        ///< the name by which a server knows the agent
  std::int64_t concurrency = 0;  ///< 0: not set

  /// Returns the number of concurrent conversations.
  [[nodiscard]] std::int64_t workers() const { return concurrency > 0 ? concurrency : 4; }
};

/// Returns the body of POST /agents/local, which registers the agent as a LOCAL agent.
[[nodiscard]] std::string heartbeat_of(const NamedExec& agent);

/// Whether a `parley` command launched the run. That command drives the run's exec agents and waits for its end.
[[nodiscard]] bool is_of_command(const json::Value& run);

class OfferedWork {
 public:
  explicit OfferedWork(NamedExec agent) : agent_(std::move(agent)) {}

  /// Sends a heartbeat, which renews the leases, and starts the work that the server offers. Returns the id of the
  /// agent. Problem: from the server.
  [[nodiscard]] Expected<std::string> beat(Api& api);

 private:
  NamedExec agent_;
  std::set<std::string> seen_;  ///< result ids
  std::vector<std::unique_ptr<ExecRunner>> runners_;
};

}  // namespace parley::client
