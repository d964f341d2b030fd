#pragma once
/// Responder: the one right to answer one request. A handler may answer at once, keep a copy and answer later
/// from any thread, or lose it: then the client gets a 500, so that no request hangs for ever (F45).
///
/// Thread: any. On the worker's own thread the answer goes out at once, from others through the worker's
/// mailbox. Invariant: an answer names its connection and its request; the client of another one never gets
/// it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "http/protocol/response.hpp"
#include "http/transport/byte_budget.hpp"

namespace parley::http {

/// What a Responder leaves when it was lost unanswered.
struct Abandoned {};

/// Made on the worker's thread just before it is sent.
using LateResponse = std::function<Response()>;

struct Answer {
  std::uint64_t connection = 0;
  std::uint64_t request = 0;
  std::variant<Abandoned, Response, LateResponse> content;
};

/// Where answers go: the worker's mailbox; in tests of handlers, a list.
class AnswerSink {
 public:
  AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;
  virtual ~AnswerSink() = default;

  /// Any thread. An answer that nobody waits for any more is dropped and counted (F37).
  virtual void post(Answer answer) = 0;
  /// A second answer to one request was dropped.
  virtual void on_answered_twice() = 0;
};

class Responder {
 public:
  /// The transport makes Responders; tests may, with a sink of their own. `gone` turns true when the client has left;
  /// `body` counts the request's, which somebody may hold until the last copy goes.
  Responder(std::shared_ptr<AnswerSink> sink, std::uint64_t connection, std::uint64_t request,
            std::shared_ptr<const std::atomic<bool>> gone = {}, ByteBudget::Share body = {});

  /// The first answer counts; further ones are dropped and counted.
  void send(Response response) const;
  /// As send, but rendered on the worker's thread: the caller's is spared. If it throws, the client gets a
  /// 500.
  void send_later(LateResponse response) const;
  /// True once the client is known to have left, or to send nothing more; told within some seconds.
  [[nodiscard]] bool has_left() const { return gone_ && *gone_; }

 private:
  struct Right;
  std::shared_ptr<Right> right_;
  std::shared_ptr<const std::atomic<bool>> gone_;
};

}  // namespace parley::http
