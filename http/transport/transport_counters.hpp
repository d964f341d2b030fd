#pragma once
/// What the transport counts, and how many connections are open. One of each a server, shared by all its
/// threads and by Responders that outlive it.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace parley::http {

/// Thread: any; each number is right by itself, two of them need not fit together.
struct TransportCounters {
  using Count = std::atomic<std::uint64_t>;
  Count connections_accepted = 0;
  Count connections_refused = 0;  ///< over the cap or without descriptors
  Count requests = 0;
  Count responses = 0;
  Count faults = 0;           ///< requests that could not be read, time-outs among them
  Count timeouts = 0;         ///< heads and bodies that were too slow
  Count write_stalls = 0;     ///< clients cut because they did not read
  Count answers_dropped = 0;  ///< given twice, or after the client had left
  Count answers_missing = 0;  ///< Responders lost unanswered
  Count handler_exceptions = 0;
  Count answers_refused = 0;    ///< for want of room: too many bytes wait for clients that do not read
  Count responses_refused = 0;  ///< answers with fields that may not be sent
  Count worker_exceptions = 0;  ///< connections ended because memory ran out
};

/// Raises one number; readers need no order among them.
inline void count(TransportCounters::Count& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
}

/// How many connections are open, from accept to close. Thread: any. It outlives its seats.
class OpenConnections {
 public:
  /// Counts one connection as long as it lives.
  class Seat {
   public:
    explicit Seat(OpenConnections& room);
    Seat(Seat&& other) noexcept : room_(std::exchange(other.room_, nullptr)) {}
    Seat& operator=(Seat&&) = delete;
    ~Seat();

   private:
    OpenConnections* room_;
  };

  [[nodiscard]] std::uint64_t count() const { return open_.load(); }
  /// Waits until none is open or the time has come; true if none is.
  [[nodiscard]] bool wait_for_none(std::chrono::steady_clock::time_point deadline);

 private:
  std::atomic<std::uint64_t> open_ = 0;
  std::mutex mutex_;
  std::condition_variable none_;
};

}  // namespace parley::http
