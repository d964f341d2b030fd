#pragma once
/// Reads from one snapshot what the run machine needs: counters as facts, and the cases of a launch (D43, D44).
/// Called by the run actor and by recovery. Problem: internal where a record that is needed is lost: the run of what is left
/// would be another one (I13).

#include "actors/run/run_machine.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// Costs the same for ten results and ten thousand.
[[nodiscard]] Expected<RunFacts> load_facts(const store::Snapshot& snapshot, const Run& run);

/// Whether a result of the run ever ran, whatever it is now: failed, canceled, or replaced by a retry (D40).
/// Reads the results one by one, so it is used only without their messages: at a start, and once for each run
/// actor.
[[nodiscard]] Expected<bool> has_run_before(const store::Snapshot& snapshot, const Id& run);

/// The facts for a reader without the results' messages: they are read if the counters do not show whether a
/// result has started.
[[nodiscard]] Expected<RunFacts> load_all_facts(const store::Snapshot& snapshot, const Run& run);

/// The expected cases of the run: its scenario's enabled, unarchived tests times repetitions, or what testConfigs lists.
[[nodiscard]] Expected<std::vector<ExpectedCase>> expected_cases(const store::Snapshot& snapshot,
                                                                 const Run& run);

/// Expected cases and, where the service creates them (D43), the results. Problem: 400 for more than
/// limits::cases_max cases, for more than limits::launch_bytes_max of them or one that cannot be generated; 409 for a disabled or archived agent.
[[nodiscard]] Expected<Launch> prepare_launch(const store::Snapshot& snapshot, const Run& run,
                                              const DecisionContext& moment);

}  // namespace parley::actors
