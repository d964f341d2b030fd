#pragma once
/// Reads from one snapshot what the run machine needs: counters as facts, and the cases of a launch (D43,
/// D44). Called by the run actor and by recovery. Problem: internal if a needed record is lost, because a run
/// of the remaining records would be a different run (I13).

#include "actors/base/load_run_facts.hpp"
#include "actors/run/run_machine.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// The expected cases of the run: its scenario's enabled, unarchived tests times repetitions, or those that
/// testConfigs lists.
[[nodiscard]] Expected<std::vector<ExpectedCase>> expected_cases(const store::Snapshot& snapshot,
                                                                 const Run& run);

/// Expected cases and, if the service creates them (D43), the results. Problem: 400 for more than
/// limits::cases_max cases, for more than limits::launch_bytes_max in total, or for one that cannot be
/// generated; 409 for a disabled or archived agent.
[[nodiscard]] Expected<Launch> prepare_launch(const store::Snapshot& snapshot, const Run& run,
                                              const DecisionContext& moment);

/// The run's testConfigs with one test each: tags are replaced by the scenario's enabled tests that have one
/// of them.
[[nodiscard]] Expected<std::vector<TestConfig>> resolved_configs(const store::Snapshot& snapshot,
                                                                 const Run& run);

/// Whether the service creates the results of the run's agent at the launch, unless the client asks it not to
/// (D43).
[[nodiscard]] Expected<bool> is_served(const store::Snapshot& snapshot, const Run& run);

}  // namespace parley::actors
