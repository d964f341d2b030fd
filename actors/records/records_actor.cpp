#include "actors/records/records_actor.hpp"

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/result/result_changes.hpp"

namespace parley::actors {

RecordsActor::RecordsActor(caf::actor_config& config, Services& services, Writer writer,
                           Dispatcher dispatcher)
    : Records::base(config),
      services_(services),
      writer_(std::move(writer)),
      dispatcher_(std::move(dispatcher)) {}

RecordsActor::behavior_type RecordsActor::make_behavior() {
  set_exception_handler(ends_process("records actor", services_));
  return {
      [this](RecordsRequest& request) { decide(std::move(request), tries_max); },
      [this](PreviewRequest& request) { create(std::move(request)); },
  };
}

void RecordsActor::on_exit() {
  writer_ = nullptr;
  dispatcher_ = nullptr;
}

void RecordsActor::decide(RecordsRequest request, int tries_left) {
  Expected<store::ChangeSet> decided = guarded<store::ChangeSet>(
      [&] { return request.decide(services_.store.snapshot(), services_.clock.now(), services_.ids); });
  if (!decided) return request.done(std::move(decided).problem());
  if (is_empty(*decided)) return request.done(Done{});
  commit(std::move(decided).value(), std::move(request), tries_left);
}

void RecordsActor::commit(store::ChangeSet changes, RecordsRequest asked, int tries_left) {
  request(writer_, caf::infinite, Commit{std::move(changes)})
      .then(
          [this, asked, tries_left](store::Outcome& outcome) {
            const bool again = outcome.kind == store::Outcome::Kind::conflict && tries_left > 0;
            if (again) return decide(asked, tries_left - 1);
            asked.done(done_of(std::move(outcome)));
          },
          [asked](const caf::error&) { asked.done(stopping()); });
}

void RecordsActor::create(PreviewRequest asked) {
  const NewResult made = new_result(asked.command, DecisionContext{services_.clock.now(), services_.ids});
  store::ChangeSet changes;
  add_new_result(changes, made, services_.ids);
  ResultReply reply;
  reply.head = made.head;
  reply.head.stamp.revision = 1;
  reply.extras = made.extras;
  reply.entries = static_cast<std::uint32_t>(made.test_case.history.size());
  if (asked.origin.keep) store::remember(changes, *asked.origin.keep, affected_ids(reply));
  if (!asked.origin.by.is_service()) changes.authors.push_back(asked.origin.by);
  request(writer_, caf::infinite, Commit{std::move(changes)})
      .then(
          [this, asked, reply](store::Outcome& outcome) {
            // Only its Idempotency-Key can conflict with a new record.
            const bool is_kept = outcome.kind == store::Outcome::Kind::conflict && asked.origin.keep;
            Expected<Done> committed = done_of(std::move(outcome));
            if (is_kept) return asked.done(store::still_in_progress());
            if (!committed) return asked.done(std::move(committed).problem());
            if (is_dispatched(reply.head))
              send(dispatcher_, DriveThese{std::nullopt, {reply.head.stamp.id}, reply.head.awaits_workflow});
            asked.done(reply);
          },
          [asked](const caf::error&) { asked.done(stopping()); });
}

}  // namespace parley::actors
