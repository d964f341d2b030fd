#pragma once
/// Plays planned suites on an open server, one after another: decides and reports each. Main thread.

#include <memory>

#include "client/playing/joined_reports.hpp"
#include "client/playing/line_reporter.hpp"
#include "client/playing/suite_plan.hpp"

namespace parley::client {

class SuiteRun {
 public:
  /// `joined` collects the reports of all suites instead of writing files. Null: each suite writes its own reports.
  SuiteRun(const Invocation& call, RunOptions options, JoinedReports* joined = nullptr)
      : call_(call), options_(std::move(options)), joined_(joined) {}

  /// Plays one suite. Returns the exit code. An empty selection is wrong usage.
  [[nodiscard]] int run(OpenSession& open, const CompiledSuite& suite);
  /// Plays a suite of the command's plan. Returns the exit code.
  [[nodiscard]] int play(OpenSession& open, const PlannedSuite& planned);
  /// The outcome of the last suite; nullopt if nothing was played.
  [[nodiscard]] const std::optional<Played>& played() const { return played_; }

 private:
  /// Where the outcome is written.
  struct Writing {
    Screen& screen;
    LineReporter& lines;
    const std::vector<std::string>& usual;  ///< reporters named in the suite file
    const NameBook& names;                  ///< names of the tests
  };
  [[nodiscard]] int decide_and_report(OpenSession& open, const GateRules& rules, const std::string& baseline,
                                      const Writing& writing);
  /// Writes the reports, or adds them to the joined reports of all suites.
  [[nodiscard]] Expected<Done> report_to(LineReporter& lines, const Report& report,
                                         const std::vector<std::string>& usual,
                                         const std::vector<std::string>& runs, const HtmlMaker& html);
  /// Writes the reports of an empty selection. Returns the exit code.
  [[nodiscard]] int report_nothing(const CompiledSuite& suite);
  [[nodiscard]] PlayOptions play_options_of(const CompiledSuite& suite) const;
  [[nodiscard]] int play_cells(OpenSession& open, const PlannedSuite& planned);
  [[nodiscard]] std::unique_ptr<Screen> screen_for(const GateRules& rules,
                                                   const std::vector<ReporterChoice>& choices,
                                                   const std::vector<std::string>& usual);

  const Invocation& call_;
  RunOptions options_;
  JoinedReports* joined_;
  std::optional<Played> played_;
  /// The number of runs in played_ that played all cells. Later runs repeat some of the cells.
  std::size_t whole_runs_ = 0;
  UsedBounds used_;       ///< by the suites that were played
  std::string group_id_;  ///< of the runs of this command; empty: there is no group yet
};

/// Reports that no test matches. Returns the exit code.
[[nodiscard]] int nothing_selected(const Invocation& call);
/// Whether the verb stores nothing permanently.
[[nodiscard]] bool is_ephemeral(const Invocation& call);

}  // namespace parley::client
