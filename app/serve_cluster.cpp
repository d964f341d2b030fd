#include "app/serve_cluster.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "app/cluster/node_life.hpp"
#include "app/options/exit_codes.hpp"
#include "app/options/log_start.hpp"
#include "app/options/outbound_options.hpp"
#include "http/front_desk.hpp"
#include "model/clock.hpp"

namespace parley::app {
namespace {

constexpr std::chrono::milliseconds check_interval{20};
/// D91 allows ten seconds in total; handing over the lead takes some of them.
constexpr std::chrono::milliseconds drain_node_for{5'000};
constexpr std::chrono::milliseconds join_again_after{500};

/// The work of the node, which runs beside the main thread; the main thread waits for signals.
class Member {
 public:
  Member(const Config& config, const ServeEvents& events)
      : config_(config),
        events_(events),
        front_(api_options_of(
                   config, [] { return outbound::Figures{}; }, telemetry_, serving_),
               clock_),
        server_(transport_of(config), front_.handler(), front_.fault_renderer(), front_.preauthorizer()) {}

  [[nodiscard]] Expected<Done> listen() {
    TRY_DONE(server_.listen());
    TRY_DONE(server_.start());
    serving_ = &server_;
    return Done{};
  }
  [[nodiscard]] std::uint16_t port() const { return server_.port(); }

  void start() {
    thread_ = std::thread([this] {
      code_ = run();
      // the main thread waits for a signal
      if (!is_stopping_) ::kill(::getpid(), SIGTERM);
    });
  }
  [[nodiscard]] int stop() {
    stops_ms_ = store::boottime_ms();
    is_stopping_ = true;
    thread_.join();
    server_.stop();
    return code_;
  }

 private:
  /// Whether calls to PostgreSQL are interrupted. A node that has joined needs PostgreSQL to hand over and to answer
  /// its clients.
  [[nodiscard]] bool is_stop_requested() const {
    constexpr std::int64_t after_ms = 6'000;
    return is_stopping_ && (!has_joined_ || store::boottime_ms() - stops_ms_ > after_ms);
  }

  /// Returns the exit code. If the copy must be replaced, the next iteration fetches a new one.
  int run() {
    while (!is_stopping_) {
      auto opened = joined();
      if (!opened.ok())
        return opened.problem().kind == ProblemKind::busy ? 0 : cannot_start(opened.problem());
      const auto end = live(std::move(opened).value());
      if (!end) return 0;
      if (end->kind == actors::NodeEnd::Kind::broken) {
        spdlog::error("this node cannot store the log reason=\"{}\"", end->why);
        return exit_broken_store;
      }
      spdlog::warn("this node's copy does not fit the log reason=\"{}\"", end->why);
      ++figures_.rebases;
    }
    return 0;
  }

  /// Waits for PostgreSQL. Problem: `busy` if the server is asked to stop before that.
  Expected<store::Joined> joined() {
    bool is_reported = false;
    while (true) {
      auto opened = open_logged_store(config_, clock_, [this] { return is_stop_requested(); });
      const bool waits = !opened.ok() && opened.problem().kind == ProblemKind::busy;
      if (!waits || is_stopping_) return opened;
      if (!std::exchange(is_reported, true))
        spdlog::warn("waiting for the log reason=\"{}\"", opened.problem().detail);
      std::this_thread::sleep_for(join_again_after);
    }
  }

  /// Returns nullopt if the server was asked to stop.
  std::optional<actors::NodeEnd> live(store::Joined opened) {
    has_joined_ = true;
    NodeLife life({config_, events_, clock_, serving_, figures_}, std::move(opened));
    front_.open(life.api());
    life.start();
    std::optional<actors::NodeEnd> end;
    while (!is_stopping_ && !end) {
      std::this_thread::sleep_for(check_interval);
      end = life.ended();
    }
    if (!end) {
      life.hand_over();
      life.begin_to_end();
      spdlog::info("drained all_answered={}", server_.drain(drain_node_for));
    }
    front_.close();
    life.end();
    // The Api is kept because it counts answers that are still being written.
    past_.push_back(life.take_api());
    has_joined_ = false;
    return end;
  }

  const Config& config_;
  const ServeEvents& events_;
  SystemClock clock_;
  actors::TelemetryFigures telemetry_;
  Serving serving_{nullptr};
  actors::ClusterFigures figures_;
  std::vector<std::unique_ptr<http::Api>> past_;
  http::FrontDesk front_;
  http::Server server_;
  std::atomic<bool> is_stopping_{false};
  std::atomic<bool> has_joined_{false};
  std::atomic<std::int64_t> stops_ms_{0};
  std::thread thread_;
  int code_ = 0;
};

}  // namespace

int serve_cluster(const Config& asked, const ServeEvents& events) {
  const auto place = place_of(asked);
  if (!place) return cannot_listen(place.problem());
  const Config& config = place->config;
  Member member(config, events);
  if (const auto listening = member.listen(); !listening) return cannot_listen(listening.problem());
  events.ready(config, member.port(), std::nullopt);
  member.start();
  events.wait([] {});
  const int code = member.stop();
  spdlog::info("stopped");
  return code;
}

}  // namespace parley::app
