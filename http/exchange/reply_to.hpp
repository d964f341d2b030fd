#pragma once
/// ReplyTo: the right to answer one call. It turns a Reply or Problem into the transport's response, writes the
/// access log line and counts the request (route, status, time). All copies share one answer; only the first answer
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

/// The attributes with which a request is logged and counted.
struct CallTrace {
  std::string method;
  std::string_view route;       ///< the template; empty for a request without a route
  std::size_t route_index = 0;  ///< its row in RequestCounts
  std::string request_id;
  int success = 200;
  std::chrono::steady_clock::time_point began;
  std::optional<TraceParent> trace{};
  bool wants_gzip = false;
  bool ends_line = false;        ///< for curl in a terminal, where the prompt would follow the last brace
  std::string allowed_origin{};  ///< for Access-Control-Allow-Origin; empty: field omitted
  bool varies_by_origin = false;
  store::Address client{};  ///< all zeros if unknown
  std::string key{};        ///< prefix of the caller's key; empty if there is no key
  Id user{};                ///< the calling user
  std::string if_match{};   ///< for a GET: the version that the client wants; empty: any
};

class ReplyTo {
 public:
  /// Needs: `counts` outlives every answer.
  ReplyTo(Responder responder, CallTrace trace, RequestCounts& counts);

  /// The answer lists the content of `ignored` in Parley-Ignored (D99). Needs: no other copy yet.
  void report(std::shared_ptr<const std::vector<std::string>> ignored) const {
    target_->ignored = std::move(ignored);
  }

  /// Holds the key until the answer is made or lost. Needs: no other copy yet.
  void hold(RequestsInFlight::Hold key) const { target_->key = std::move(key); }

  /// Records the caller for the log. Needs: no other copy yet.
  void is_of(const Principal& caller) const;

  void operator()(Expected<Reply> reply) const;
  /// Passes on the answer of another node unchanged.
  void pass(Response response) const;
  /// Declares that the answer is made from a copy of this age. Needs: no answer yet.
  void is_stale(std::int64_t age_ms) const { target_->stale_ms = age_ms; }
  /// Called instead of sending `no-leader` or, if `is_doubtful`, `in-doubt`.
  using Retry = std::function<void(const ReplyTo& unanswered, bool is_doubtful)>;
  /// `retry` is called once: for `no-leader`, and for `in-doubt` if the request has a key. Needs: no answer is being
  /// made.
  void if_undecided(Retry retry, bool has_key) const {
    target_->retry = std::move(retry);
    target_->has_key = has_key;
  }
  /// Returns a function that reports whether the call was answered, and if not and it is late, answers with
  /// `problem`. The function keeps nothing of the call alive.
  [[nodiscard]] std::function<bool(bool is_late)> expiry(Problem problem) const;
  /// Calls `work` on the worker thread.
  void resume(std::function<void()> work) const;
  [[nodiscard]] const std::string& request_id() const { return target_->trace.request_id; }
  /// Answers with `reply`, whose body follows in pieces. Returns null if the client has left.
  [[nodiscard]] std::shared_ptr<actors::EventSink> stream(Reply reply) const;
  [[nodiscard]] bool has_left() const { return target_->responder.has_left(); }
  /// Calls `render` on the worker thread, to spare the caller's thread.
  void later(std::function<Expected<Reply>()> render) const;
  /// Counts an exception from `work`, logs it as a problem, and answers 500 unless an answer was already given: the
  /// exception text is not for clients (D3). Out of memory is passed on to the transport, which answers 503 (F40).
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
