// Permanent deletion of runs and results, by admins only (D25). actors/records/deletion decides what may be deleted.

#include "actors/records/deletion.hpp"

#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/views/result_view.hpp"
#include "http/views/run_view.hpp"

namespace parley::http {
namespace {

Expected<store::ChangeSet> without_run(const store::Snapshot& snapshot, const RequestContext& call) {
  TRY(run, record_at<Run>(snapshot, call.id_text()));
  auto same = check_state(call, [&] { return run_json(snapshot, run); });
  if (!same) return std::move(same).problem();
  return actors::deletion_of(snapshot, run);
}

Expected<store::ChangeSet> without_result(const store::Snapshot& snapshot, const RequestContext& call,
                                          Time now) {
  TRY(head, record_at<ResultHead>(snapshot, call.id_text()));
  auto same = check_state(call, [&] { return result_json(snapshot, head); });
  if (!same) return std::move(same).problem();
  return actors::deletion_of(snapshot, head, now);
}

}  // namespace

/// A running detection of hallucinations keeps changing results, so a deletion would never find them unchanged.
/// Therefore the detection is ended first, unless the deletion is refused anyway or If-Match names the run's present
/// state.
void delete_run(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                ReplyTo reply, const Run& run) {
  const auto remove = [&context, call, reply] {
    const auto decide = [call](const store::Snapshot& later, Time, IdSource&) {
      return without_run(later, *call);
    };
    context.gateway.change_records(signed_by(call, decide), [reply](Expected<Done> done) {
      if (!done.ok()) return reply(std::move(done).problem());
      reply(empty_reply());
    });
  };
  const bool continues = !is_terminal(run.status) || !snapshot.live_of_run(run.stamp.id, {}, 1).empty();
  if (!is_under_way(run.hallucination_status) || continues || names_state(*call)) return remove();
  context.gateway.to_run(run.stamp.id, actors::MoveDetection{run.detection, DetectionStatus::failed},
                         origin_of(*call), [remove](const Expected<actors::RunReply>&) { remove(); });
}

void delete_result(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                   ReplyTo reply, const ResultHead& head) {
  context.gateway.change_records(
      signed_by(call, [call](const store::Snapshot& later, Time now,
                             IdSource&) { return without_result(later, *call, now); }),
      [&context, reply, run = head.run](Expected<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        if (!run) return reply(empty_reply());
        // The run may have been waiting only for this result. The result is deleted regardless of the run's answer.
        context.gateway.to_run(run->id, actors::FollowResults{}, {},
                               [reply](const Expected<actors::RunReply>&) { reply(empty_reply()); });
      });
}

}  // namespace parley::http
