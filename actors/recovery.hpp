#pragma once
/// What a crash leaves undone, found again from the records (design 1, "no outbox"). Decides on a snapshot, commits
/// through the writer, and runs on the main thread before the listener opens (I5).

#include "actors/handles.hpp"
#include "actors/supervisor.hpp"

namespace parley::actors {

/// A claim without a verdict that is to be tried again: with attempt + 1, or set aside as failed when it has crashed the
/// process limits::attempts_max times (I7, I10). Pure.
[[nodiscard]] ResultHead after_crash(const ResultHead& head, Time now);

/// Who goes on with what recovery found.
struct Successors {
  Scoring scoring;
  Dispatcher dispatcher;
  Directory directory;
  Tracing tracing;
};

/// Carries recovery out; the successors have their work in their mailboxes when it returns.
[[nodiscard]] Result<Recovered> recover_all(World& world, caf::actor_system& system, const Writer& writer,
                                            const Successors& successors);

}  // namespace parley::actors
