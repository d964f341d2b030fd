#pragma once
/// ReplyTo: the right to answer one call. It turns a Reply or Problem into the transport's response, writes
/// the access line and counts (route, status, time). Copies share the one answer; the first counts. Thread:
/// any.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "http/call.hpp"
#include "http/keys_under_way.hpp"
#include "http/metrics.hpp"
#include "http/reply.hpp"
#include "http/responder.hpp"
#include "model/trace_parent.hpp"

namespace parley::http {

/// What a request is logged and counted as.
struct CallTrace {
  std::string method;
  std::string_view route;       ///< template; empty where none was reached
  std::size_t route_index = 0;  ///< its row in RequestCounts
  std::string request_id;
  int success = 200;
  std::chrono::steady_clock::time_point began;
  std::optional<TraceParent> trace{};
  bool wants_gzip = false;
  std::string allowed_origin{};  ///< for Access-Control-Allow-Origin; empty: none
  bool varies_by_origin = false;
};

class ReplyTo {
 public:
  /// `counts` outlives every answer.
  ReplyTo(Responder responder, CallTrace trace, RequestCounts& counts);

  /// The key is under way until the answer is made, or is lost. Needs: nobody else has a copy yet.
  void hold(KeysUnderWay::Hold key) const { target_->key = std::move(key); }

  void operator()(Result<Reply> reply) const;
  [[nodiscard]] bool has_left() const { return target_->responder.has_left(); }
  /// Renders on the worker's thread, so that the caller's is spared.
  void later(std::function<Result<Reply>()> render) const;

 private:
  struct Target {
    Responder responder;
    CallTrace trace;
    RequestCounts& counts;
    KeysUnderWay::Hold key{};
    [[nodiscard]] Response settle(Result<Reply> reply);
  };
  std::shared_ptr<Target> target_;
};

}  // namespace parley::http
