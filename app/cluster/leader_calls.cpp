#include "app/cluster/leader_calls.hpp"

#include <utility>

#include "app/options/outbound_options.hpp"
#include "app/process/server_parts.hpp"

namespace parley::app {

LeaderCalls::LeaderCalls(const Config& config) : config_(config), client_(fresh()) {}

std::shared_ptr<outbound::HttpClient> LeaderCalls::fresh() const {
  return std::make_shared<outbound::HttpClient>(call_limits_of(config_), guard_of(config_),
                                                outbound::system_lookup, log_pace);
}

actors::OutboundPort LeaderCalls::port(std::function<bool()> may_call) {
  actors::OutboundPort outside = outside_by([this] { return client_.load(); });
  outside.start = [start = std::move(outside.start), may_call = std::move(may_call)](
                      outbound::HttpRequest request, outbound::RetryRules rules,
                      std::function<void(outbound::HttpOutcome, int)> done) {
    if (may_call()) return start(std::move(request), rules, std::move(done));
    done(outbound::Failure{outbound::FailureKind::canceled, "this node does not lead its cluster now", false},
         0);
    return outbound::CallId{0};
  };
  return outside;
}

void LeaderCalls::end_all() {
  client_.exchange(fresh())->stop();
}

outbound::CallLimits limits_for_peers() {
  outbound::CallLimits limits;
  limits.connect_attempts = 1;  // the caller retries, perhaps with another node
  return limits;
}

}  // namespace parley::app
