#pragma once
/// CPU time of the calling thread, for tests that distinguish linear work from faster growth: other load on the machine
/// does not count. Any thread.

#include <ctime>

namespace parley::test {

/// CPU time since the thread began.
[[nodiscard]] inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// The factor for bounds on CPU time in this build: sanitizers slow code down by more than this.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double sanitizer_factor = 4;
#else
constexpr double sanitizer_factor = 1;
#endif

}  // namespace parley::test
