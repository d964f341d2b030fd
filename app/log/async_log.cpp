#include "app/log/async_log.hpp"

#include <poll.h>
#include <signal.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <string_view>

namespace parley::app {
namespace {

/// Writes until all text is written or the descriptor fails. Returns the number of bytes written.
std::size_t write_all(int descriptor, std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count > 0) {
      written += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      // another process that shares the descriptor made it non-blocking
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  return written;
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The writing thread inherits the signal mask: signals that end the server must reach the main thread.
std::shared_ptr<spdlog::details::thread_pool> pool_without_signals(std::size_t lines_waiting_max) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto pool = std::make_shared<spdlog::details::thread_pool>(lines_waiting_max, 1U);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pool;
}

}  // namespace

/// Formats lines and writes as many at a time as a pipe accepts in one piece, so that they are not interleaved with
/// lines of other processes. Thread: the only thread of the pool, except for settled() and failed().
class AsyncLog::Writer final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  Writer(int descriptor, spdlog::details::thread_pool& pool, std::unique_ptr<spdlog::formatter> formatter)
      : base_sink(std::move(formatter)), descriptor_(descriptor), pool_(pool) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() override {
    if (!pending_.empty()) write_pending();
  }

  void redirect(int descriptor) noexcept { descriptor_.store(descriptor); }
  /// Lines that were written or lost.
  [[nodiscard]] std::uint64_t settled() const noexcept { return settled_.load(std::memory_order_acquire); }
  /// Lines whose write failed.
  [[nodiscard]] std::uint64_t failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    has_caught_up_ = has_caught_up_ && pool_.queue_size() == 0;
    report_lost_lines();
    append(message);
    ++received_;
    if (pool_.queue_size() == 0) write_pending();
  }
  void flush_() override {}

  void append(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (!pending_.empty() && pending_.size() + line.size() > PIPE_BUF) write_pending();
    pending_.append(line.data(), line.size());
  }
  void write_pending() {
    const int descriptor = descriptor_.load();
    if (is_line_cut_) is_line_cut_ = write_all(descriptor, "\n") == 0;
    const std::size_t written = write_all(descriptor, pending_);
    const std::string_view rest = std::string_view(pending_).substr(written);
    failed_.fetch_add(lines_in(rest), std::memory_order_relaxed);
    has_caught_up_ = rest.empty() && pool_.queue_size() == 0;
    if (written > 0) is_line_cut_ = pending_[written - 1] != '\n';
    pending_.clear();
    settled_.store(received_ + pool_.overrun_counter(), std::memory_order_release);
  }
  /// Reports lost lines as soon as lines are read again, so that the reader sees the gap.
  void report_lost_lines() {
    const std::uint64_t lost = failed() + pool_.overrun_counter();
    if (lost == reported_lost_ || !has_caught_up_) return;
    const std::string text = "log lines lost lines=" + std::to_string(lost - reported_lost_);
    reported_lost_ = lost;
    append({"parley", spdlog::level::warn, text});
  }

  std::atomic<int> descriptor_;
  spdlog::details::thread_pool& pool_;
  std::string pending_;
  std::uint64_t received_ = 0;
  std::uint64_t reported_lost_ = 0;
  bool is_line_cut_ = false;
  bool has_caught_up_ = true;  ///< the last write succeeded, and no line has had to wait since
  std::atomic<std::uint64_t> settled_{0};
  std::atomic<std::uint64_t> failed_{0};
};

/// Counts the lines before they enter the queue, because flush() needs the count without a lock.
class AsyncLog::Entrance final : public spdlog::sinks::sink {
 public:
  explicit Entrance(std::shared_ptr<spdlog::async_logger> queue) : queue_(std::move(queue)) {}

  void log(const spdlog::details::log_msg& message) override {
    logged_.fetch_add(1, std::memory_order_release);
    queue_->log(message.time, message.source, message.level, message.payload);
  }
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}
  [[nodiscard]] std::uint64_t logged() const noexcept { return logged_.load(std::memory_order_acquire); }

 private:
  std::shared_ptr<spdlog::async_logger> queue_;
  std::atomic<std::uint64_t> logged_{0};
};

AsyncLog::AsyncLog(int descriptor, std::unique_ptr<spdlog::formatter> formatter,
                   std::size_t lines_waiting_max)
    : pool_(pool_without_signals(lines_waiting_max)),
      writer_(std::make_shared<Writer>(descriptor, *pool_, std::move(formatter))) {
  auto queue = std::make_shared<spdlog::async_logger>("parley", writer_, pool_,
                                                      spdlog::async_overflow_policy::overrun_oldest);
  queue->set_level(spdlog::level::trace);
  queue->set_error_handler([](const std::string&) {});
  entrance_ = std::make_shared<Entrance>(std::move(queue));
  logger_ = std::make_shared<spdlog::logger>("parley", entrance_);
  logger_->set_error_handler([](const std::string&) {});
}

AsyncLog::~AsyncLog() = default;

void AsyncLog::redirect(int descriptor) {
  writer_->redirect(descriptor);
}

bool AsyncLog::flush(std::chrono::milliseconds at_most) const noexcept {
  const std::uint64_t wanted = entrance_->logged();
  for (auto waited = 0; writer_->settled() < wanted; ++waited) {
    if (waited >= at_most.count()) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

std::uint64_t AsyncLog::lost() const {
  return writer_->failed() + pool_->overrun_counter();
}

}  // namespace parley::app
