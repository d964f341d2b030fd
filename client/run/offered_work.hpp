#pragma once
/// The runner of an exec agent on a server: it offers to play what others launch, on the page for example. Main thread.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/exec/exec_runner.hpp"

namespace parley::client {

/// An exec agent of a suite.
struct NamedExec {
  ExecOptions options;
  std::string identifier;        ///< under which a server knows it
  std::int64_t concurrency = 0;  ///< 0: not set

  /// Concurrent conversations.
  [[nodiscard]] std::int64_t workers() const { return concurrency > 0 ? concurrency : 4; }
};

/// The body of POST /agents/local, which registers it as a LOCAL agent.
[[nodiscard]] std::string heartbeat_of(const NamedExec& agent);

/// Whether a `parley` command launched the run, and so drives its exec agents and waits for its end.
[[nodiscard]] bool is_of_command(const json::Value& run);

class OfferedWork {
 public:
  explicit OfferedWork(NamedExec agent) : agent_(std::move(agent)) {}

  /// A heartbeat: renews the leases, and starts what the server offers. The id of the agent. Problem: the server's.
  [[nodiscard]] Expected<std::string> beat(Api& api);

 private:
  NamedExec agent_;
  std::set<std::string> seen_;  ///< ids of results
  std::vector<std::unique_ptr<ExecRunner>> runners_;
};

}  // namespace parley::client
