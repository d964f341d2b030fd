#pragma once
/// What a crash leaves undone, found again from the records (design 1, "no outbox"). Decides on a snapshot, commits
/// through the writer, and runs on the main thread before the listener opens (I5).

#include "actors/handles.hpp"
#include "actors/supervisor.hpp"

namespace parley::actors {

/// A claim without a verdict that is to be tried again: with attempt + 1, or set aside as failed when it has crashed the
/// process limits::attempts_max times (I7, I10). Pure.
/// `process` is the one that tries it.
[[nodiscard]] ResultHead after_crash(const ResultHead& head, Time now, std::int64_t process = 0);
/// The same claim where `process` was asked to stop and did: the attempt that it raised counts for nothing (D51a). Pure.
[[nodiscard]] ResultHead after_stop(const ResultHead& head, std::int64_t process);

/// A conversation that the service drives, after the end of a process that was working at it: counted, or set aside as
/// failed when that happened limits::attempts_max times without an entry in between (I10). Unchanged where that end was
/// counted before. `entries`: recorded so far. Pure.
[[nodiscard]] ResultHead after_driving_crash(const ResultHead& head, std::uint32_t entries,
                                             std::int64_t process, Time now);
/// True for one that was counted and has recorded nothing since: it is driven behind all others.
[[nodiscard]] bool is_suspect(const ResultHead& head, std::uint32_t entries);
/// Counts what the process before this one was working at, durably; answers how many were set aside.
[[nodiscard]] Result<std::size_t> count_driving_crashes(World& world, caf::scoped_actor& self,
                                                        const Writer& writer);
/// One change set through the writer, waited for.
[[nodiscard]] Result<Done> commit_and_wait(caf::scoped_actor& self, const Writer& writer,
                                           store::ChangeSet changes);

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
