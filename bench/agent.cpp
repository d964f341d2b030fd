/// An HTTP agent for measurements: answers every POST after a fixed time, but never if the path is /hang. One thread,
/// one epoll; all answers wait equally long, so a queue serves as the timer. It prints its port at the start. Below
/// /tester/ it answers as a model that plays the tester, below /judge/ as one that judges.
/// GET /turns: the times between the calls of each conversation since the last GET /turns, in ms, one per line.
/// Usage: parley_agent LATENCY_MS; ends on SIGTERM.

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

std::string answer_with(std::string_view body) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                     body.size(), body);
}

/// A chat completion; `content` is already escaped.
std::string completion_with(std::string_view content) {
  return answer_with(fmt::format(
      R"({{"id":"c1","object":"chat.completion","model":"m","choices":[{{"index":0,"finish_reason":"stop",)"
      R"("message":{{"role":"assistant","content":"{}"}}}}],)"
      R"("usage":{{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}}})",
      content));
}

const std::string agent_answer = answer_with(R"({"message":"I said it"})");
const std::string tester_answer = completion_with("Please go on.");
/// The answer cites the first message of the agent.
const std::string judge_answer =
    completion_with(R"({\"verdict\":\"passed\",\"reason\":\"It says so.\",)"
                    R"(\"evidence\":[{\"entry\":\"e2\",\"quote\":\"I said it\"}]})");

const std::string& answer_to(std::string_view request) {
  if (request.starts_with("POST /tester/")) return tester_answer;
  return request.starts_with("POST /judge/") ? judge_answer : agent_answer;
}

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The text that follows `mark`; empty if `mark` is absent.
std::string_view after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

class Agent {
 public:
  explicit Agent(std::chrono::milliseconds latency) : latency_(latency), epoll_(::epoll_create1(0)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    const bool is_listening = ::bind(listener_, plain, size) == 0 && ::listen(listener_, 8192) == 0 &&
                              ::getsockname(listener_, plain, &size) == 0;
    if (!is_listening || !watch(listener_)) std::exit(1);
    fmt::print("{}\n", ntohs(address.sin_port));
    std::fflush(stdout);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 512> events{};
    for (;;) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_ms());
      for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        fd == listener_ ? accept_all() : read(fd);
      }
      answer_due();
    }
  }

 private:
  struct Connection {
    std::uint64_t number = 0;  ///< distinguishes the connection from an older one with the same descriptor
    std::string bytes;
  };
  struct Due {
    Clock::time_point at;
    int fd;
    std::uint64_t number;
    const std::string* answer;
  };

  bool watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0;
  }

  [[nodiscard]] int wait_ms() const {
    if (due_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due_.front().at - Clock::now());
    return left.count() > 0 ? static_cast<int>(left.count()) : 0;
  }

  void accept_all() {
    for (;;) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK);
      if (fd < 0) return;
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      connections_[fd] = {++last_number_, {}};
      if (!watch(fd)) close(fd);
    }
  }

  void close(int fd) {
    connections_.erase(fd);
    ::close(fd);
  }

  void read(int fd) {
    std::array<char, 64 * 1024> bytes{};
    const auto got = ::read(fd, bytes.data(), bytes.size());
    if (got <= 0) return close(fd);
    Connection& connection = connections_[fd];
    connection.bytes.append(bytes.data(), static_cast<std::size_t>(got));
    const auto end = connection.bytes.find("\r\n\r\n");
    if (end == std::string::npos) return;
    const auto length =
        number_of(after(std::string_view(connection.bytes).substr(0, end), "Content-Length: "));
    if (connection.bytes.size() < end + 4 + length) return;
    const std::string request = std::exchange(connection.bytes, {});
    take(fd, connection.number, request);
  }

  void take(int fd, std::uint64_t number, std::string_view request) {
    if (request.substr(0, 10) == "GET /turns") return answer_turns(fd);
    if (request.substr(0, 10) == "POST /hang") return;
    const auto now = Clock::now();
    const auto result = after(request, R"("testResultId":")").substr(0, 36);
    if (!result.empty()) note(result, now);
    due_.push_back({now + latency_, fd, number, &answer_to(request)});
  }

  void note(std::string_view result, Clock::time_point now) {
    const auto [found, is_new] = last_.try_emplace(std::string(result), now);
    if (is_new) return;
    turns_ms_.push_back(std::chrono::duration<double, std::milli>(now - found->second).count());
    found->second = now;
  }

  void answer_turns(int fd) {
    std::string body;
    for (const double turn : turns_ms_) body += fmt::format("{:.3f}\n", turn);
    turns_ms_.clear();
    last_.clear();
    const auto whole = fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                                   body.size(), body);
    std::size_t sent = 0;
    while (sent < whole.size()) {
      const auto put = ::send(fd, whole.data() + sent, whole.size() - sent, MSG_NOSIGNAL);
      if (put <= 0 && errno != EAGAIN) break;
      if (put > 0) sent += static_cast<std::size_t>(put);
    }
    close(fd);
  }

  void answer_due() {
    const auto now = Clock::now();
    while (!due_.empty() && due_.front().at <= now) {
      const Due due = due_.front();
      due_.pop_front();
      const auto found = connections_.find(due.fd);
      if (found == connections_.end() || found->second.number != due.number) continue;
      if (::send(due.fd, due.answer->data(), due.answer->size(), MSG_NOSIGNAL) < 0) close(due.fd);
    }
  }

  std::chrono::milliseconds latency_;
  int epoll_;
  int listener_ = -1;
  std::uint64_t last_number_ = 0;
  std::unordered_map<int, Connection> connections_;
  std::deque<Due> due_;
  std::unordered_map<std::string, Clock::time_point> last_;
  std::vector<double> turns_ms_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} LATENCY_MS\n", argv[0]);
    return 2;
  }
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &descriptors);
  Agent(std::chrono::milliseconds(number_of(argv[1]))).run();
}
