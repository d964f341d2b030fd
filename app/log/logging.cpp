#include "app/log/logging.hpp"

#include <fcntl.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "app/log/async_log.hpp"
#include "app/log/log_line.hpp"
#include "model/time.hpp"

namespace parley::app {
namespace {

/// One JSON object per line. Every text is escaped, so no input can forge a line (CWE-117).
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

/// Text lines. Control characters in the event are escaped, so no input can forge a line (CWE-117).
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

std::unique_ptr<spdlog::formatter> formatter_of(const Config& config) {
  if (config.log_format == "json") return std::make_unique<JsonLines>();
  return std::make_unique<TextLines>();
}

/// The log of the process, for use by signal handlers. Null before start_log().
std::atomic<const AsyncLog*> log_of_process{nullptr};
static_assert(std::atomic<const AsyncLog*>::is_always_lock_free);

/// The log file, for use by the main thread. Null if the log goes to standard error.
struct LogFile {
  AsyncLog* log;
  std::filesystem::path path;
  int descriptor;
};
LogFile* file_of_process = nullptr;

/// The mode keeps other users from reading the log, which describes conversations.
int opened_for_append(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0640);
}

void on_fatal_signal(int) {
  flush_log();
}

/// When the handler returns, the signal occurs again or is raised again, and then ends the process in the default
/// way.
void flush_before_fatal_signals() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGILL, SIGFPE}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // set by a sanitizer
    action.sa_handler = on_fatal_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Expected<Done> start_log(const Config& config) {
  // Never destroyed: code that runs at exit may still log, and signal handlers read it.
  auto& log = *new AsyncLog(STDERR_FILENO, formatter_of(config));
  log_of_process = &log;
  log.logger()->set_level(spdlog::level::from_str(config.log_level));
  spdlog::set_default_logger(log.logger());
  flush_before_fatal_signals();
  if (config.log_file.empty()) return Done{};
  const int opened = opened_for_append(config.log_file);
  if (opened < 0)
    return problem(ProblemKind::invalid_parameter,
                   "cannot open the log file " + config.log_file.string() + ": " + std::strerror(errno));
  file_of_process = new LogFile{&log, config.log_file, opened};
  log.redirect(opened);
  return Done{};
}

void reopen_log() {
  if (file_of_process == nullptr) return;
  LogFile& file = *file_of_process;
  const int opened = opened_for_append(file.path);
  if (opened < 0) {
    spdlog::error("cannot open the log file again file={} reason=\"{}\"", file.path.string(),
                  std::strerror(errno));
    return;
  }
  file.log->redirect(opened);
  // the writing thread may still be writing to the old descriptor
  static_cast<void>(file.log->flush(last_lines_timeout));
  ::close(std::exchange(file.descriptor, opened));
  spdlog::info("log file opened again file={}", file.path.string());
}

void flush_log(std::chrono::milliseconds at_most) noexcept {
  if (const AsyncLog* log = log_of_process) static_cast<void>(log->flush(at_most));
}

std::uint64_t log_lines_lost() noexcept {
  const AsyncLog* log = log_of_process;
  return log == nullptr ? 0 : log->lost();
}

}  // namespace parley::app
