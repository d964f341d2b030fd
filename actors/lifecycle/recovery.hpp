#pragma once
/// Finds from the records what a crash left unfinished. Decides on a snapshot, commits through the writer, and
/// runs on the main thread before the listener opens (I5).

#include "actors/base/handles.hpp"
#include "actors/lifecycle/supervisor.hpp"
#include "actors/result/crash_counts.hpp"

namespace parley::actors {

/// Counts the work in progress of the previous process, durably; returns how many results were set aside.
[[nodiscard]] Expected<std::size_t> count_crashes(Services& services, caf::scoped_actor& self,
                                                  const Writer& writer);
/// Commits one change set through the writer and waits for it.
[[nodiscard]] Expected<Done> commit_and_wait(caf::scoped_actor& self, const Writer& writer,
                                             store::ChangeSet changes);

/// The actors that continue what recovery found.
struct RecoveryTargets {
  ScoringPool scoring;
  Dispatcher dispatcher;
  Directory directory;
  ClaimChecks tracing;
};

/// Runs recovery; the successors have their work in their mailboxes when it returns.
[[nodiscard]] Expected<Recovered> recover_all(Services& services, caf::actor_system& system,
                                              const Writer& writer, const RecoveryTargets& successors);

}  // namespace parley::actors
