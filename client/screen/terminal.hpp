#pragma once
/// The capabilities of a command's output, and colors for it. Reads the environment and the terminal once; main
/// thread.

#include <string>
#include <string_view>

namespace parley::client {

struct Terminal {
  int descriptor = 1;
  bool is_terminal = false;
  bool is_dumb = false;  ///< the terminal cannot move its cursor
  bool has_color = false;
  bool is_utf8 = false;
  bool is_ci = false;
  bool is_github = false;        ///< foreign lines must be guarded against workflow commands
  bool is_coding_agent = false;  ///< the reader is a coding agent
  std::size_t columns = 80;
};

enum class ColorMode : std::uint8_t { automatic, always, never };

/// The first of these that is set decides on colors: flag, NO_COLOR, CLICOLOR_FORCE, terminal. If CI is set, only a
/// flag or CLICOLOR_FORCE enables colors.
[[nodiscard]] Terminal terminal_of(int descriptor, const char* const* environment, ColorMode wish);
/// Returns the current number of columns, because the window size may change.
[[nodiscard]] std::size_t columns_now(const Terminal& terminal);

/// Whether the lines of a terminal are shorter than the columns that columns_now() returns, so that they wrap.
[[nodiscard]] bool is_narrow(const Terminal& terminal);

/// Colors text if the terminal has colors.
class Paint {
 public:
  explicit Paint(const Terminal& terminal) : has_color_(terminal.has_color) {}
  [[nodiscard]] std::string green(std::string_view text) const { return in("32", text); }
  [[nodiscard]] std::string red(std::string_view text) const { return in("31", text); }
  [[nodiscard]] std::string yellow(std::string_view text) const { return in("33", text); }
  [[nodiscard]] std::string bold(std::string_view text) const { return in("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return in("2", text); }
  [[nodiscard]] std::string inverse(std::string_view text) const { return in("7", text); }

 private:
  [[nodiscard]] std::string in(std::string_view code, std::string_view text) const;

  bool has_color_;
};

/// Writes the whole text. Returns false on failure. Callers may ignore a closed pipe, because the exit code still
/// counts.
bool write_text(int descriptor, std::string_view text);
/// Returns and clears errno of the first failed write_text() to standard output, except for a closed pipe; 0 if no
/// write failed.
[[nodiscard]] int take_output_error();

}  // namespace parley::client
