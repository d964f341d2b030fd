#include "app/process/stop_signals.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <thread>

#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"

namespace parley::app {
namespace {

/// Programs that send a signal twice do so within a few milliseconds; people and timeouts take longer.
constexpr std::chrono::milliseconds same_request_for{75};

StopSignal taken(int number) {
  return {number, std::chrono::steady_clock::now()};
}

[[noreturn]] void end_at_second_request(const sigset_t& signals, const StopSignal& first) {
  StopSignal again = first;
  while (is_same_request(first, again)) {
    int number = 0;
    sigwait(&signals, &number);
    if (number != SIGHUP) again = taken(number);
  }
  spdlog::warn("ended by a second signal signal={}", again.number);
  flush_log();
  _exit(exit_failed);
}

}  // namespace

bool is_same_request(const StopSignal& first, const StopSignal& again) {
  return again.number == first.number && again.at - first.at <= same_request_for;
}

sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void wait_for_stop(const sigset_t& signals, const WhileServing& meanwhile) {
  using Steady = std::chrono::steady_clock;
  constexpr std::chrono::hours day{24};
  auto next_day = Steady::now() + day;
  int number = -1;
  while (number < 0) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(next_day - Steady::now());
    const timespec wait{std::max<std::time_t>(left.count(), 0), 0};
    number = sigtimedwait(&signals, nullptr, &wait);
    if (Steady::now() >= next_day) {
      next_day += day;
      meanwhile.daily();
    }
    if (number == SIGHUP) {
      meanwhile.on_hangup();
      number = -1;
    }
  }
  const StopSignal first = taken(number);
  spdlog::info("stopping signal={}", number);
  std::thread([signals, first] { end_at_second_request(signals, first); }).detach();
}

}  // namespace parley::app
