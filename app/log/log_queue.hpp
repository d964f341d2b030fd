#pragma once
/// LogQueue: the lines between those who log and the one thread that writes them, so that a pipe that nobody reads, or a full
/// disk, holds up nobody but that thread (F46). Owned by the log, which is there until the process ends. put() is for any
/// thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace parley::app {

/// What waits for a reader that is slow: some seconds of a busy server.
inline constexpr std::size_t log_bytes_waiting_max = 4 * 1024 * 1024;

class LogQueue {
 public:
  /// Begins the thread that writes to `descriptor`, with all signals blocked. It may stand in write() for ever, so it is never
  /// joined: it shares what it works with, and the end of the process ends it.
  explicit LogQueue(int descriptor, std::size_t bytes_waiting_max = log_bytes_waiting_max);
  /// Does not wait: who wants to see the last lines written calls flush() before.
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Takes a line with its line feed. Never waits for the writing: where too much waits already, the oldest lines go, since the
  /// last ones say what the matter is.
  void put(std::string line);

  /// Waits until every line that was put before is written or lost, for so long at most; whether it is. Takes no lock and no
  /// memory, so it may be called in a signal's handler.
  bool flush(std::chrono::milliseconds at_most) const noexcept;

  /// Lines that were lost, to a full queue or to a failed write().
  [[nodiscard]] std::uint64_t lost() const noexcept;
  /// Whether all that was put is settled and the last write() did not fail.
  [[nodiscard]] bool has_caught_up() const noexcept;

 private:
  struct Shared;
  static void write_lines(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
};

}  // namespace parley::app
