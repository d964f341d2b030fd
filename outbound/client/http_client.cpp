#include "outbound/client/http_client.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/check.hpp"
#include "outbound/client/client_thread.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t threads_max = 64;

// Runs before any handle is created. Other code may also initialize OpenSSL, which is allowed.
void set_up_libcurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(code == CURLE_OK);
}

/// The limits of one of several threads: the total limits are divided.
CallLimits limits_of_thread(CallLimits limits) {
  limits.lookups_max = std::max<std::size_t>(limits.lookups_max / limits.threads, 1);
  limits.slow_lines_max = std::max<std::size_t>(limits.slow_lines_max / limits.threads, 1);
  return limits;
}

CallLimits checked(CallLimits limits) {
  limits.threads = std::clamp<std::size_t>(limits.threads, 1, threads_max);
  return limits;
}

}  // namespace

class HttpClient::Parts {
 public:
  Parts(const CallLimits& limits, Guard guard, const Lookup& lookup, const OnSlowed& on_slowed)
      : guard_(std::move(guard)), shared_(limits.calls_max, limits.threads) {
    shared_.start = [this](NewCall call) { start(std::move(call)); };
    shared_.wake = [this](std::size_t thread) { threads_.at(thread)->wake(); };
    const CallLimits mine = limits_of_thread(limits);
    for (std::size_t i = 0; i < limits.threads; ++i)
      threads_.push_back(std::make_unique<ClientThread>(mine, guard_, shared_, i, lookup, on_slowed));
    try {
      for (const auto& thread : threads_) thread->begin();
    } catch (...) {
      stop();  // stops the threads that have begun
      throw;
    }
  }

  CallId start(HttpRequest request, RetryRules rules, Completion completion) {
    ++in_flight_;
    // Thousands of bodies wait for their answers, and writing a body reserves the same space again.
    request.body.shrink_to_fit();
    const std::size_t bytes = request.body.size();
    held_bytes_ += bytes;
    NewCall call;
    call.request = std::move(request);
    call.rules = rules;
    call.completion = counted(std::move(completion), bytes);
    return start(std::move(call));
  }

  void cancel(CallId id) {
    ClientThread::Command command = id;
    threads_[id % threads_.size()]->post(command);
  }

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

  void cancel_group(const Id& group, std::function<void()> done) {
    const auto left = std::make_shared<std::atomic<std::size_t>>(threads_.size());
    const auto done_by_one = [left, done = std::move(done)] {
      if (--*left == 0) done();
    };
    const std::uint64_t epoch = ++epoch_;
    for (const auto& thread : threads_) {
      ClientThread::Command command = CanceledGroup{group, epoch, done_by_one};
      if (!thread->post(command)) done_by_one();
    }
  }

  void stop() {
    for (const auto& thread : threads_) thread->stop_soon();
    for (const auto& thread : threads_) thread->join();
  }

  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  [[nodiscard]] std::size_t held_bytes() const { return held_bytes_; }

  [[nodiscard]] Figures figures() const {
    Figures figures;
    for (const auto& thread : threads_) add(figures, thread->counters());
    return figures;
  }

 private:
  /// Starts the call on the thread of its origin.
  CallId start(NewCall call) {
    call.url = parse_url(call.request.url);
    if (const auto* url = std::get_if<Url>(&call.url)) call.origin = origin(*url);
    const std::string pinned = call.origin;
    const std::size_t thread = pinned.empty() ? 0 : shared_.begin(pinned);
    // An id contains the thread of the call, and ids increase from call to call.
    const CallId id = ++last_id_ * threads_.size() + thread;
    call.id = id;
    ClientThread::Command command = std::move(call);
    if (threads_[thread]->post(command)) return id;
    shared_.end(pinned);
    std::get<NewCall>(command).completion(
        Failure{FailureKind::canceled, "the call was canceled: the server is shutting down", false}, 0);
    return id;
  }

  Completion counted(Completion completion, std::size_t bytes) {
    return [this, completion = std::move(completion), bytes](HttpOutcome outcome, int attempts) {
      --in_flight_;
      held_bytes_ -= bytes;
      completion(std::move(outcome), attempts);
    };
  }

  static void add(Figures& figures, const Counters& counters) {
    figures.on_wire += counters.on_wire;
    figures.waiting += counters.waiting;
    figures.open_breakers += counters.open_breakers;
    figures.slowed += counters.slowed;
    figures.throttled += counters.throttled;
    figures.throttled_wait_ms += counters.throttled_wait_ms;
    figures.calls += counters.calls;
    figures.attempts += counters.attempts;
    figures.retries += counters.retries;
    figures.connections += counters.connections;
    figures.sent_bytes += counters.sent_bytes;
    figures.received_bytes += counters.received_bytes;
    figures.answers += counters.answers;
    for (std::size_t i = 0; i < failure_kinds; ++i) figures.failures.at(i) += counters.failures.at(i);
  }

  const Guard guard_;
  SharedCalls shared_;
  std::atomic<CallId> last_id_ = 0;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::atomic<std::size_t> in_flight_ = 0;
  std::atomic<std::size_t> held_bytes_ = 0;
  std::vector<std::unique_ptr<ClientThread>> threads_;
};

HttpClient::HttpClient(const CallLimits& limits, Guard guard, const Lookup& lookup,
                       const OnSlowed& on_slowed) {
  set_up_libcurl();
  parts_ = std::make_unique<Parts>(checked(limits), std::move(guard), lookup, on_slowed);
}

HttpClient::~HttpClient() {
  stop();
}

CallId HttpClient::start(HttpRequest request, RetryRules rules, Completion completion) {
  return parts_->start(std::move(request), rules, std::move(completion));
}

void HttpClient::cancel(CallId id) {
  parts_->cancel(id);
}

std::uint64_t HttpClient::epoch() const {
  return parts_->epoch();
}

void HttpClient::cancel_group(const Id& group, std::function<void()> done) {
  parts_->cancel_group(group, std::move(done));
}

std::size_t HttpClient::in_flight() const {
  return parts_->in_flight();
}

std::size_t HttpClient::held_bytes() const {
  return parts_->held_bytes();
}

Figures HttpClient::figures() const {
  return parts_->figures();
}

void HttpClient::stop() {
  parts_->stop();
}

}  // namespace parley::outbound
