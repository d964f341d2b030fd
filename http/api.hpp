#pragma once
/// Api: turns a framed request into its answer. The checks run in the order of D3: route, key, right, rate limit,
/// Accept, query parameters, Idempotency-Key. The handler then checks the body and the state. Connects the route
/// table to the store, the gateway and the transport.
///
///   Api api(store, gateway, keys, secrets, clock, options);
///   Server server(server_options, api.handler(), api.fault_renderer(), api.preauthorizer());
///
/// Thread: handle(), preauthorize() and render_fault() may be called by any worker, concurrently; they never block.
/// The Api must outlive the gateway's completions and the server's last answer.

#include "http/auth/auth.hpp"
#include "http/auth/rate_limiter.hpp"
#include "http/cluster/cluster_desk.hpp"
#include "http/exchange/cors.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/request_id.hpp"
#include "http/handlers/handler_context.hpp"
#include "http/operation_runner.hpp"
#include "http/protocol/client_address.hpp"
#include "http/router.hpp"
#include "http/transport/server_options.hpp"
#include "http/ui_assets/ui_page.hpp"

namespace parley::http {

class Api {
 public:
  /// `events`: null if event streams are not offered.
  Api(store::Store& store, actors::Gateway& gateway, Keys keys, const store::Secrets& secrets,
      const Clock& clock, ApiOptions options, actors::EventGateway* events = nullptr);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  void handle(const Request& request, const Responder& responder);
  [[nodiscard]] Response render_fault(const FramingFault& fault);
  /// Decides from the key and its right what to do with a body that did not arrive with its head. handle() checks
  /// everything again, because the key may be revoked before the body is complete.
  [[nodiscard]] BodyPlan preauthorize(const Request& head);

  /// After this call, requests are answered with `no-leader`, and no worker thread runs work of this Api any more.
  /// For a cluster node whose copy is replaced while the server runs. Must not be called on a worker thread.
  void close();

  [[nodiscard]] Handler handler();
  [[nodiscard]] FaultRenderer fault_renderer();
  [[nodiscard]] Preauthorizer preauthorizer();

 private:
  [[nodiscard]] bool is_open(const Match& match) const;
  [[nodiscard]] BodyPlan plan_of_body(const Request& head);
  void note_used(const UsedKey& used);
  [[nodiscard]] Expected<Principal> caller_of(const Request& request, PrincipalCache::CacheSnapshot& known,
                                              const store::Snapshot& snapshot);
  [[nodiscard]] Expected<Principal> allowed_caller(const Request& request,
                                                   PrincipalCache::CacheSnapshot& known,
                                                   const store::Snapshot& snapshot, const Route* route);
  [[nodiscard]] Reply without_route(const Request& request, const Match& match,
                                    const std::string& request_id) const;
  void take(const Request& request, const Responder& responder, const store::Address& client,
            bool was_passed_on);
  void answer(const Request& request, const ReplyTo& reply, Match match, const std::string& request_id,
              const store::Address& client);

  ApiOptions options_;
  Keys keys_;
  Sessions sessions_;
  store::Secrets secrets_;
  PrincipalCache principals_;
  RequestIdSource request_ids_;
  RequestCounts counts_;
  RateLimiter rate_limiter_;
  Context context_;
  OperationRunner runner_;
  Cors cors_;
  TrustedProxies proxies_;
  Router router_;
  UiPage page_;
  std::optional<ClusterDesk> desk_;  ///< only on a node of a cluster
  std::atomic<bool> is_closed_{false};
  std::atomic<std::size_t> at_work_{0};  ///< calls in progress on worker threads
};

}  // namespace parley::http
