#pragma once
/// Exec agents of the project's suite, by name, for commands that talk to one of them. Main thread.

#include <string>

#include "client/exec/exec_agent.hpp"
#include "client/verbs/verb.hpp"
#include "model/expected.hpp"

namespace parley::client {

struct NamedExec {
  ExecOptions options;
  std::string identifier;        ///< under which a server knows it
  std::int64_t concurrency = 0;  ///< 0: not set
};

/// Problem: the suite is invalid, or has no such agent.
[[nodiscard]] Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name);

/// The body of POST /agents/local, which registers it as a LOCAL agent.
[[nodiscard]] std::string heartbeat_of(const NamedExec& agent);

}  // namespace parley::client
