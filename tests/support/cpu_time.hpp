#pragma once
/// Time that the calling thread has worked, for tests that tell work in proportion from work that grows beyond it: what else
/// the machine does meanwhile does not count. Any thread.

#include <ctime>

namespace parley::test {

/// Since the thread began.
[[nodiscard]] inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace parley::test
