#pragma once
/// Counters of the transport, and the number of open connections. One instance of each per server, shared by its
/// threads and by the Responders that outlive it.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace parley::http {

/// Thread: any; each number is correct, but two numbers read together may be from different moments.
struct TransportCounters {
  using Count = std::atomic<std::uint64_t>;
  Count connections_accepted = 0;
  Count connections_refused = 0;  ///< over the limit, or without descriptors
  Count requests = 0;
  Count responses = 0;
  Count faults = 0;           ///< requests that could not be read, including timeouts
  Count timeouts = 0;         ///< requests whose head or body was received too slowly
  Count write_stalls = 0;     ///< connections closed because the client did not read
  Count answers_dropped = 0;  ///< answered twice, or after the client left
  Count answers_missing = 0;  ///< Responders destroyed without an answer
  Count handler_exceptions = 0;
  Count answers_refused = 0;    ///< no room: too many bytes wait for clients that do not read
  Count responses_refused = 0;  ///< answers with invalid header fields
  Count streams_cut = 0;        ///< streams ended because the client read too slowly
  Count worker_exceptions = 0;  ///< connections ended because memory ran out
};

/// Increments one counter; readers need no ordering among counters.
inline void count(TransportCounters::Count& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
}

/// The number of open connections, from accept to close. Thread: any. Must outlive its seats.
class OpenConnections {
 public:
  /// Counts one connection during its lifetime.
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
  /// Waits until no connection is open or the deadline has passed; true if none is open.
  [[nodiscard]] bool wait_for_none(std::chrono::steady_clock::time_point deadline);

 private:
  std::atomic<std::uint64_t> open_ = 0;
  std::mutex mutex_;
  std::condition_variable none_;
};

}  // namespace parley::http
