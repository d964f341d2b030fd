#pragma once
/// Drives a share of the connections on one thread, one request in flight on each: a closed loop, or at a given rate.
/// One epoll, no locks.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/client.hpp"
#include "bench/load/histogram.hpp"

namespace parley::load {

using Clock = std::chrono::steady_clock;

/// The measurements of one thread.
struct Figures {
  Histogram latency;
  std::uint64_t bytes = 0;   ///< received bodies of measured requests only
  std::uint64_t errors = 0;  ///< inside and outside the measured time
  std::vector<std::string> first_errors;
  Clock::time_point last{};  ///< the time of the last measured answer

  void fail(std::string what);
  void merge(const Figures& other);
};

/// Runs `connections` clients numbered from `first` until all of them are done or `until` is reached, then waits
/// briefly for requests in progress. Requests begun before `from` are not measured. With a rate, each connection has
/// its due times, and latency counts from them: if a server stalls, the requests that it delayed count as slow.
[[nodiscard]] Figures run_share(Work& work, std::size_t first, std::size_t connections,
                                Clock::time_point from, Clock::time_point until);

}  // namespace parley::load
