#include "outbound/client/http_client.hpp"

#include <curl/curl.h>

#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "model/check.hpp"
#include "outbound/client/client_loop.hpp"

namespace parley::outbound {
namespace {

// Before any handle is made; OpenSSL may be set up by others too, and takes that well.
void set_up_libcurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(code == CURLE_OK);
}

}  // namespace

class HttpClient::Parts {
 public:
  Parts(const CallLimits& limits, Guard guard, Lookup lookup, OnSlowed on_slowed)
      : limits_(limits),
        guard_(std::move(guard)),
        loop_(limits_, guard_, counters_, std::move(lookup), std::move(on_slowed)) {
    thread_ = std::thread([this] { run(); });
  }

  CallId start(HttpRequest request, RetryRules rules, Completion completion) {
    const CallId id = ++last_id_;
    ++in_flight_;
    // Thousands of bodies wait for their answers, and what writes one leaves room for as much again.
    request.body.shrink_to_fit();
    const std::size_t bytes = request.body.size();
    held_bytes_ += bytes;
    Command command = NewCall{id, std::move(request), rules, counted(std::move(completion), bytes)};
    if (!post(command))
      std::get<NewCall>(command).completion(
          Failure{FailureKind::canceled, "the call was canceled: the server is shutting down", false}, 0);
    return id;
  }

  void cancel(CallId id) {
    Command command = id;
    post(command);
  }

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

  void cancel_group(const Id& group, std::function<void()> done) {
    Command command = CanceledGroup{group, ++epoch_, std::move(done)};
    if (!post(command)) std::get<CanceledGroup>(command).done();
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    if (!thread_.joinable()) return;
    CHECK(thread_.get_id() != std::this_thread::get_id());
    loop_.wake();
    thread_.join();
  }

  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  [[nodiscard]] std::size_t held_bytes() const { return held_bytes_; }

  [[nodiscard]] Figures figures() const {
    Figures figures;
    figures.on_wire = counters_.on_wire;
    figures.waiting = counters_.waiting;
    figures.open_breakers = counters_.open_breakers;
    figures.slowed = counters_.slowed;
    figures.throttled = counters_.throttled;
    figures.throttled_wait_ms = counters_.throttled_wait_ms;
    figures.calls = counters_.calls;
    figures.attempts = counters_.attempts;
    figures.retries = counters_.retries;
    figures.connections = counters_.connections;
    figures.sent_bytes = counters_.sent_bytes;
    figures.received_bytes = counters_.received_bytes;
    figures.answers = counters_.answers;
    for (std::size_t i = 0; i < failure_kinds; ++i) figures.failures.at(i) = counters_.failures.at(i);
    return figures;
  }

 private:
  using Command = std::variant<NewCall, CallId, CanceledGroup>;

  Completion counted(Completion completion, std::size_t bytes) {
    return [this, completion = std::move(completion), bytes](HttpOutcome outcome, int attempts) {
      --in_flight_;
      held_bytes_ -= bytes;
      completion(std::move(outcome), attempts);
    };
  }

  /// Moves the command to the loop, in order; false, and the command stays, once the client is stopping.
  bool post(Command& command) {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return false;
    commands_.push_back(std::move(command));
    // One wake-up for all commands that arrive before the loop reads them.
    if (commands_.size() == 1) loop_.wake();
    return true;
  }

  void run() {
    while (obey()) loop_.turn();
    loop_.cancel_all();
  }

  /// Carries out what was posted; false at the end.
  bool obey() {
    std::vector<Command> commands;
    bool goes_on = true;
    {
      const std::lock_guard lock(mutex_);
      commands.swap(commands_);
      goes_on = !is_stopping_;
    }
    for (auto& command : commands) {
      if (auto* call = std::get_if<NewCall>(&command))
        loop_.start(std::move(*call));
      else if (const auto* id = std::get_if<CallId>(&command))
        loop_.cancel(*id);
      else
        loop_.cancel_group(std::get<CanceledGroup>(command));
    }
    return goes_on;
  }

  const CallLimits limits_;
  const Guard guard_;
  Counters counters_;
  ClientLoop loop_;
  std::atomic<CallId> last_id_ = 0;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::atomic<std::size_t> in_flight_ = 0;
  std::atomic<std::size_t> held_bytes_ = 0;
  std::mutex mutex_;
  std::vector<Command>
      commands_;  // one start a call: bounded by the callers, and by waiting_max once it is taken
  bool is_stopping_ = false;
  std::thread thread_;
};

HttpClient::HttpClient(const CallLimits& limits, Guard guard, Lookup lookup, OnSlowed on_slowed) {
  set_up_libcurl();
  parts_ = std::make_unique<Parts>(limits, std::move(guard), std::move(lookup), std::move(on_slowed));
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
