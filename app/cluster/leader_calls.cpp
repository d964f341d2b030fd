#include "app/cluster/leader_calls.hpp"

#include <utility>

#include "app/options/outbound_options.hpp"
#include "app/process/server_parts.hpp"

namespace parley::app {

LeaderCalls::LeaderCalls(const Config& config) : config_(config), client_(fresh()) {}

std::shared_ptr<outbound::HttpClient> LeaderCalls::fresh() const {
  return std::make_shared<outbound::HttpClient>(call_limits_of(config_), guard_of(config_),
                                                outbound::system_lookup, tell_pace);
}

actors::OutboundPort LeaderCalls::port(std::function<bool()> may_call) {
  actors::OutboundPort outside;
  outside.start = [this, may_call = std::move(may_call)](
                      outbound::HttpRequest request, outbound::RetryRules rules,
                      std::function<void(outbound::HttpOutcome, int)> done) {
    if (may_call()) return client_.load()->start(std::move(request), rules, std::move(done));
    done(outbound::Failure{outbound::FailureKind::canceled, "this node does not lead its cluster now", false},
         0);
    return outbound::CallId{0};
  };
  outside.cancel = [this](outbound::CallId call) { client_.load()->cancel(call); };
  outside.held_bytes = [this] { return client_.load()->held_bytes(); };
  outside.epoch = [this] { return client_.load()->epoch(); };
  outside.cancel_group = [this](const Id& run, std::function<void()> done) {
    client_.load()->cancel_group(run, std::move(done));
  };
  return outside;
}

void LeaderCalls::end_all() {
  client_.exchange(fresh())->stop();
}

outbound::CallLimits limits_for_peers() {
  outbound::CallLimits limits;
  limits.connect_attempts = 1;  // the caller asks again, perhaps another node
  return limits;
}

}  // namespace parley::app
