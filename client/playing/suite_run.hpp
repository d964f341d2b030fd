#pragma once
/// Plays one suite on an open server: applies its records, selects cells, plays them, decides and reports. Main
/// thread.

#include <memory>

#include "client/commands/gate_options.hpp"
#include "client/playing/joined_reports.hpp"
#include "client/playing/line_reporter.hpp"
#include "client/playing/run_options.hpp"
#include "client/verbs/sessions.hpp"

namespace parley::client {

class SuiteRun {
 public:
  /// `joined` collects the reports of all suites instead of writing files. Null: each suite writes its own reports.
  SuiteRun(const Invocation& call, RunOptions options, JoinedReports* joined = nullptr)
      : call_(call), options_(std::move(options)), joined_(joined) {}

  /// Returns the exit code; nullopt if the selection is empty, in which case nothing was played.
  [[nodiscard]] std::optional<int> run_if_selected(OpenSession& open, const CompiledSuite& suite);
  /// Returns the exit code. An empty selection is wrong usage.
  [[nodiscard]] int run(OpenSession& open, const CompiledSuite& suite);
  /// The outcome of the last run(); nullopt if nothing was played.
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
  [[nodiscard]] Expected<Done> put_records(OpenSession& open, const CompiledSuite& suite);
  /// Writes the reports of an empty selection. Returns the exit code.
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
  /// The number of runs in played_ that played all cells. Later runs repeat some of the cells.
  std::size_t whole_runs_ = 0;
};

/// Prints the planned cells. Returns the exit code.
[[nodiscard]] int list_cells(const Invocation& call, const CompiledSuite& suite,
                             const std::vector<ChosenCell>& cells, bool shows_records);
/// Reports that no test matches. Returns the exit code.
[[nodiscard]] int nothing_selected(const Invocation& call);
/// Whether the verb stores nothing permanently.
[[nodiscard]] bool is_ephemeral(const Invocation& call);

}  // namespace parley::client
