// Thousands of concurrent calls: they use little memory and do not delay each other (F16, F35, I63, I65).

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

using std::chrono::milliseconds;

/// Accepts thousands of connections on one thread and keeps every request waiting until the test lets it answer all of
/// them.
class PatientServer {
 public:
  PatientServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)), epoll_(::epoll_create1(0)) {
    port_ = listen_on_loopback(listener_);
    watch(listener_);
    thread_ = std::thread([this] { run(); });
  }
  ~PatientServer() {
    is_over_ = true;
    thread_.join();
    for (const int fd : open_) ::close(fd);
    ::close(listener_);
    ::close(epoll_);
  }
  PatientServer(const PatientServer&) = delete;
  PatientServer& operator=(const PatientServer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  [[nodiscard]] std::size_t requests() const { return requests_; }
  void answer_all() { answers_ = true; }

 private:
  void watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }
  void run() {
    std::array<epoll_event, 512> events{};
    while (!is_over_) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 5);
      for (int i = 0; i < count; ++i) on_ready(events.at(static_cast<std::size_t>(i)).data.fd);
      if (!answers_) continue;
      for (const int fd : asking_) ::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
      asking_.clear();
    }
  }
  void on_ready(int fd) {
    if (fd == listener_) {
      for (int peer = ::accept(listener_, nullptr, nullptr); peer >= 0;
           peer = ::accept(listener_, nullptr, nullptr)) {
        open_.push_back(peer);
        watch(peer);
      }
      return;
    }
    std::array<char, 4096> buffer{};
    if (::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT) <= 0) {
      ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
      return;
    }
    // A request of these tests arrives in one piece.
    asking_.push_back(fd);
    ++requests_;
  }

  static constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
  int listener_;
  int epoll_;
  std::uint16_t port_ = 0;
  std::vector<int> open_;
  std::vector<int> asking_;
  std::atomic<std::size_t> requests_ = 0;
  std::atomic<bool> answers_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// As many calls as the descriptors allow: each needs two, one here and one at the server.
std::size_t calls_possible(std::size_t wanted) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return std::min(wanted, static_cast<std::size_t>(limit.rlim_cur) / 2 - 100);
}

std::size_t anonymous_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::size_t kibibytes = 0;
  while (status >> word)
    if (word == "RssAnon:") status >> kibibytes;
  return kibibytes * 1024;
}

TEST(HttpClientLoad, holds_five_thousand_slow_calls_in_little_memory) {
  const auto calls = calls_possible(5'000);
  PatientServer server;
  auto limits = small_limits();
  limits.calls_max = limits.calls_per_origin_max = calls;
  HttpClient client(limits, open_guard());
  std::atomic<std::size_t> answers = 0;
  const auto before = anonymous_bytes();
  for (std::size_t i = 0; i < calls; ++i)
    client.start(to(server.url()), {}, [&](const HttpOutcome& outcome, int) {
      answers += std::holds_alternative<HttpAnswer>(outcome) ? 1U : 0U;
    });
  while (server.requests() < calls) std::this_thread::sleep_for(milliseconds(1));
  const auto bytes_per_call = (anonymous_bytes() - before) / calls;
  RecordProperty("bytes_per_call", static_cast<int>(bytes_per_call));
  EXPECT_EQ(client.figures().on_wire, calls);
  server.answer_all();
  while (client.in_flight() > 0) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(answers, calls);
  [[maybe_unused]] constexpr std::size_t bytes_per_call_max = 32 * 1024;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(bytes_per_call, bytes_per_call_max);
#endif
}

TEST(HttpClientLoad, makes_many_calls_on_kept_connections) {
  PatientServer server;
  server.answer_all();
  HttpClient client(small_limits(), open_guard());
  constexpr std::size_t rounds = 10, calls = 50;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::future<Ended>> ends;
    for (std::size_t i = 0; i < calls; ++i) ends.push_back(begin(client, to(server.url())));
    for (auto& end : ends) ASSERT_EQ(word_of(end.get()), "200");
  }
  EXPECT_LE(client.figures().connections, calls);
  EXPECT_EQ(client.figures().attempts, rounds * calls);
}

}  // namespace
}  // namespace parley::outbound::support
