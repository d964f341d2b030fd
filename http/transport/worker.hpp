#pragma once
/// Worker: one thread with an event loop, and the connections that only this thread uses.
///
/// Thread: start, stop and mailbox on the server's thread; everything else on the worker's own.
/// Invariant: a connection's id is never reused, so an event or answer for a closed connection finds nothing.

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "http/transport/connection.hpp"
#include "http/transport/event_loop.hpp"
#include "http/transport/mailbox.hpp"

namespace parley::http {

class Worker {
 public:
  /// Shared by all workers of a server; must outlive them.
  struct Common {
    const ServerOptions& options;
    const Handler& handle;
    const FaultRenderer& render_fault;
    const Preauthorizer& preauthorize;
    std::shared_ptr<TransportCounters> counters;
    std::shared_ptr<ByteBudget> bodies;
    std::shared_ptr<ByteBudget> answers_held;
  };

  /// Throws std::system_error or std::runtime_error if descriptors run out.
  explicit Worker(const Common& common);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Throws std::system_error if no thread can be created. `name`: at most 15 characters.
  void start(const std::string& name);
  /// Ends the thread and every connection, whether answered or not.
  void stop();
  [[nodiscard]] Mailbox& mailbox() { return *mailbox_; }

 private:
  void on_ready(const std::vector<Readiness>& events);
  void on_event(const Readiness& event);
  void on_mail();
  void on_arrival(Arrival arrival);
  void on_answer(Answer answer);
  void on_tick();
  void on_drain();
  void go_on_with_unfinished();
  template <class Act>
  void let(std::uint64_t id, Act act);
  template <class Act>
  void let_all(Act act);

  std::shared_ptr<TransportCounters> counters_;
  std::shared_ptr<Mailbox> mailbox_;
  Descriptor timer_;
  WorkerScope scope_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::uint64_t next_id_;
  std::vector<std::uint64_t> unfinished_;
  EventLoop loop_;
  std::thread thread_;
};

}  // namespace parley::http
