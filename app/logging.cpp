#include "app/logging.hpp"

#include <spdlog/details/log_msg.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "app/log_line.hpp"
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

}  // namespace

void start_log(const Config& config) {
  auto log = std::make_shared<spdlog::logger>("parley", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  if (config.log_format == "json") {
    log->set_formatter(std::make_unique<JsonLines>());
  } else {
    log->set_formatter(std::make_unique<TextLines>());
  }
  log->set_level(spdlog::level::from_str(config.log_level));
  log->set_error_handler([](const std::string&) {});
  spdlog::set_default_logger(std::move(log));
}

}  // namespace parley::app
