#include "app/log/logging.hpp"

#include <spdlog/details/log_msg.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>

#include "app/log/log_line.hpp"
#include "app/log/log_queue.hpp"
#include "model/time.hpp"

namespace parley::app {
namespace {

/// One JSON object a line; every text is escaped, so no input can forge a line (CWE-117).
class JsonLines final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const auto since = message.time.time_since_epoch();
    const auto level = spdlog::level::to_string_view(message.level);
    const std::string text =
        json_line({Time{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()},
                   {level.data(), level.size()},
                   {message.payload.data(), message.payload.size()}}) +
        "\n";
    out.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonLines>();
  }
};

/// Text lines whose event has no control character left, so that no input can forge a line (CWE-117).
class TextLines final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    constexpr std::string_view digits = "0123456789abcdef";
    spdlog::details::log_msg shown = message;
    std::string text;
    for (const char c : std::string_view(message.payload.data(), message.payload.size())) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte != 0x7f) {
        text += c;
      } else {
        text.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
      }
    }
    shown.payload = {text.data(), text.size()};
    lines_.format(shown, out);
  }
  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<TextLines>();
  }

 private:
  spdlog::pattern_formatter lines_{"%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc};
};

/// Forms lines and puts them into the queue; the lock is held for that alone.
class QueuedLines final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit QueuedLines(LogQueue& queue) : queue_(queue) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    tell_of_lost_lines();
    put(message);
  }
  void flush_() override {}

  void put(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    queue_.put({line.data(), line.size()});
  }
  /// Once lines are read again, so that the gap in them is seen.
  void tell_of_lost_lines() {
    const std::uint64_t lost = queue_.lost();
    if (lost == told_lost_ || !queue_.has_caught_up()) return;
    const std::string text = "log lines lost lines=" + std::to_string(lost - told_lost_);
    told_lost_ = lost;
    put({"parley", spdlog::level::warn, text});
  }

  LogQueue& queue_;
  std::uint64_t told_lost_ = 0;
};

/// The one log of the process, for handlers of signals, which know nothing else. Null: there is none yet.
std::atomic<const LogQueue*> log_of_process{nullptr};
static_assert(std::atomic<const LogQueue*>::is_always_lock_free);

void on_fatal_signal(int) {
  flush_log();
}

/// The signal is sent again, or comes again, when the handler is over, and ends the process then as if there had been none.
void flush_before_fatal_signals() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGILL, SIGFPE}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // a sanitizer's
    action.sa_handler = on_fatal_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void start_log(const Config& config) {
  // Never destroyed: whatever ends the process may still log, and handlers of signals look at it.
  auto& queue = *new LogQueue(STDERR_FILENO);
  log_of_process = &queue;
  auto log = std::make_shared<spdlog::logger>("parley", std::make_shared<QueuedLines>(queue));
  if (config.log_format == "json") {
    log->set_formatter(std::make_unique<JsonLines>());
  } else {
    log->set_formatter(std::make_unique<TextLines>());
  }
  log->set_level(spdlog::level::from_str(config.log_level));
  log->set_error_handler([](const std::string&) {});
  spdlog::set_default_logger(std::move(log));
  flush_before_fatal_signals();
}

void flush_log(std::chrono::milliseconds at_most) noexcept {
  if (const LogQueue* log = log_of_process) static_cast<void>(log->flush(at_most));
}

std::uint64_t log_lines_lost() noexcept {
  const LogQueue* log = log_of_process;
  return log == nullptr ? 0 : log->lost();
}

}  // namespace parley::app
