#include "client/remote/stop_request.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <ctime>

namespace parley::client {
namespace {

// Signal handlers can use only static objects, which live as long as the process.
std::atomic<bool> is_requested{false};
std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_ms{0};
/// Process groups of running exec agents; 0: a free slot.
std::array<std::atomic<int>, 1024> groups{};

/// timeout(1) and shells signal both the process and its group, so that one request arrives twice within
/// milliseconds.
constexpr std::int64_t same_request_ms = 100;

constexpr int look_ms = 100;  ///< interval between checks for a stop request

std::int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void on_signal(int signal) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    first_ms = now_ms();
    is_requested = true;
    return;
  }
  if (now_ms() - first_ms.load() < same_request_ms) return;
  for (const auto& group : groups)
    if (const int id = group.load(); id > 0) ::kill(-id, SIGKILL);
  _exit(128 + signal);
}

}  // namespace

void take_stop_requests() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // Handle the end of the terminal, unless nohup(1) has asked to ignore it.
  struct sigaction before = {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    ::sigaction(SIGHUP, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& stop_requested() {
  return is_requested;
}

int stop_exit_code() {
  const int signal = first_signal.load();
  return signal == 0 ? 0 : 128 + signal;
}

bool wait_for_line() {
  if (::isatty(STDIN_FILENO) == 0) return true;
  while (!is_requested) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, look_ms) > 0) return true;
  }
  return false;
}

void finish_after_stop() {
  is_requested = false;
}

void note_process_group(int group) {
  for (auto& each : groups) {
    int none = 0;
    if (each.compare_exchange_strong(none, group)) return;
  }
}

void forget_process_group(int group) {
  for (auto& each : groups) {
    int expected = group;
    if (each.compare_exchange_strong(expected, 0)) return;
  }
}

}  // namespace parley::client
