#include "app/cluster/node_life.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "app/options/outbound_options.hpp"

namespace parley::app {
namespace {

constexpr std::chrono::milliseconds hand_over_for{2'500};

actors::LeaseRules rules_of(const Config& config) {
  actors::LeaseRules rules;
  rules.lease_ms = config.lease_ms;
  rules.margin_ms = std::min<std::int64_t>(rules.margin_ms, config.lease_ms / 4);
  return rules;
}

outbound::Guard guard_for_peers() {
  outbound::Guard guard;
  guard.allows_private = true;
  return guard;
}

}  // namespace

NodeLife::NodeLife(const Surroundings& around, store::Joined joined)
    : around_(around),
      joined_(std::move(joined)),
      store_(*joined_.store),
      keys_(joined_.pepper),
      signature_(keys_),
      calls_(around.config),
      peers_(limits_for_peers(), guard_for_peers()),
      marks_(opened_marks(around.config)),
      state_(around.figures),
      telemetry_(telemetry_of(around.config)),
      world_{store_, around.clock, ids_, settings_of(around.config), end_with_broken_store},
      ending_(end_.get_future()) {
  const Config& config = around.config;
  world_.outside = calls_.port([this] { return state_.may_work && node_->lease_left_ms() > 0; });
  world_.secrets = &joined_.secrets;
  world_.marks = marks_.get();
  supervisor_.emplace(world_, config.threads, telemetry_);
  node_.emplace(store_, store::PgLog::open(joined_.log),
                actors::NodeIdentity{joined_.log.node, config.address, PARLEY_VERSION}, rules_of(config),
                state_, duties());
  links_.emplace(actors::ClusterLinks{
      *node_, state_, outside_of(peers_),
      [this](std::string_view method, std::string_view target) { return sign(method, target); },
      config.base_path,
      config.when_leaderless == "refuse" ? actors::WhenLeaderless::refuse : actors::WhenLeaderless::stale});
  cluster_.emplace(supervisor_->system(), *links_, config.reads == "barrier");
  http::ApiOptions options = api_options_of(
      config, [this] { return calls_.figures(); }, supervisor_->telemetry(), around.serving);
  options.cluster = &*cluster_;
  api_ = std::make_unique<http::Api>(store_, supervisor_->gateway(), keys_, joined_.secrets, around.clock,
                                     std::move(options), &supervisor_->events());
}

NodeLife::~NodeLife() {
  end();
}

outbound::Fields NodeLife::sign(std::string_view method, std::string_view target) const {
  http::Request request;
  request.method = method;
  request.target = target;
  return signature_.sign(request, {}, around_.clock.now());
}

actors::NodeDuties NodeLife::duties() {
  actors::NodeDuties duties;
  duties.replayed = [this](const std::vector<store::ReplayedRow>& rows) {
    for (const store::ReplayedRow& row : rows) supervisor_->publish(row.sets, row.outcomes);
  };
  duties.begin_leading = [this] { return begin_leading(); };
  duties.end_leading = [this] {
    supervisor_->follow();
    calls_.end_all();
  };
  duties.moved = [this] { cluster_->moved(); };
  duties.ended = [this](const actors::NodeEnd& end) { end_.set_value(end); };
  return duties;
}

Expected<Done> NodeLife::begin_leading() {
  TRY(recovered, supervisor_->recover());
  log_recovered(recovered);
  http::Bootstrap first = first_of(around_.config, around_.events, around_.clock);
  first.permits_restart = first.permits_restart && !std::exchange(has_led_, true);
  TRY(first_key, http::bootstrap(store_, keys_, first, ids_, [this](store::ChangeSet changes) {
        return commit_now(supervisor_->gateway(), std::move(changes));
      }));
  if (first_key) show_first_key(*first_key);
  return Done{};
}

void NodeLife::start() {
  log_migration(store_);
  node_->start();
  keeper_ = std::thread([this] { keep_log_small(); });
}

/// If the log is too large, the leader uploads a base and drops rows.
void NodeLife::keep_log_small() {
  const auto log = store::PgLog::open(joined_.log);
  constexpr std::chrono::milliseconds step{100};
  constexpr int steps = 50;
  for (int i = 1; !is_ending_; ++i) {
    std::this_thread::sleep_for(step);
    const auto view = state_.view();
    if (i % steps != 0 || !view->accepts_writes) continue;
    const auto kept =
        store::keep_log_small(store_, around_.config.data, *log, view->log_bytes, around_.config.log_keep);
    if (!kept.ok()) spdlog::warn("the log could not be trimmed reason=\"{}\"", kept.problem().detail);
  }
}

std::optional<actors::NodeEnd> NodeLife::ended() {
  if (!ending_.valid() || ending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return ending_.get();
}

void NodeLife::hand_over() {
  if (!state_.view()->accepts_writes) return;
  const auto done = std::make_shared<std::promise<bool>>();
  auto over = done->get_future();
  cluster_->switch_over({}, [done](const Expected<actors::SwitchedOver>& switched) {
    if (switched.ok()) spdlog::info("handed over leader={} term={}", switched->leader, switched->term);
    if (!switched.ok()) spdlog::info("not handed over reason=\"{}\"", switched.problem().detail);
    done->set_value(switched.ok());
  });
  static_cast<void>(over.wait_for(hand_over_for));
}

void NodeLife::begin_to_end() {
  if (marks_ != nullptr) marks_->stop();
  supervisor_->gateway().end_waits();
  supervisor_->end_streams();
}

void NodeLife::end() {
  if (std::exchange(is_over_, true)) return;
  begin_to_end();
  is_ending_ = true;
  if (api_ != nullptr) api_->close();  // after this, no request reaches the parts that are being ended
  cluster_->stop();
  node_->stop();
  if (keeper_.joinable()) keeper_.join();
  calls_.stop();
  peers_.stop();
  supervisor_->stop();
}

}  // namespace parley::app
