#include "app/process/stop_signals.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <thread>

#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"

namespace parley::app {
namespace {

/// Programs that send a signal twice do so within a few milliseconds; people and time-outs take longer.
constexpr std::chrono::milliseconds same_request_for{75};

StopSignal taken(int number) {
  return {number, std::chrono::steady_clock::now()};
}

[[noreturn]] void end_at_second_request(const sigset_t& signals, const StopSignal& first) {
  StopSignal again = first;
  while (is_same_request(first, again)) {
    int number = 0;
    sigwait(&signals, &number);
    again = taken(number);
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
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  return signals;
}

void wait_for_stop(const sigset_t& signals, const std::function<void()>& daily) {
  constexpr timespec day{24 * 60 * 60, 0};
  int number = -1;
  while (number < 0) {
    number = sigtimedwait(&signals, nullptr, &day);
    if (number < 0 && errno == EAGAIN) daily();
  }
  const StopSignal first = taken(number);
  spdlog::info("stopping signal={}", number);
  std::thread([signals, first] { end_at_second_request(signals, first); }).detach();
}

}  // namespace parley::app
