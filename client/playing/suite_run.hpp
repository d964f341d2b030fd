#pragma once
/// Plays one suite on an open server: stores its records there, chooses cells, plays them, decides and reports. Main thread.

#include <memory>

#include "client/commands/gate_options.hpp"
#include "client/playing/joined_reports.hpp"
#include "client/playing/line_reporter.hpp"
#include "client/playing/run_options.hpp"
#include "client/verbs/sessions.hpp"

namespace parley::client {

class SuiteRun {
 public:
  /// `joined`: receives the reports of each suite instead of files; null: each suite writes its own.
  SuiteRun(const Invocation& call, RunOptions options, JoinedReports* joined = nullptr)
      : call_(call), options_(std::move(options)), joined_(joined) {}

  /// The exit code; nullopt: nothing of the suite is selected, and nothing was done.
  [[nodiscard]] std::optional<int> run_if_selected(OpenSession& open, const CompiledSuite& suite);
  /// The exit code. An empty selection is wrong use.
  [[nodiscard]] int run(OpenSession& open, const CompiledSuite& suite);
  /// The outcome of the last run(); nullopt: nothing was played.
  [[nodiscard]] const std::optional<Played>& played() const { return played_; }

 private:
  /// The destination of the outcome.
  struct Writing {
    Screen& screen;
    LineReporter& lines;
    const std::vector<std::string>& usual;  ///< reporters of the file
    const NameBook& names;                  ///< of its tests
  };
  [[nodiscard]] int decide_and_report(OpenSession& open, const GateRules& rules, const std::string& baseline,
                                      const Writing& writing);
  /// Writes the reports, or adds them to those of other suites.
  [[nodiscard]] Expected<Done> report_to(LineReporter& lines, const Report& report,
                                         const std::vector<std::string>& usual,
                                         const std::vector<std::string>& runs, const HtmlMaker& html);
  [[nodiscard]] Expected<Done> put_records(OpenSession& open, const CompiledSuite& suite);
  /// Writes the reports of an empty selection. The exit code.
  [[nodiscard]] int report_nothing(const CompiledSuite& suite);
  [[nodiscard]] int play_cells(OpenSession& open, const CompiledSuite& suite, const SuiteRecords& records,
                               const std::vector<ChosenCell>& cells);
  [[nodiscard]] std::unique_ptr<Screen> screen_for(const GateRules& rules,
                                                   const std::vector<ReporterChoice>& choices,
                                                   const std::vector<std::string>& usual);

  const Invocation& call_;
  RunOptions options_;
  JoinedReports* joined_;
  std::optional<Played> played_;
  std::size_t whole_runs_ = 0;  ///< of played_: later ones are rounds that repeat some of the cells
};

/// Shows the planned cells. The exit code.
[[nodiscard]] int list_cells(const Invocation& call, const CompiledSuite& suite,
                             const std::vector<ChosenCell>& cells, bool shows_records);
/// Reports that no test matches. The exit code.
[[nodiscard]] int nothing_selected(const Invocation& call);
/// Whether the verb stores nothing permanently.
[[nodiscard]] bool is_ephemeral(const Invocation& call);

}  // namespace parley::client
