#pragma once
/// LeaderCalls: the calls of a cluster node to agents and models. Only a leader with a confirmed lease makes calls.
/// Calls in progress end when the node no longer leads. Thread: any.

#include <atomic>
#include <functional>
#include <memory>

#include "actors/services.hpp"
#include "app/options/config.hpp"
#include "outbound/client/http_client.hpp"

namespace parley::app {

class LeaderCalls {
 public:
  explicit LeaderCalls(const Config& config);
  ~LeaderCalls() { stop(); }
  LeaderCalls(const LeaderCalls&) = delete;
  LeaderCalls& operator=(const LeaderCalls&) = delete;

  /// `may_call` is called before each call. If it returns false, the call ends as canceled, and its conversation
  /// tries again.
  [[nodiscard]] actors::OutboundPort port(std::function<bool()> may_call);
  [[nodiscard]] outbound::Figures figures() const { return client_.load()->figures(); }
  /// Cancels all calls.
  void end_all();
  void stop() { client_.load()->stop(); }

 private:
  [[nodiscard]] std::shared_ptr<outbound::HttpClient> fresh() const;

  const Config& config_;
  std::atomic<std::shared_ptr<outbound::HttpClient>> client_;
};

/// The limits for calls to other nodes.
[[nodiscard]] outbound::CallLimits limits_for_peers();

}  // namespace parley::app
