#pragma once
/// ReplyTo: the right to answer one call. It turns a Reply or Problem into the transport's response, writes
/// the access log line and counts the request (route, status, time). Copies share the one answer; the first
/// counts. Thread: any.

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>

#include "actors/streams/event_stream.hpp"
#include "http/exchange/metrics.hpp"
#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"
#include "http/exchange/requests_in_flight.hpp"
#include "http/transport/responder.hpp"
#include "model/text/trace_parent.hpp"

namespace parley::http {

/// The attributes by which a request is logged and counted.
struct CallTrace {
  std::string method;
  std::string_view route;       ///< template; empty without a route
  std::size_t route_index = 0;  ///< its row in RequestCounts
  std::string request_id;
  int success = 200;
  std::chrono::steady_clock::time_point began;
  std::optional<TraceParent> trace{};
  bool wants_gzip = false;
  bool ends_line = false;        ///< for curl in a terminal, whose prompt would follow the last brace
  std::string allowed_origin{};  ///< for Access-Control-Allow-Origin; empty: none
  bool varies_by_origin = false;
  std::string client{};    ///< its address
  std::string key{};       ///< prefix of the caller's key; empty: none
  std::string user{};      ///< id of the caller
  std::string if_match{};  ///< of a GET: the version that the client wants; empty: any
};

class ReplyTo {
 public:
  /// `counts` outlives every answer.
  ReplyTo(Responder responder, CallTrace trace, RequestCounts& counts);

  /// The answer lists the content of `ignored` as Parley-Ignored (D99). Needs: no other copy yet.
  void report(std::shared_ptr<const std::vector<std::string>> ignored) const {
    target_->ignored = std::move(ignored);
  }

  /// The key is in use until the answer is made or lost. Needs: no other copy yet.
  void hold(RequestsInFlight::Hold key) const { target_->key = std::move(key); }

  /// The caller, for the log. Needs: no other copy yet.
  void is_of(const Principal& caller) const;

  void operator()(Expected<Reply> reply) const;
  /// The answer of another node, unchanged.
  void pass(Response response) const;
  /// The answer is made from a copy of this age. Needs: no answer yet.
  void is_stale(std::int64_t age_ms) const { target_->stale_ms = age_ms; }
  /// Called instead of sending an answer `no-leader` or, if `is_doubtful`, `in-doubt`.
  using Retry = std::function<void(const ReplyTo& unanswered, bool is_doubtful)>;
  /// `retry` is called once: for `no-leader`, and for `in-doubt` if the request has a key. Needs: no answer is being made.
  void if_undecided(Retry retry, bool has_key) const {
    target_->retry = std::move(retry);
    target_->has_key = has_key;
  }
  /// Reports whether the call was answered; if not and it is late, answers with `problem`. Keeps nothing of the call alive.
  [[nodiscard]] std::function<bool(bool is_late)> expiry(Problem problem) const;
  /// Calls `work` on the worker's thread.
  void resume(std::function<void()> work) const;
  [[nodiscard]] const std::string& request_id() const { return target_->trace.request_id; }
  /// Answers with `reply`, whose body follows in pieces. Null: the client has left.
  [[nodiscard]] std::shared_ptr<actors::EventSink> stream(Reply reply) const;
  [[nodiscard]] bool has_left() const { return target_->responder.has_left(); }
  /// Renders on the worker's thread, so that the caller's is spared.
  void later(std::function<Expected<Reply>()> render) const;
  /// An exception of `work` is counted, logged as a problem, and answered with 500 unless an answer was
  /// given: its text is not for clients (D3). Running out of memory is passed on to the transport, which
  /// answers 503 (F40).
  template <class Work>
  void guarded(const Work& work) const {
    try {
      work();
    } catch (const std::bad_alloc&) {
      target_->counts.add_exception();
      throw;
    } catch (const std::exception& thrown) {
      fail(thrown.what());
    }
  }

 private:
  void fail(std::string_view what) const;

  struct Target {
    Target(Responder to, CallTrace of, RequestCounts& counted)
        : responder(std::move(to)), trace(std::move(of)), counts(counted) {}

    Responder responder;
    CallTrace trace;
    RequestCounts& counts;
    RequestsInFlight::Hold key{};
    std::shared_ptr<const std::vector<std::string>> ignored{};
    std::atomic<bool> is_answered = false;
    std::optional<std::int64_t> stale_ms{};
    Retry retry{};
    bool has_key = false;

    [[nodiscard]] Response settle(Expected<Reply> reply);
    [[nodiscard]] Retry take_retry(const Expected<Reply>& reply);
    void count_and_log(Response& response) const;
    [[nodiscard]] Response response_to(Expected<Reply> reply);
    [[nodiscard]] Response broken_off(std::string_view what);
    void log_problem(const Problem& problem) const;
  };
  std::shared_ptr<Target> target_;
};

}  // namespace parley::http
