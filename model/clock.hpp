#pragma once
/// The port to the wall clock. State machines never see it: they are passed a Time. Any thread.

#include <atomic>
#include <chrono>

#include "model/time.hpp"

namespace parley {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Time now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return Time{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
  }
};

/// A clock that tests move by hand.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Time start) : ms_(start.ms) {}
  [[nodiscard]] Time now() const override { return Time{ms_.load()}; }
  void advance(std::int64_t ms) { ms_ += ms; }

 private:
  std::atomic<std::int64_t> ms_;
};

}  // namespace parley
