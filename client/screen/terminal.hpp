#pragma once
/// The abilities of a command's output, and colors for it. Reads the environment and the terminal once; main thread.

#include <string>
#include <string_view>

namespace parley::client {

struct Terminal {
  int descriptor = 1;
  bool is_terminal = false;
  bool is_dumb = false;  ///< it cannot move its cursor
  bool has_color = false;
  bool is_utf8 = false;
  bool is_ci = false;
  bool is_github = false;        ///< foreign lines must not be workflow commands
  bool is_coding_agent = false;  ///< the reader is a coding agent
  std::size_t columns = 80;
};

enum class ColorMode : std::uint8_t { automatic, always, never };

/// NO_COLOR and `never` override CLICOLOR_FORCE and `always`, in this order: flag, NO_COLOR, CLICOLOR_FORCE,
/// terminal. With CI set, only a flag or CLICOLOR_FORCE asks for colors.
[[nodiscard]] Terminal terminal_of(int descriptor, const char* const* environment, ColorMode wish);
/// The current columns; the window size may change.
[[nodiscard]] std::size_t columns_now(const Terminal& terminal);

/// Colors text, if the terminal has colors.
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

/// Writes all of it. False: that failed. A closed pipe may be ignored, since the exit code still counts.
bool write_text(int descriptor, std::string_view text);
/// errno of the first failed write_text() to standard output since the last call, except for a closed pipe; 0: none failed.
[[nodiscard]] int take_output_error();

}  // namespace parley::client
