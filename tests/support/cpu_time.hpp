#pragma once
/// Time that the calling thread has worked, for tests that tell work in proportion from work that grows beyond it: what else
/// the machine does meanwhile does not count. Any thread.

#include <ctime>

namespace parley::test {

/// How much slower the sanitizers make the same work, at least: the bounds are those of a plain build.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double slowdown = 2;
#else
inline constexpr double slowdown = 1;
#endif

/// Since the thread began.
[[nodiscard]] inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9) / slowdown;
}

}  // namespace parley::test
