#pragma once
/// The state machine of a run: (state, command, facts, moment) -> (state', saves, reply). Pure: counters and generated
/// cases come in as facts. The run actor carries out what it decides.
///
///   new --> pending --> running --(every expected case terminal, none live)--> completed
///    \________\___________\____ cancel ____> canceled (final, but for a retry where it was not canceled by hand)
///                          \___ client's word ____> failed
///   completed --(a result is posted or retried)--> running
///
/// Invariant: a run never becomes completed while one of its results is live; the change set carries that guard (I44).

#include "actors/base/run_facts.hpp"
#include "actors/commands.hpp"
#include "actors/events.hpp"
#include "actors/result/result_machine.hpp"
#include "model/records/named_records.hpp"

namespace parley::actors {

/// The cases of a launch, created from a snapshot: what is expected, and the results to create if the service
/// creates them.
struct Launch {
  bool makes_results = false;  ///< by the service, not by the client (D43)
  bool is_served = false;      ///< the service creates the results of such an agent unless it is asked not to
  std::vector<ExpectedCase> expected;
  std::vector<NewResult> results;
};

struct RunDecision {
  bool saves_run = false;
  bool is_new = false;
  /// Written with a run that is created or launched.
  std::optional<std::vector<ExpectedCase>> expected;
  std::optional<RunGroup> group;
  std::vector<NewResult> results;
  /// Cancel every live result in the same transaction (I45).
  bool cancels_live = false;
  /// The commit fails unless no result of the run is live then.
  bool needs_idle = false;
  /// The commit fails unless one is still: where the last one ends meanwhile its run is completed, and stays so (D44).
  bool needs_live = false;
  /// Once it is saved: the claims of the run's results are traced.
  bool starts_detection = false;
  std::optional<Expected<RunReply>> reply;

  [[nodiscard]] bool saves() const { return saves_run || !results.empty(); }
};

/// POST /runs/. Needs: `state` holds the new run's id. `launch` holds its expected cases and, where it is launched at once, the results.
[[nodiscard]] RunDecision on(Run& state, const CreateRun& command, Launch launch,
                             const DecisionContext& moment);
/// `launch` is needed when the command launches the run.
[[nodiscard]] RunDecision on(Run& state, const PatchRun& command, const RunFacts& facts, Launch launch,
                             const DecisionContext& moment);
/// Refused where the results make the run finished, though its record does not say so yet.
[[nodiscard]] RunDecision on(Run& state, const CancelRun& command, const RunFacts& facts,
                             const DecisionContext& moment);
/// Re-opens a run that is completed, be it by its results only.
[[nodiscard]] RunDecision on(Run& state, const CreateResult& command, const RunFacts& facts,
                             const DecisionContext& moment);

[[nodiscard]] RunDecision on(Run& state, const DetectHallucinations& command, const DecisionContext& moment);
[[nodiscard]] RunDecision on(Run& state, const MoveDetection& command, const DecisionContext& moment);
/// A detection that a crash cut short: to be begun again, or failed when that happened limits::attempts_max times
/// without its getting any further (I10). Pure.
[[nodiscard]] Run detection_after_crash(const Run& run, Time now);
/// One that an asked-for stop cut short: to be begun again, and nothing is counted. Pure.
[[nodiscard]] Run detection_after_stop(const Run& run, Time now);

[[nodiscard]] RunDecision on(Run& state, const ResultsMoved& event, const RunFacts& facts,
                             const DecisionContext& moment);
/// The same for a caller who waits for it; answers with the run as it is then.
[[nodiscard]] RunDecision on(Run& state, const FollowResults& command, const RunFacts& facts,
                             const DecisionContext& moment);
/// The status that its results imply for the run, for a client that saw them before the run's own record
/// followed (D44). What only a single result shows (may_have_started) is left to the run's actor.
[[nodiscard]] RunStatus followed_status(const Run& run, const RunFacts& facts);
/// True while the run is not yet what its results make of it, or may not be.
[[nodiscard]] bool is_behind(const Run& run, const RunFacts& facts);

/// The head of a new result. `stamp.id` is made here.
[[nodiscard]] NewResult new_result(const CreateResult& command, const DecisionContext& moment);

}  // namespace parley::actors
