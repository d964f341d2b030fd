#pragma once
/// OperationRunner: calls the handler of a route once per Idempotency-Key (D9), and moves long work to background
/// threads, where other clients do not wait for it (I65).
/// Thread: any, concurrently; never blocks. Outlives the gateway's completions.

#include <functional>
#include <memory>
#include <optional>

#include "http/exchange/reply_to.hpp"
#include "http/exchange/requests_in_flight.hpp"
#include "http/exchange/route.hpp"
#include "http/handlers/handler_context.hpp"

namespace parley::http {

class OperationRunner {
 public:
  explicit OperationRunner(const Context& context) : context_(context) {}
  OperationRunner(const OperationRunner&) = delete;
  OperationRunner& operator=(const OperationRunner&) = delete;

  /// Runs on the caller's thread, except that a slow page is rendered in the background.
  void run(const store::Snapshot& snapshot, const RequestContextPtr& call, const ReplyTo& reply);
  /// Runs on a background thread that serves users in turn: many requests from one user delay only that user.
  /// Needs: no other reference to the call.
  void run_in_turn(std::shared_ptr<RequestContext> call, const ReplyTo& reply);

 private:
  /// Work that a background thread does for a call, with a snapshot taken at that moment.
  using Work = std::function<void(const store::Snapshot& snapshot, const RequestContextPtr& call)>;

  void run_in_background(std::shared_ptr<RequestContext> call, const ReplyTo& reply, Work work);
  [[nodiscard]] actors::Completion<Done> when_admitted(std::shared_ptr<RequestContext> call,
                                                       const ReplyTo& reply, Work work);
  [[nodiscard]] Expected<Done> recheck_access(RequestContext& call, const store::Snapshot& snapshot) const;
  void answer_now(AnswerNow make, const store::Snapshot& snapshot, const RequestContextPtr& call,
                  const ReplyTo& reply);
  void answer_once(const AnswerOnce& handle, const RequestContextPtr& call, const ReplyTo& reply);
  [[nodiscard]] std::optional<Expected<Reply>> answer_again(const AnswerOnce& handle,
                                                            const store::Snapshot& snapshot,
                                                            const RequestContext& call) const;

  const Context& context_;
  RequestsInFlight in_flight_;
};

}  // namespace parley::http
