// Deletion of runs and results for good, on an admin's word (D25). What may go, is decided in actors/deletion.

#include "actors/deletion.hpp"

#include "http/handlers/handlers.hpp"
#include "http/idempotency.hpp"
#include "http/lookup.hpp"
#include "http/result_view.hpp"
#include "http/run_view.hpp"

namespace parley::http {
namespace {

Result<store::ChangeSet> without_run(const store::Snapshot& snapshot, const Call& call) {
  TRY(run, record_at<Run>(snapshot, call.id_text()));
  auto same = check_state(call, [&] { return run_json(snapshot, run); });
  if (!same) return std::move(same).problem();
  return actors::deletion_of(snapshot, run);
}

Result<store::ChangeSet> without_result(const store::Snapshot& snapshot, const Call& call, Time now) {
  TRY(head, record_at<ResultHead>(snapshot, call.id_text()));
  auto same = check_state(call, [&] { return result_json(snapshot, head); });
  if (!same) return std::move(same).problem();
  return actors::deletion_of(snapshot, head, now);
}

}  // namespace

void delete_run(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  context.gateway.change_records(signed_by(call, [call](const store::Snapshot& later, Time,
                                                        IdSource&) { return without_run(later, *call); }),
                                 [reply](Result<Done> done) {
                                   if (!done.ok()) return reply(std::move(done).problem());
                                   reply(empty_reply());
                                 });
}

void delete_result(const Context& context, const store::Snapshot& snapshot, const CallPtr& call,
                   ReplyTo reply) {
  const auto head = record_at<ResultHead>(snapshot, call->id_text());
  if (!head) return reply(head.problem());
  context.gateway.change_records(
      signed_by(call, [call](const store::Snapshot& later, Time now,
                             IdSource&) { return without_result(later, *call, now); }),
      [&context, reply, run = head->run](Result<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        if (!run) return reply(empty_reply());
        // It may have been the last one that the run waited for. The result is gone, whatever becomes of this.
        context.gateway.to_run(run->id, actors::FollowResults{}, {},
                               [reply](const Result<actors::RunReply>&) { reply(empty_reply()); });
      });
}

}  // namespace parley::http
