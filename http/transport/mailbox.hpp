#pragma once
/// Mailbox: delivers answers, new connections and the request to drain from other threads to a worker.
///
/// Thread: post, adopt, ask_to_drain on any; all other functions on the worker thread.
/// Order: the eventfd is written only if the box was empty, and read before the box is emptied, so that no wake-up is
/// lost and a batch costs only one. Invariant: after close() everything is dropped, so a Responder may outlive the
/// server.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "http/transport/descriptor.hpp"
#include "http/transport/responder.hpp"
#include "http/transport/transport_counters.hpp"
#include "store/audit/author.hpp"

namespace parley::http {

/// A connection from the acceptor; a refused connection is answered 503 and closed.
struct Arrival {
  OpenConnections::Seat seat;  ///< declared before the socket, which closes first
  Descriptor socket;
  bool refused = false;
  store::Address peer{};
};

class Mailbox : public AnswerSink {
 public:
  struct Batch {
    std::vector<Answer> answers;
    std::vector<Arrival> arrivals;
    bool drain = false;
    bool give_up = false;
  };

  /// Throws std::system_error if no eventfd can be created.
  explicit Mailbox(std::shared_ptr<TransportCounters> counters);

  void post(Answer answer) override;
  void on_answered_twice() override { count(counters_->answers_dropped); }
  void adopt(Arrival arrival);
  void ask_to_drain();
  /// Answers requests that are still unanswered with 503.
  void ask_to_give_up();

  /// The eventfd; readable if mail has arrived.
  [[nodiscard]] int descriptor() const { return wakeup_.get(); }
  /// After this call, answers given on this thread bypass the box and are passed to `take`.
  void own(std::function<void(Answer)> take);
  [[nodiscard]] Batch take();
  /// Wakes the worker without adding mail.
  void wake() const;
  void close();

 private:
  template <class Put>
  bool put(Put put_in);

  std::shared_ptr<TransportCounters> counters_;
  Descriptor wakeup_;
  std::atomic<std::thread::id> owner_{};
  std::function<void(Answer)> take_;  ///< used by the owner only
  std::mutex mutex_;
  Batch batch_;
  bool signaled_ = false;
  bool closed_ = false;
};

}  // namespace parley::http
