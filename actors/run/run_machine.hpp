#pragma once
/// The state machine of a run: (state, command, facts, moment) -> (state', saves, reply). Pure: counters and
/// generated cases are passed in as facts. The run actor carries out its decisions.
///
///   new --> pending --> running --(every expected case terminal, none live)--> completed
///    \________\___________\____ cancel ____> canceled (final, except for a retry if it was not canceled by hand)
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
  bool makes_results = false;  ///< the service creates the results, not the client (D43)
  bool is_served = false;      ///< the service creates the results of such an agent unless asked not to
  std::vector<ExpectedCase> expected;
  std::vector<NewResult> results;
};

struct RunDecision {
  bool saves_run = false;
  bool is_new = false;
  /// Saved with a run that is created or launched.
  std::optional<std::vector<ExpectedCase>> expected;
  std::optional<RunGroup> group;
  std::vector<NewResult> results;
  /// Cancels every live result in the same transaction (I45).
  bool cancels_live = false;
  /// The commit fails unless no result of the run is live at that time.
  bool needs_idle = false;
  /// The commit fails unless a result is still live: if the last one ends in the meantime, the run is
  /// completed and stays so (D44).
  bool needs_live = false;
  /// After the decision is saved, the claims of the run's results are checked.
  bool starts_detection = false;
  std::optional<Expected<RunReply>> reply;

  [[nodiscard]] bool saves() const { return saves_run || !results.empty(); }
};

/// POST /runs/. Needs: `state` holds the new run's id. `launch` holds its expected cases and, if it is launched immediately, the
/// results.
[[nodiscard]] RunDecision on(Run& state, const CreateRun& command, Launch launch,
                             const DecisionContext& moment);
/// `launch` is needed when the command launches the run.
[[nodiscard]] RunDecision on(Run& state, const PatchRun& command, const RunFacts& facts, Launch launch,
                             const DecisionContext& moment);
/// Refused if the run is finished according to its results, even if its record does not show that yet.
[[nodiscard]] RunDecision on(Run& state, const CancelRun& command, const RunFacts& facts,
                             const DecisionContext& moment);
/// Re-opens a run that is completed, even if only according to its results.
[[nodiscard]] RunDecision on(Run& state, const CreateResult& command, const RunFacts& facts,
                             const DecisionContext& moment);

[[nodiscard]] RunDecision on(Run& state, const DetectHallucinations& command, const DecisionContext& moment);
[[nodiscard]] RunDecision on(Run& state, const MoveDetection& command, const DecisionContext& moment);
/// A detection that a crash interrupted: it is restarted, or failed if that happened limits::attempts_max times
/// without progress (I10). Pure.
[[nodiscard]] Run detection_after_crash(const Run& run, Time now);
/// A detection that a requested shutdown interrupted: it is restarted, and nothing is counted. Pure.
[[nodiscard]] Run detection_after_stop(const Run& run, Time now);

[[nodiscard]] RunDecision on(Run& state, const ResultsMoved& event, const RunFacts& facts,
                             const DecisionContext& moment);
/// Like ResultsMoved, for a caller that waits for it; replies with the run after the change.
[[nodiscard]] RunDecision on(Run& state, const FollowResults& command, const RunFacts& facts,
                             const DecisionContext& moment);
/// The run status that its results imply, for a client that saw the results before the run's own record
/// followed (D44). What only a single result shows (may_have_started) is left to the run's actor.
[[nodiscard]] RunStatus followed_status(const Run& run, const RunFacts& facts);
/// True while the run's record does not match its results, or may not match them.
[[nodiscard]] bool is_behind(const Run& run, const RunFacts& facts);

/// The head of a new result. Creates `stamp.id`.
[[nodiscard]] NewResult new_result(const CreateResult& command, const DecisionContext& moment);

}  // namespace parley::actors
