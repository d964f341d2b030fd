#pragma once
/// AsyncLog: spdlog's asynchronous logger in front of a descriptor. A single thread writes the lines, so an unread
/// pipe or a full disk blocks only that thread (F46). Thread: any.

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/logger.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace parley::app {

/// The most lines that wait for a slow reader. When the queue is full, the oldest lines are lost, because the newest
/// ones explain the problem.
inline constexpr std::size_t log_lines_waiting_max = 8192;

class AsyncLog {
 public:
  /// Starts the writing thread, with all signals blocked.
  AsyncLog(int descriptor, std::unique_ptr<spdlog::formatter> formatter,
           std::size_t lines_waiting_max = log_lines_waiting_max);
  /// Joins the writing thread, which may block in write() forever. Therefore the log of the process is never
  /// destroyed.
  ~AsyncLog();
  AsyncLog(const AsyncLog&) = delete;
  AsyncLog& operator=(const AsyncLog&) = delete;

  /// Never waits for a write.
  [[nodiscard]] const std::shared_ptr<spdlog::logger>& logger() const { return logger_; }

  /// Sends the log from the next line on to this descriptor, which stays open. Thread: any.
  void redirect(int descriptor);

  /// Waits up to `at_most` until every line logged so far is written or lost; returns whether that is the case. Takes
  /// no lock and allocates nothing, so a signal handler may call it.
  [[nodiscard]] bool flush(std::chrono::milliseconds at_most) const noexcept;

  /// Lines that were lost because the queue was full or a write failed.
  [[nodiscard]] std::uint64_t lost() const;

 private:
  class Entrance;
  class Writer;

  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<Writer> writer_;
  std::shared_ptr<Entrance> entrance_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace parley::app
