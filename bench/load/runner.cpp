#include "bench/load/runner.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>

namespace parley::load {
namespace {

constexpr std::size_t errors_kept = 5;
/// How long to wait for requests in progress after the load.
constexpr std::chrono::seconds patience{5};

struct Lane {
  Connection connection;
  std::unique_ptr<Client> client;
  Clock::time_point started;  ///< or, with a rate, the due time
  bool is_busy = false;
};

class Share {
 public:
  Share(Work& work, Clock::time_point from, Clock::time_point until)
      : work_(work), from_(from), until_(until), epoll_(epoll_create1(EPOLL_CLOEXEC)) {}
  ~Share() { ::close(epoll_); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  Figures run(std::size_t first, std::size_t connections) {
    lanes_.resize(connections);
    const auto start = Clock::now();
    for (std::size_t i = 0; i < connections; ++i) {
      lanes_[i].client = make_client(work_, first + i);
      lanes_[i].started =
          start + gap() * static_cast<int>(first + i) / static_cast<int>(work_.options.connections);
      begin(i);
    }
    std::array<epoll_event, 256> events{};
    while ((busy_ > 0 || !waiting_.empty()) && Clock::now() < until_ + patience) {
      const timespec timeout = until_next();
      const int count =
          epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &timeout, nullptr);
      for (int e = 0; e < count; ++e) turn(events[static_cast<std::size_t>(e)].data.u64);
      begin_due();
    }
    for (Lane& lane : lanes_) {
      if (lane.is_busy) figures_.fail("no answer within " + std::to_string(patience.count()) + " s");
      lane.client->stop();
    }
    return std::move(figures_);
  }

 private:
  [[nodiscard]] bool is_paced() const { return work_.options.rate > 0; }

  /// The time between two requests of one connection.
  [[nodiscard]] Clock::duration gap() const {
    if (!is_paced()) return {};
    const double seconds = static_cast<double>(work_.options.connections) / work_.options.rate;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  [[nodiscard]] timespec until_next() const {
    constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(100);
    std::chrono::nanoseconds left = longest;
    if (!waiting_.empty()) {
      left = std::clamp<std::chrono::nanoseconds>(waiting_.top().first - Clock::now(), {}, longest);
    }
    return {.tv_sec = 0, .tv_nsec = left.count()};
  }

  void begin_due() {
    while (!waiting_.empty() && waiting_.top().first <= Clock::now()) {
      const std::size_t index = waiting_.top().second;
      waiting_.pop();
      begin(index);
    }
  }

  /// Sends the next request of a lane, if there is one and it is due; otherwise leaves it waiting.
  void begin(std::size_t index) {
    Lane& lane = lanes_[index];
    const auto now = Clock::now();
    if (now >= until_) return;
    if (!is_paced()) lane.started = now;
    if (lane.started > now) {
      waiting_.emplace(lane.started, index);
      return;
    }
    if (!lane.connection.is_open() && !connect(index)) return;
    if (!lane.client->ask(lane.connection.request())) return;
    lane.is_busy = true;
    ++busy_;
    if (!lane.connection.send()) lost(lane);
  }

  bool connect(std::size_t index) {
    Lane& lane = lanes_[index];
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = index;
    if (lane.connection.open(work_.options.host, work_.options.port) &&
        epoll_ctl(epoll_, EPOLL_CTL_ADD, lane.connection.descriptor(), &event) == 0) {
      return true;
    }
    figures_.fail(std::string("connect: ") + std::strerror(errno));
    return false;
  }

  void lost(Lane& lane) {
    figures_.fail("connection lost");
    lane.connection.close();
    lane.is_busy = false;
    --busy_;
  }

  void turn(std::size_t index) {
    Lane& lane = lanes_[index];
    if (!lane.connection.is_open()) return;
    if (!lane.is_busy) {
      Answer none;
      if (lane.connection.read(none) == Connection::Reading::lost) lane.connection.close();
      return;
    }
    if (!lane.connection.send()) return lost(lane);
    Answer answer;
    switch (lane.connection.read(answer)) {
      case Connection::Reading::incomplete: return;
      case Connection::Reading::lost: return lost(lane);
      case Connection::Reading::complete: break;
    }
    lane.is_busy = false;
    --busy_;
    measure(lane, answer);
    if (answer.closes) lane.connection.close();
    lane.started += gap();
    begin(index);
  }

  void measure(Lane& lane, const Answer& answer) {
    const auto now = Clock::now();
    const bool is_measured = lane.client->is_measured() && lane.started >= from_;
    std::string wrong = lane.client->hear(answer);
    if (!wrong.empty()) return figures_.fail(std::move(wrong));
    if (!is_measured) return;
    figures_.latency.add(static_cast<std::uint64_t>((now - lane.started).count()));
    figures_.bytes += answer.body.size();
    figures_.last = now;
  }

  Work& work_;
  Clock::time_point from_;
  Clock::time_point until_;
  int epoll_;
  std::vector<Lane> lanes_;
  /// Connections whose next request is not due yet.
  using Due = std::pair<Clock::time_point, std::size_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> waiting_;
  std::size_t busy_ = 0;
  Figures figures_;
};

}  // namespace

void Figures::fail(std::string what) {
  ++errors;
  if (first_errors.size() < errors_kept) first_errors.push_back(std::move(what));
}

void Figures::merge(const Figures& other) {
  latency.merge(other.latency);
  bytes += other.bytes;
  errors += other.errors;
  for (const std::string& error : other.first_errors) {
    if (first_errors.size() < errors_kept) first_errors.push_back(error);
  }
  last = std::max(last, other.last);
}

Figures run_share(Work& work, std::size_t first, std::size_t connections, Clock::time_point from,
                  Clock::time_point until) {
  return Share(work, from, until).run(first, connections);
}

}  // namespace parley::load
