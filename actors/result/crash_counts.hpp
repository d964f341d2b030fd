#pragma once
/// Counts the crashes and failed attempts of one result, and sets it aside after the third (I10, D51a). Pure, except for
/// progress_of, which reads a snapshot.

#include "model/records/test_result.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// A claim without a verdict that must be scored again: its attempt is raised, so that a late verdict of the
/// previous attempt can be recognized (I7, I20). Pure.
[[nodiscard]] ResultHead with_next_attempt(const ResultHead& head, Time now);

/// A conversation that the service drives or scores, after a process that worked on it ended. That end is
/// counted; after limits::attempts_max of them without an entry in between, the result is set aside as failed
/// (I10, D51a). Unchanged if the end was already counted. `entries`: recorded so far. Pure.
[[nodiscard]] ResultHead after_crash(const ResultHead& head, std::uint32_t entries, std::int64_t process,
                                     Time now);
/// A claim whose scoring failed in a process that continues: the failure is counted and the attempt raised,
/// or the result is set aside (I10, D51a). Pure.
[[nodiscard]] ResultHead after_failed_try(const ResultHead& head, std::uint32_t entries, Time now);
/// The progress of a conversation when a crash is counted; read from its head if the entries cannot be read.
struct ResultProgress {
  std::uint32_t entries = 0;
  Time newest_change;
};
[[nodiscard]] ResultProgress progress_of(const store::Snapshot& snapshot, const ResultHead& head);
/// True for a result that was counted and has recorded nothing since: it is driven or scored after all
/// others.
[[nodiscard]] bool is_suspect(const ResultHead& head, std::uint32_t entries);
}  // namespace parley::actors
