// Conversations that end the process (I10). Result actors and the scoring actor mark their work
// (store::WorkMarks), which costs no commit. A start finds the marks of the previous process and counts them
// durably, before any of that work is repeated. Work that only waited for an agent or a judge has no mark and
// is never counted. A scoring attempt that fails without ending the process also counts; the scoring actor
// counts it (scoring_attempts.cpp).

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/commit_outcome.hpp"
#include "actors/lifecycle/recovery.hpp"
#include "actors/result/result_state.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

/// Whether the service will continue the conversation.
bool continues(const ResultHead& head) {
  if (is_terminal(head.status)) return false;
  return head.is_claimed() || (!head.is_ended() && service_calls_agent(head));
}

/// Adds the changes for one marked result; true if it is set aside.
Expected<bool> count_one(const Services& services, const store::Snapshot& snapshot, const Id& id,
                         store::ChangeSet& changes) {
  TRY(head, snapshot.find<ResultHead>(id));
  if (!head || !continues(*head)) return false;
  const ResultProgress progress = progress_of(snapshot, *head);
  const Time now = std::max(services.clock.now(), Time{progress.newest_change.ms + 1});
  const ResultHead next = after_crash(*head, progress.entries, services.marks->process(), now);
  if (next.crashes == head->crashes) return false;
  changes.replace(*head, next);
  spdlog::warn("process ended while working on a conversation result={} times={}", to_text(id),
               next.crashes->count);
  return next.status == ResultStatus::failed;
}

}  // namespace

Expected<std::size_t> count_crashes(Services& services, caf::scoped_actor& self, const Writer& writer) {
  // Work that a requested shutdown interrupted does not count as a crash, however the process ended (D51a).
  if (services.marks == nullptr || services.marks->was_stopped()) return std::size_t{0};
  store::ChangeSet changes;
  std::size_t set_aside = 0;
  {
    const store::Snapshot snapshot = services.store.snapshot();
    for (const Id& id : services.marks->left()) {
      const auto is_aside = guarded<bool>([&] { return count_one(services, snapshot, id, changes); });
      if (!is_aside) {  // one damaged record must not keep the server down (I13)
        spdlog::error("result unreadable result={} detail=\"{}\"", to_text(id), is_aside.problem().detail);
      } else if (*is_aside) {
        ++set_aside;
      }
    }
  }
  TRY_DONE(commit_and_wait(self, writer, std::move(changes)));
  return set_aside;
}

}  // namespace parley::actors
