#include "client/screen/screen.hpp"

#include <fmt/format.h>

#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/screen/live_lines.hpp"

namespace parley::client {
namespace {

constexpr double silence_seconds_max = 30;  ///< CI systems end jobs that print nothing

std::string closing_lines(const Report& report, const ClosingLines& closing, const LineStyle& style) {
  const Paint paint(style.terminal);
  std::string decision = decision_sentence(report);
  const std::size_t colon = std::min(decision.find(':'), decision.size());
  const std::string word = decision.substr(0, colon);
  const std::string painted = report.decision == Decision::green ? paint.green(word)
                              : report.decision == Decision::red ? paint.red(word)
                                                                 : paint.yellow(word);
  std::string out = sentence_of(report) + "\n" + painted + decision.substr(colon) + "\n";
  for (const std::string& each : closing.more) out += each + "\n";
  if (!closing.view.empty() || !closing.again.empty()) {
    if (!closing.view.empty()) out += "open  " + closing.view + (closing.again.empty() ? "" : "      ");
    if (!closing.again.empty()) out += "again  " + closing.again;
    out += "\n";
  }
  return for_terminal(std::move(out), style.terminal);
}

/// Finished tests scroll by, one line each, and failures with all details. Three live lines stay at the bottom.
class Pretty final : public Screen {
 public:
  explicit Pretty(const ScreenOptions& options)
      : style_(options.style), quiet_(options.quiet), live_(style_.terminal) {}
  ~Pretty() override { live_.clear(); }

  void begin(const std::string& head) override {
    if (quiet_ == 0) live_.print(for_terminal(Paint(style_.terminal).bold(head) + "\n", style_.terminal));
  }
  void case_ended(const ResultRow&) override {}
  void group_ended(const Group& group) override {
    style_.columns = columns_now(style_.terminal);
    if (quiet_ == 0 || verdict_word(group, style_) != "PASS") live_.print(group_lines(group, style_));
  }
  void tick(const Progress& progress) override {
    if (quiet_ == 0 && style_.terminal.is_terminal) live_.show(progress);
  }
  void end(const Report& report, const ClosingLines& closing) override {
    live_.clear();
    live_.print(closing_lines(report, closing, style_));
  }

 private:
  LineStyle style_;
  int quiet_;
  LiveLines live_;
};

/// Prints a line for each finished case, and the progress every 30 seconds.
class Lines final : public Screen {
 public:
  explicit Lines(const ScreenOptions& options) : style_(options.style), quiet_(options.quiet) {}

  void begin(const std::string& head) override {
    if (quiet_ == 0) print(for_terminal(head + "\n", style_.terminal));
  }
  void case_ended(const ResultRow& result) override {
    spoke_at_ = now_;
    if (quiet_ == 0 || result.state != CaseState::passed) print(case_lines(result, style_));
  }
  void group_ended(const Group&) override {}
  void tick(const Progress& progress) override {
    now_ = progress.seconds;
    if (quiet_ > 0 || now_ - spoke_at_ < silence_seconds_max) return;
    spoke_at_ = now_;
    print(for_terminal(
        fmt::format("waiting: {} of {} ended, {} live, oldest {} in turn {}: {}\n", progress.ended.cases,
                    progress.total, progress.live, duration_words(progress.oldest_seconds),
                    progress.oldest_turn, one_line(progress.oldest_label)),
        style_.terminal));
  }
  void end(const Report& report, const ClosingLines& closing) override {
    print(closing_lines(report, closing, style_));
  }

 private:
  void print(const std::string& text) const { write_text(style_.terminal.descriptor, text); }

  LineStyle style_;
  int quiet_;
  double now_ = 0;
  double spoke_at_ = 0;
};

/// For coding agents: prints one line for each failure, and one sentence at the end.
class Brief final : public Screen {
 public:
  explicit Brief(const ScreenOptions& options) : style_(options.style) {}

  void begin(const std::string&) override {}
  void case_ended(const ResultRow& result) override {
    write_text(style_.terminal.descriptor, for_terminal(brief_line(result), style_.terminal));
  }
  void group_ended(const Group&) override {}
  void tick(const Progress&) override {}
  void end(const Report& report, const ClosingLines& closing) override {
    std::string text =
        brief_warnings(report.results) + decision_sentence(report) + ". " + sentence_of(report) + "\n";
    for (const std::string& each : closing.more) text += each + "\n";
    write_text(style_.terminal.descriptor, for_terminal(std::move(text), style_.terminal));
  }

 private:
  LineStyle style_;
};

class Silent final : public Screen {
 public:
  void begin(const std::string&) override {}
  void case_ended(const ResultRow&) override {}
  void group_ended(const Group&) override {}
  void tick(const Progress&) override {}
  void end(const Report&, const ClosingLines&) override {}
};

}  // namespace

ScreenKind usual_screen(const Terminal& terminal) {
  if (terminal.is_coding_agent) return ScreenKind::brief;
  const bool is_live = terminal.is_terminal && !terminal.is_dumb && !terminal.is_ci;
  return is_live ? ScreenKind::pretty : ScreenKind::line;
}

std::unique_ptr<Screen> screen_of(ScreenKind kind, const ScreenOptions& options) {
  if (options.quiet > 1) return std::make_unique<Silent>();
  switch (kind) {
    case ScreenKind::pretty: return std::make_unique<Pretty>(options);
    case ScreenKind::line: return std::make_unique<Lines>(options);
    case ScreenKind::brief: return std::make_unique<Brief>(options);
  }
  return std::make_unique<Silent>();
}

}  // namespace parley::client
