#pragma once
/// ClientLoop: processes the calls of one thread of an HttpClient: slot, name, wire, and the pause before
/// another attempt.
///
///                token         slot                addresses             answer
///   authorizing ──────► queued ──────────► resolving ──────────► on_wire ──────────────► completed
///      ▲ 401              ▲                    │ no name            │ to be repeated
///      │                  └──────── resting ◄──┴────────────────────┤
///      └───────────────────────────────────────────────────────────-┘
///
/// Only calls with a grant are authorized first. If a service asks for fewer calls, its call rests for as long
/// as the service requests, and its origin gets fewer concurrent calls (Pace, ADR 28).
///
/// No attempt of a canceled group begins. Queued, resolving and resting calls are canceled immediately; calls
/// on the wire are canceled when they would rest or be sent again.
///
/// A request whose kept connection was dead is sent again on a fresh one (ADR 12).
///
/// Thread: the client's own only. Completions are called from turn(), cancel_group() and cancel_all(), or
/// earlier if there are many, but never inside a libcurl callback.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "outbound/admission/canceled_groups.hpp"
#include "outbound/admission/slots.hpp"
#include "outbound/client/curl_pool.hpp"
#include "outbound/client/http_client.hpp"
#include "outbound/client/resolver.hpp"
#include "outbound/client/retry_policy.hpp"
#include "outbound/client/shared_calls.hpp"
#include "outbound/client/tokens.hpp"
#include "outbound/client/transfer.hpp"

namespace parley::outbound {

/// The loop's thread writes; any thread may read.
struct Counters {
  std::atomic<std::size_t> on_wire = 0;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> open_breakers = 0;
  std::atomic<std::size_t> slowed = 0;
  std::atomic<std::uint64_t> throttled = 0;
  std::atomic<std::uint64_t> throttled_wait_ms = 0;
  std::atomic<std::uint64_t> calls = 0;
  std::atomic<std::uint64_t> attempts = 0;
  std::atomic<std::uint64_t> retries = 0;
  std::atomic<std::uint64_t> connections = 0;
  std::atomic<std::uint64_t> sent_bytes = 0;
  std::atomic<std::uint64_t> received_bytes = 0;
  std::atomic<std::uint64_t> answers = 0;
  std::array<std::atomic<std::uint64_t>, failure_kinds> failures{};
};

struct NewCall {
  CallId id = 0;
  HttpRequest request;
  RetryRules rules;
  Completion completion;
  std::variant<Url, Failure> url;  ///< URL of the request, already parsed
  std::string origin;              ///< origin to which the call is pinned; empty if the URL is invalid
};

/// A token that another thread fetched for calls of this thread.
struct FetchedToken {
  TokenGrant grant;
  HttpOutcome outcome;
};

/// See HttpClient::cancel_group.
struct CanceledGroup {
  Id group;
  std::uint64_t epoch = 0;
  std::function<void()> done;
};

class ClientLoop {
 public:
  /// State shared with other threads; must outlive the loop.
  struct Surroundings {
    const CallLimits& limits;
    const Guard& guard;
    SharedCalls& shared;
    Counters& counters;
    std::size_t number = 0;  ///< number of the loop's thread
    /// Causes a call of this loop's on_token() on the loop's own thread. Any thread.
    std::function<void(FetchedToken token)> post_token;
  };
  /// Throws std::system_error if the system refuses file descriptors.
  ClientLoop(Surroundings around, Lookup lookup, OnSlowed on_slowed);
  ~ClientLoop();
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  /// Makes turn() return. Any thread.
  void wake() { wire_.wake(); }
  void start(NewCall call);
  void cancel(CallId id);
  void cancel_group(const CanceledGroup& canceled);
  void cancel_all();
  void on_token(const FetchedToken& token);
  /// Waits for an event and handles it.
  void turn();

 private:
  struct Call;
  enum class Phase { authorizing, queued, resolving, on_wire, resting };

  [[nodiscard]] static bool was_sent(const Call& call);
  void authorize(Call& call);
  void fetch_token(const TokenGrant& grant);
  void go_on(Call& call);
  void wait_for_slot(Call& call);
  void watch_queued(Call& call);
  [[nodiscard]] bool admit();
  void release(Call& call, Health health, const Pace::Ended& ended);
  void wake(std::optional<std::size_t> thread);
  void begin(Call& call, CircuitBreaker::Pass pass);
  void on_addresses(const Resolver::Answer& answer);
  void send(Call& call, const std::vector<Address>& addresses);
  void on_timers();
  void on_overdue(Call& call);
  [[nodiscard]] Failure unresolved(const Call& call) const;
  void on_finished(const CurlPool::Finished& finished);
  void send_again(Call& call);
  void on_outcome(Call& call, HttpOutcome outcome);
  [[nodiscard]] bool rests_throttled(Call& call, const HttpOutcome& outcome);
  [[nodiscard]] bool requests_new_token(Call& call, const HttpOutcome& outcome);
  void rest(Call& call, std::int64_t wait_ms);
  void report_pace(const Call& call, std::optional<std::size_t> before);
  [[nodiscard]] double random();
  [[nodiscard]] HttpOutcome last_fault_of(const Call& call) const;
  void remember_fault(const Call& call, Health health, const HttpOutcome& outcome);
  void leave_phase(Call& call, Health health, const Pace::Ended& ended = {});
  void leave_wire(Call& call);
  void complete(Call& call, HttpOutcome outcome);
  void report_completed();
  void set_timer(Call& call, std::int64_t at_ms);
  void clear_timer(Call& call);
  [[nodiscard]] std::int64_t next_turn_ms() const;
  void take_easy_back(Transfer& transfer);
  void publish();

  const Surroundings around_;
  const CallLimits& limits_;
  const Guard& guard_;
  SharedCalls& shared_;
  Counters& counters_;
  CurlPool wire_;
  Resolver resolver_;
  Slots slots_;
  Tokens tokens_;
  OnSlowed on_slowed_;
  CanceledGroups canceled_groups_;
  std::unordered_map<CallId, std::unique_ptr<Call>> calls_;
  struct Completed {
    Completion completion;
    HttpOutcome outcome;
    int attempts = 0;
  };
  std::vector<Completed> completed_;  ///< their completions are called later in this turn
  std::unordered_map<std::string, std::set<CallId>> resolving_;
  std::set<std::pair<std::int64_t, CallId>> timers_;
  std::map<std::string_view, HttpOutcome> last_faults_;  ///< of providers without a good answer since
  std::vector<Easy> spare_;
  bool lacks_permit_ = false;  ///< a call may begin as soon as a permit is available
  std::mt19937_64 random_;
};

}  // namespace parley::outbound
