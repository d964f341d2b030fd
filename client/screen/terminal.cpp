#include "client/screen/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>

#include "client/remote/connection.hpp"

namespace parley::client {
namespace {

constexpr std::size_t columns_min = 40;
constexpr std::size_t columns_max = 500;

/// errno of the first failed write to standard output. It is global, because output is written by functions that
/// cannot return errors.
std::atomic<int> output_error{0};

void note_failure(int descriptor, int error) {
  int none = 0;
  if (descriptor == STDOUT_FILENO && error != EPIPE) output_error.compare_exchange_strong(none, error);
}

bool is_set(const char* const* environment, std::string_view name) {
  const auto value = variable(environment, name);
  return value && !value->empty();
}

/// Whether the variable is set to a value other than empty, 0 and false.
bool is_on(const char* const* environment, std::string_view name) {
  const auto value = variable(environment, name);
  return value && !value->empty() && *value != "0" && *value != "false";
}

bool speaks_utf8(const char* const* environment) {
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = variable(environment, name);
    if (!value || value->empty()) continue;
    std::string lower(*value);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(c | 0x20); });
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

bool wants_color(const char* const* environment, const Terminal& terminal, ColorMode wish) {
  if (wish != ColorMode::automatic) return wish == ColorMode::always;
  if (is_set(environment, "NO_COLOR")) return false;
  if (is_on(environment, "CLICOLOR_FORCE")) return true;
  return terminal.is_terminal && !terminal.is_dumb && !terminal.is_ci;
}

/// Returns the columns of the terminal's window; nullopt if they are unknown.
std::optional<std::size_t> window_columns(const Terminal& terminal) {
  winsize size{};
  const bool is_known =
      terminal.is_terminal && ::ioctl(terminal.descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

}  // namespace

Terminal terminal_of(int descriptor, const char* const* environment, ColorMode wish) {
  Terminal terminal;
  terminal.descriptor = descriptor;
  terminal.is_terminal = ::isatty(descriptor) != 0;
  terminal.is_dumb = variable(environment, "TERM").value_or("") == "dumb";
  terminal.is_ci = is_on(environment, "CI");
  terminal.has_color = wants_color(environment, terminal, wish);
  terminal.is_utf8 = speaks_utf8(environment);
  terminal.is_github = is_on(environment, "GITHUB_ACTIONS");
  for (const std::string_view name :
       {"AI_AGENT", "AGENT", "CLAUDECODE", "CURSOR_AGENT", "GEMINI_CLI", "CODEX_SANDBOX"})
    terminal.is_coding_agent = terminal.is_coding_agent || is_set(environment, name);
  if (const auto columns = variable(environment, "COLUMNS"))
    std::from_chars(columns->data(), columns->data() + columns->size(), terminal.columns);
  terminal.columns = columns_now(terminal);
  return terminal;
}

std::size_t columns_now(const Terminal& terminal) {
  return std::clamp(window_columns(terminal).value_or(terminal.columns), columns_min, columns_max);
}

bool is_narrow(const Terminal& terminal) {
  return window_columns(terminal).value_or(columns_min) < columns_min;
}

std::string Paint::in(std::string_view code, std::string_view text) const {
  if (!has_color_ || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

bool write_text(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      note_failure(descriptor, count < 0 ? errno : EIO);
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

int take_output_error() {
  return output_error.exchange(0);
}

}  // namespace parley::client
