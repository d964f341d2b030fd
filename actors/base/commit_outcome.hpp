#pragma once
/// What the outcome of a commit means to the callers that wait for it. Pure functions, used by all actors
/// that commit.

#include <exception>
#include <new>

#include "model/expected.hpp"
#include "store/change.hpp"
#include "store/committer.hpp"

namespace parley::actors {

/// Committed: Done. Conflict: no retries are left, so busy. Refused and broken: their problem.
[[nodiscard]] Expected<Done> done_of(store::Outcome outcome);
/// 503 for a caller that the server could not answer before it stopped.
[[nodiscard]] Problem stopping();
/// 503 on a cluster node that does not lead: the write did not happen and will not.
[[nodiscard]] Problem no_leader();
/// 502 for a write whose outcome the caller cannot learn from this answer.
[[nodiscard]] Problem in_doubt();
/// 503 for a caller beyond the bound of a queue.
[[nodiscard]] Problem too_busy();
/// 503 for a command that was lost with its actor: its outcome is unknown.
[[nodiscard]] Problem broken_off();
/// 503 if there was no memory to decide the command (F40); logged.
[[nodiscard]] Problem out_of_memory();
/// 500 for an exception that a broken environment (such as a corrupt store) caused during a decision; logged
/// with `what`.
[[nodiscard]] Problem crashed(std::string_view what);

[[nodiscard]] inline bool is_empty(const store::ChangeSet& changes) {
  return changes.writes.empty() && changes.cancels.empty();
}

/// Runs `decide` and turns its exceptions into problems, so that a caller is always answered (F45).
template <class T, class F>
[[nodiscard]] Expected<T> guarded(F&& decide) {
  try {
    return decide();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& thrown) {
    return crashed(thrown.what());
  }
}

}  // namespace parley::actors
