#pragma once
/// Responder: the right to answer one request, once. A handler may answer immediately, keep a copy and answer later
/// from any thread, or drop it. If it is dropped, the client gets a 500, so that no request hangs forever (F45).
///
/// Thread: any. On the worker thread the answer is sent immediately; other threads send it through the worker's
/// mailbox. Invariant: an answer carries the number of its connection and request, and never reaches another client.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "http/protocol/response.hpp"
#include "http/transport/byte_budget.hpp"

namespace parley::http {

/// Posted by a Responder that is destroyed without an answer.
struct Abandoned {};

/// Rendered on the worker thread just before it is sent.
using LateResponse = std::function<Response()>;

/// Work on the worker thread for a request that has no answer yet.
struct Resumed {
  std::function<void()> work;
};

/// A piece of a stream, already framed; null ends the stream.
struct Piece {
  std::shared_ptr<const std::string> text;
};

struct Answer {
  std::uint64_t connection = 0;
  std::uint64_t request = 0;
  std::variant<Abandoned, Response, LateResponse, Piece, Resumed> content;
};

/// The destination of answers: the worker's mailbox or, in tests of handlers, a list.
class AnswerSink {
 public:
  AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;
  virtual ~AnswerSink() = default;

  /// May be called on any thread. An answer whose client has left is dropped and counted (F37).
  virtual void post(Answer answer) = 0;
  /// Called when a second answer to one request was dropped.
  virtual void on_answered_twice() = 0;
};

/// The right to add pieces to an answer with `is_stream`, from one thread at a time. The destructor ends the stream.
class AnswerStream {
 public:
  AnswerStream(std::shared_ptr<AnswerSink> sink, std::uint64_t connection, std::uint64_t request,
               std::shared_ptr<const std::atomic<bool>> gone)
      : sink_(std::move(sink)), connection_(connection), request_(request), client_left_(std::move(gone)) {}
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;
  ~AnswerStream();

  /// Returns false if the client has left or was disconnected.
  [[nodiscard]] bool push(const std::shared_ptr<const std::string>& piece);
  void end();

 private:
  std::shared_ptr<AnswerSink> sink_;
  std::uint64_t connection_;
  std::uint64_t request_;
  std::shared_ptr<const std::atomic<bool>> client_left_;
  bool has_ended_ = false;
};

class Responder {
 public:
  /// Created by the transport, and by tests with their own sink. `gone` becomes true when the client has left; `body`
  /// counts the request's bytes, which a handler may hold until the last copy is destroyed.
  Responder(std::shared_ptr<AnswerSink> sink, std::uint64_t connection, std::uint64_t request,
            std::shared_ptr<const std::atomic<bool>> gone = {}, ByteBudget::Share body = {});

  /// Sends the first answer; further answers are dropped and counted.
  void send(Response response) const;
  /// Like send, but renders on the worker thread to spare the caller's thread. If rendering throws, the client gets a
  /// 500.
  void send_later(LateResponse response) const;
  /// Calls `work` on the worker thread, so that a request that waited is handled there. `work` must answer, or keep a
  /// copy of this Responder.
  void resume(std::function<void()> work) const;
  /// For the pieces of an answer with `is_stream`, which are sent after that answer.
  [[nodiscard]] std::shared_ptr<AnswerStream> stream() const;
  /// True once it is known that the client has left or will send no more; detected within seconds.
  [[nodiscard]] bool has_left() const { return client_left_ && *client_left_; }

 private:
  struct Right;
  std::shared_ptr<Right> right_;
  std::shared_ptr<const std::atomic<bool>> client_left_;
};

}  // namespace parley::http
