#pragma once
/// The screen shows the progress and the outcome of a run. Each kind of reader has an implementation. Main thread.

#include <memory>
#include <string>

#include "client/report/report.hpp"
#include "client/screen/case_lines.hpp"

namespace parley::client {

/// The current progress.
struct Progress {
  std::int64_t total = 0;
  Counts ended;  ///< `cases` is the number of cases that have ended
  std::int64_t live = 0;
  double oldest_seconds = 0;  ///< duration of the conversation that has been live longest
  std::int64_t oldest_turn = 0;
  std::string oldest_label;
  double usd = 0;
  std::optional<double> usd_max;
  double seconds = 0;
};

/// Lines at the end, in addition to the lines of the report.
struct ClosingLines {
  std::string view;   ///< the command that opens the report
  std::string again;  ///< the command that replays the cases that did not pass; empty: all passed
  std::vector<std::string> more;
};

class Screen {
 public:
  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  virtual ~Screen() = default;

  /// `head` is a line such as `coffee · 25 cases (...) · seed 1`.
  virtual void begin(const std::string& head) = 0;
  virtual void case_ended(const ResultRow& result) = 0;
  /// Called after all repetitions of a test have ended.
  virtual void group_ended(const Group& group) = 0;
  /// Called about ten times a second.
  virtual void tick(const Progress& progress) = 0;
  virtual void end(const Report& report, const ClosingLines& closing) = 0;
};

enum class ScreenKind : std::uint8_t { pretty, line, brief };
/// Returns the default screen for the terminal, CI and reader.
[[nodiscard]] ScreenKind usual_screen(const Terminal& terminal);

/// `quiet`: 1 omits passed tests and the progress, 2 shows nothing.
struct ScreenOptions {
  LineStyle style;
  int quiet = 0;
};
[[nodiscard]] std::unique_ptr<Screen> screen_of(ScreenKind kind, const ScreenOptions& options);

}  // namespace parley::client
