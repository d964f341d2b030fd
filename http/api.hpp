#pragma once
/// Api: from a framed request to its answer. Checks in the order of D3: key (I69), path and right, then the handler's:
/// the faults of the body, the state. Wires the route table to store, gateway and transport.
///
///   Api api(store, gateway, keys, secrets, clock, options);
///   Server server(server_options, api.handler(), api.fault_renderer());
///
/// Thread: handle() and render_fault() on any worker, several at once; never blocks. The Api outlives the gateway's
/// completions and the server's last answer.

#include <functional>

#include "http/auth/auth.hpp"
#include "http/auth/rate_limiter.hpp"
#include "http/exchange/cors.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/handlers/handler_context.hpp"
#include "http/router.hpp"
#include "http/transport/server_options.hpp"

namespace parley::http {

class Api {
 public:
  Api(store::Store& store, actors::Gateway& gateway, Keys keys, store::Secrets secrets, const Clock& clock,
      ApiOptions options);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  void handle(const Request& request, const Responder& responder);
  [[nodiscard]] Response render_fault(const FramingFault& fault);
  /// Looks at the key alone; the order of all other checks is that of handle().
  [[nodiscard]] BodyUse preauthorize(const Request& head);

  [[nodiscard]] Handler handler();
  [[nodiscard]] FaultRenderer fault_renderer();
  [[nodiscard]] Preauthorizer head_judge();

 private:
  [[nodiscard]] std::string new_request_id();
  [[nodiscard]] std::string request_id_of(const Request& request);
  [[nodiscard]] std::shared_ptr<RequestContext> call_of(const Request& request, Match match,
                                                        std::string request_id, Principal principal) const;
  [[nodiscard]] bool is_open(const Match& match) const;
  [[nodiscard]] BodyUse use_of_body(const Request& head);
  [[nodiscard]] Expected<Principal> caller_of(const Request& request, PrincipalCache::CacheSnapshot& known,
                                              const store::Snapshot& snapshot);
  [[nodiscard]] Reply without_route(const Request& request, const Match& match,
                                    const std::string& request_id) const;
  void answer(const Request& request, const ReplyTo& reply, Match match, const std::string& request_id);
  void carry_out(const store::Snapshot& snapshot, const RequestContextPtr& call, const ReplyTo& reply);
  /// What is done at leisure with a call, on a snapshot of then.
  using Work = std::function<void(const store::Snapshot& snapshot, const RequestContextPtr& call)>;
  void run_in_background(std::shared_ptr<RequestContext> call, const ReplyTo& reply, Work work);
  void in_turn(std::shared_ptr<RequestContext> call, const ReplyTo& reply, Work work);
  [[nodiscard]] actors::Completion<Done> when_due(std::shared_ptr<RequestContext> call, const ReplyTo& reply,
                                                  Work work);
  [[nodiscard]] Expected<Done> recheck_access(RequestContext& call, const store::Snapshot& snapshot) const;
  void answer_now(AnswerNow make, const store::Snapshot& snapshot, const RequestContextPtr& call,
                  const ReplyTo& reply);
  void answer_once(const AnswerOnce& handle, const RequestContextPtr& call, const ReplyTo& reply);
  [[nodiscard]] std::optional<Expected<Reply>> answer_again(const AnswerOnce& handle,
                                                            const store::Snapshot& snapshot,
                                                            const RequestContext& call) const;

  ApiOptions options_;
  Keys keys_;
  store::Secrets secrets_;
  PrincipalCache principals_;
  KeyUses key_uses_;
  /// Request ids are told apart, not secret: a random start and a count.
  std::string request_prefix_;
  std::atomic<std::uint64_t> requests_{0};
  RequestCounts counts_;
  RequestsInFlight keys_under_way_;
  RateLimiter key_pace_;
  Context context_;
  Cors cors_;
  Router router_;
};

}  // namespace parley::http
