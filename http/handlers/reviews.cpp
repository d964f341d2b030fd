// POST /test-results/{id}/review (D24): the rules decide, the judge model may be asked where they are silent, and the
// result's actor keeps what comes of it.

#include "actors/reviewing.hpp"
#include "http/body.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/result_replies.hpp"
#include "http/idempotency.hpp"
#include "http/lookup.hpp"
#include "http/result_bodies.hpp"

namespace parley::http {
namespace {

Result<ReviewBody> review_body(const Call& call) {
  TRY(parsed, read_body(call));
  Findings findings;
  findings.strict = call.prefer.is_strict;
  const ReviewBody body = parse_body<ReviewBody>(parsed.root(), findings);
  if (auto fine = faults_of(std::move(findings)); !fine) return std::move(fine).problem();
  return body;
}

}  // namespace

void review_result(const Context& context, const store::Snapshot& snapshot, const CallPtr& call,
                   ReplyTo reply) {
  auto head = record_at<ResultHead>(snapshot, call->id_text());
  if (!head) return reply(std::move(head).problem());
  auto body = review_body(*call);
  if (!body) return reply(std::move(body).problem());
  auto made = actors::review(snapshot, *head);
  if (!made) return reply(std::move(made).problem());
  if (!body->model) made->open = nullptr;
  context.gateway.ask_reviewer(std::move(made).value(), [&context, call, reply, id = head->stamp.id](
                                                            Result<actors::KeepReview> reviewed) {
    if (!reviewed) return reply(std::move(reviewed).problem());
    context.gateway.to_result(id, std::move(reviewed).value(), origin_of(*call),
                              answer_result(context, call, reply));
  });
}

}  // namespace parley::http
