#include "actors/result/crash_counts.hpp"

#include <algorithm>

#include "actors/base/commit_outcome.hpp"
#include "actors/result/result_machine.hpp"
#include "model/limits.hpp"
#include "model/records/status_moves.hpp"

namespace parley::actors {
namespace {

/// Counts one more crash or failure, and sets the result aside at the limit.
ResultHead counted(const ResultHead& head, std::uint32_t entries, std::int64_t process, Time now) {
  ResultHead next = head;
  next.crashes = WorkCrashes{is_suspect(head, entries) ? head.crashes->count + 1 : 1, entries, process};
  if (next.crashes->count < limits::attempts_max) return next;
  next.stamp.updated_at = now;
  move_status(next, ResultStatus::failed);
  const bool was_scored = head.is_claimed();  // the conversation had already ended for its own reason
  if (!was_scored) next.end_reason = EndReason::infrastructure_error;
  next.error = error_json(
      "infrastructure", "poison",
      was_scored ? "scoring this result failed or crashed the server three times; see the server log"
                 : "driving this conversation ended the server three times");
  return next;
}

}  // namespace

ResultHead with_next_attempt(const ResultHead& head, Time now) {
  ResultHead next = head;
  next.stamp.updated_at = std::max(now, Time{head.stamp.updated_at.ms + 1});
  ++next.attempt;
  return next;
}

ResultHead after_crash(const ResultHead& head, std::uint32_t entries, std::int64_t process, Time now) {
  if (head.crashes && head.crashes->process == process) return head;
  return counted(head, entries, process, now);
}

ResultHead after_failed_try(const ResultHead& head, std::uint32_t entries, Time now) {
  const ResultHead next = counted(head, entries, head.crashes ? head.crashes->process : 0, now);
  return is_terminal(next.status) ? next : with_next_attempt(next, now);
}

ResultProgress progress_of(const store::Snapshot& snapshot, const ResultHead& head) {
  const auto read = guarded<ResultProgress>([&]() -> Expected<ResultProgress> {
    TRY(newest, snapshot.newest_change(head));
    return ResultProgress{snapshot.entry_count(head.stamp.id), newest};
  });
  if (read) return *read;
  return {static_cast<std::uint32_t>(head.entries.value_or(0)), head.stamp.updated_at};
}

bool is_suspect(const ResultHead& head, std::uint32_t entries) {
  return head.crashes && head.crashes->entries == static_cast<std::int64_t>(entries);
}

}  // namespace parley::actors
