#pragma once
/// ClientThread: one of the threads of an HttpClient: a ClientLoop, and the commands that wait for it.
///
/// Thread: post, wake and counters on any; stop_soon and join on any but its own. Order: all threads are joined before any
/// is destroyed, because a call of one may be started by another.

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

  /// `guard` and `shared` outlive it. Throws std::system_error when the system refuses descriptors.
  ClientThread(const CallLimits& limits, const Guard& guard, SharedCalls& shared, std::size_t number,
               Lookup lookup, OnSlowed on_slowed);

  /// Throws std::system_error when the system refuses a thread.
  void begin();
  /// Moves the command to the loop, in order; false, with the command unchanged, once the thread must stop.
  bool post(Command& command);
  void wake() { loop_.wake(); }
  void stop_soon();
  void join();
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  void run();
  /// Executes the posted commands; false at the end.
  bool obey();

  const CallLimits limits_;
  Counters counters_;
  ClientLoop loop_;
  std::mutex mutex_;
  std::vector<Command>
      commands_;  ///< one starts a call: bounded by the callers, and by waiting_max once it is accepted
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace parley::outbound
