// Deletion for good, on an admin's word (D25). What may go, and in which steps, is decided in actors/deletion.

#include "actors/deletion.hpp"

#include "http/handlers/handlers.hpp"
#include "http/idempotency.hpp"
#include "http/lookup.hpp"

namespace parley::http {
namespace {

actors::Completion<Done> answer_deleted(const ReplyTo& reply) {
  return [reply](Result<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(empty_reply());
  };
}

Result<store::ChangeSet> without_run(const store::Snapshot& snapshot, const Call& call, bool& is_gone) {
  TRY(run, record_at<Run>(snapshot, call.id_text()));
  TRY(deletion, actors::deletion_of(snapshot, run));
  is_gone = deletion.is_last;
  return std::move(deletion.changes);
}

void delete_step(const Context& context, const CallPtr& call, const ReplyTo& reply) {
  const auto is_gone = std::make_shared<bool>(false);
  context.gateway.change_records(
      signed_by(call, [call, is_gone](const store::Snapshot& snapshot, Time,
                                      IdSource&) { return without_run(snapshot, *call, *is_gone); }),
      [call, is_gone, reply, &context](Result<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        if (!*is_gone) return delete_step(context, call, reply);
        reply(empty_reply());
      });
}

Result<store::ChangeSet> without_result(const store::Snapshot& snapshot, const Call& call, Time now) {
  TRY(head, record_at<ResultHead>(snapshot, call.id_text()));
  TRY(deletion, actors::deletion_of(snapshot, head, now));
  return std::move(deletion.changes);
}

Result<store::ChangeSet> without_log(const store::Snapshot& snapshot, const Call& call) {
  TRY(log, record_at<ExternalLog>(snapshot, call.id_text()));
  return actors::deletion_of(log).changes;
}

}  // namespace

void delete_run(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  delete_step(context, call, reply);
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

void delete_external_log(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  context.gateway.change_records(signed_by(call, [call](const store::Snapshot& snapshot, Time,
                                                        IdSource&) { return without_log(snapshot, *call); }),
                                 answer_deleted(reply));
}

}  // namespace parley::http
