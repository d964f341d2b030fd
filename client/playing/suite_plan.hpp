#pragma once
/// What a command plays of each suite. All of it is decided before the first conversation, because a name such as
/// `last` must not refer to a run of this command. Main thread.

#include <optional>
#include <span>
#include <vector>

#include "client/commands/gate_options.hpp"
#include "client/playing/run_options.hpp"
#include "client/run/suite_records.hpp"
#include "client/verbs/sessions.hpp"

namespace parley::client {

struct PlannedSuite {
  const CompiledSuite& suite;
  SuiteRecords records;
  std::vector<ChosenCell> cells;
  GateRules rules;
  std::string baseline;  ///< id of a run, `last-green` or a file; empty: no baseline
};

struct SuitePlan {
  std::vector<PlannedSuite> suites;  ///< omits suites without a selected test, unless --allow-empty
  std::optional<int> exit;           ///< the exit code if the command cannot play; the reason was printed
};

/// Applies the files, selects the tests and resolves the baselines. The suites must outlive the plan.
[[nodiscard]] SuitePlan plan_suites(const Invocation& call, const RunOptions& options, OpenSession& open,
                                    std::span<const CompiledSuite> suites);
/// Applies the files to a local server. A shared server is only compared with the files, unless --apply is given.
[[nodiscard]] Expected<Done> put_records(const Invocation& call, OpenSession& open,
                                         const CompiledSuite& suite);

}  // namespace parley::client
