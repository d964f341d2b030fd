#include "http/operation_runner.hpp"

#include <utility>

#include "http/auth/auth.hpp"
#include "http/exchange/idempotency.hpp"

namespace parley::http {

void OperationRunner::run(const store::Snapshot& snapshot, const RequestContextPtr& call,
                          const ReplyTo& reply) {
  const auto& handle = call->route->handle;
  if (const auto* once = std::get_if<AnswerOnce>(&handle)) {
    if (!call->keep) return once->first(context_, snapshot, call, reply);
    return answer_once(*once, call, reply);
  }
  if (const auto* now = std::get_if<AnswerNow>(&handle)) return answer_now(*now, snapshot, call, reply);
  std::get<AnswerLater>(handle)(context_, snapshot, call, reply);
}

/// While the call waited, its key may have been revoked, or its user disabled or demoted. Such a call is refused as
/// if it had just arrived.
Expected<Done> OperationRunner::recheck_access(RequestContext& call, const store::Snapshot& snapshot) const {
  if (call.principal.key.is_nil()) return Done{};  // the route needs no key
  TRY(caller, current_principal(call.principal, snapshot, context_.clock.now()));
  call.principal = caller;
  return allow(caller, call.route->right);
}

/// Needs: no other reference to the call.
actors::Completion<Done> OperationRunner::when_admitted(std::shared_ptr<RequestContext> call,
                                                        const ReplyTo& reply, Work work) {
  return [this, call = std::move(call), reply, work = std::move(work)](Expected<Done> turn) {
    if (turn.ok() && reply.has_left()) turn = problem(ProblemKind::busy, "the client has left");
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply.guarded([&] {
      const store::Snapshot snapshot = context_.store.snapshot();
      if (auto status = recheck_access(*call, snapshot); !status) return reply(std::move(status).problem());
      work(snapshot, call);
    });
  };
}

void OperationRunner::run_in_background(std::shared_ptr<RequestContext> call, const ReplyTo& reply,
                                        Work work) {
  context_.gateway.in_background(when_admitted(std::move(call), reply, std::move(work)));
}

void OperationRunner::run_in_turn(std::shared_ptr<RequestContext> call, const ReplyTo& reply) {
  const Id owner = call->principal.user;
  const std::size_t bytes = call->body.size();
  context_.gateway.in_turn(
      owner, bytes,
      when_admitted(std::move(call), reply,
                    [this, reply](const store::Snapshot& then, const RequestContextPtr& checked) {
                      run(then, checked, reply);
                    }));
}

/// A large page restarts in the background; on this thread it would delay every other client (I65).
void OperationRunner::answer_now(AnswerNow make, const store::Snapshot& snapshot,
                                 const RequestContextPtr& call, const ReplyTo& reply) {
  auto made = make(context_, snapshot, *call);
  if (!made.ok() || !made->is_unfinished) return reply(std::move(made));
  auto background_call = std::make_shared<RequestContext>(*call);
  background_call->is_interactive = false;
  run_in_background(std::move(background_call), reply,
                    [this, make, reply](const store::Snapshot& then, const RequestContextPtr& same) {
                      reply(make(context_, then, *same));
                    });
}

/// D9. The store is read after the hold on the key is requested, because the previous holder may have committed in
/// the meantime. A request that does not get the hold is refused only if the store has no record of the key.
void OperationRunner::answer_once(const AnswerOnce& handle, const RequestContextPtr& call,
                                  const ReplyTo& reply) {
  auto hold = in_flight_.take(std::string(fingerprint_of(*call->keep)));
  const bool is_first = hold.has_value();
  if (is_first) reply.hold(std::move(*hold));
  const store::Snapshot snapshot = context_.store.snapshot();
  if (auto again = answer_again(handle, snapshot, *call)) return reply(*std::move(again));
  if (!is_first) return reply(store::still_in_progress());
  handle.first(context_, snapshot, call, reply);
}

/// The answer to a repeated request; nullopt if the store has no record of the key.
std::optional<Expected<Reply>> OperationRunner::answer_again(const AnswerOnce& handle,
                                                             const store::Snapshot& snapshot,
                                                             const RequestContext& call) const {
  const auto known =
      store::find_idempotency_record(snapshot, fingerprint_of(*call.keep), context_.clock.now());
  if (!known.ok()) return known.problem();
  if (!*known) return std::nullopt;
  if ((*known)->body != call.keep->body) {
    return problem(ProblemKind::idempotency_key_reused, "take a new Idempotency-Key for a new request");
  }
  auto again = handle.again(context_, snapshot, call, (*known)->ids);
  if (!again.ok()) return again;
  again->status = (*known)->status;
  again->fields.emplace_back("Idempotency-Replayed", "true");
  return again;
}

}  // namespace parley::http
