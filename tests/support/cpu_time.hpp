#pragma once
/// CPU time of the calling thread, for tests that distinguish proportional work from faster growth: other load on the
/// machine does not count. Any thread.

#include <ctime>

namespace parley::test {

/// Since the thread began.
[[nodiscard]] inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace parley::test
