#pragma once
/// ClientThread: one of the threads of an HttpClient: a ClientLoop and the queue of its commands.
///
/// Thread: post, wake and counters on any; stop_soon and join on any but its own. Order: join all threads
/// before destroying any of them, because a call on one thread may start a call on another.

#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "outbound/client/client_loop.hpp"

namespace parley::outbound {

class ClientThread {
 public:
  using Command = std::variant<NewCall, CallId, CanceledGroup, FetchedToken>;

  /// `guard` and `shared` must outlive the object. Throws std::system_error if the system refuses file descriptors.
  ClientThread(const CallLimits& limits, const Guard& guard, SharedCalls& shared, std::size_t number,
               Lookup lookup, OnSlowed on_slowed);

  /// Throws std::system_error if the system refuses a thread.
  void begin();
  /// Queues the command for the loop, in order. False once the thread must stop; the command is then unchanged.
  bool post(Command& command);
  void wake() { loop_.wake(); }
  void stop_soon();
  void join();
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  void run();
  /// Executes the posted commands. False if the thread must stop.
  bool obey();

  const CallLimits limits_;
  Counters counters_;
  ClientLoop loop_;
  std::mutex mutex_;
  /// Starts of calls are limited by the callers, and by waiting_max once accepted.
  std::vector<Command> commands_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace parley::outbound
