#pragma once
/// The screen of a run shows what happens. One implementation for each kind of reader. Main thread.

#include <memory>
#include <string>

#include "client/report/report.hpp"
#include "client/screen/case_lines.hpp"

namespace parley::client {

/// The current progress.
struct Progress {
  std::int64_t total = 0;
  Counts ended;  ///< `cases` is how many have ended
  std::int64_t live = 0;
  double oldest_seconds = 0;  ///< of the conversation that has been live longest
  std::int64_t oldest_turn = 0;
  std::string oldest_label;
  double usd = 0;
  std::optional<double> usd_max;
  double seconds = 0;
};

/// The lines at the end, in addition to the report's own.
struct ClosingLines {
  std::string view;   ///< the command that opens the report
  std::string again;  ///< the command that plays again what did not pass; empty: all passed
  std::vector<std::string> more;
};

class Screen {
 public:
  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  virtual ~Screen() = default;

  /// `head`: `coffee · 25 cases (...) · seed 1`
  virtual void begin(const std::string& head) = 0;
  virtual void case_ended(const ResultRow& result) = 0;
  /// All repetitions of a test have ended.
  virtual void group_ended(const Group& group) = 0;
  /// Called about ten times a second.
  virtual void tick(const Progress& progress) = 0;
  virtual void end(const Report& report, const ClosingLines& closing) = 0;
};

enum class ScreenKind : std::uint8_t { pretty, line, brief };
/// Chosen by terminal, CI and reader.
[[nodiscard]] ScreenKind usual_screen(const Terminal& terminal);

/// `quiet`: 1 omits passed tests and the progress, 2 shows nothing.
struct ScreenOptions {
  LineStyle style;
  int quiet = 0;
};
[[nodiscard]] std::unique_ptr<Screen> screen_of(ScreenKind kind, const ScreenOptions& options);

}  // namespace parley::client
