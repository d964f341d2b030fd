// POST /test-results/{id}/review (D24): rules decide first; if they do not decide, the judge model may be asked. The
// result's actor saves the review.

#include "actors/verdicts/reviewing.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/result_replies.hpp"

namespace parley::http {
namespace {

struct ReviewRequest {
  Id result;
  bool needs_model;
};

void review_and_save(const Context& context, const RequestContextPtr& call, const ReviewRequest& request,
                     const ReplyTo& reply) {
  const store::Snapshot snapshot = context.store.snapshot();
  auto head = record_at<ResultHead>(snapshot, call->id_text());
  if (!head) return reply(std::move(head).problem());
  auto made = actors::review(snapshot, *head);
  if (!made) return reply(std::move(made).problem());
  if (!request.needs_model) made->open = nullptr;
  context.gateway.ask_reviewer(std::move(made).value(), [&context, call, reply, id = request.result](
                                                            Expected<actors::SaveReview> reviewed) {
    if (!reviewed) return reply(std::move(reviewed).problem());
    context.gateway.to_result(id, std::move(reviewed).value(), origin_of(*call),
                              answer_result(context, call, reply));
  });
}

}  // namespace

/// Runs in the background: a conversation may have 64 MiB, and the other clients of this thread must not wait for it.
void review_result(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                   ReplyTo reply, const ResultHead& head, const ReviewBody& body) {
  context.gateway.in_background(
      [&context, call, reply, request = ReviewRequest{head.stamp.id, body.model}](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        review_and_save(context, call, request, reply);
      });
}

}  // namespace parley::http
