#pragma once
/// Writes reports as the options of a verb request. Main thread.

#include <functional>

#include "client/report/reporters.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// The reporters of the options, or the file's if no option names one. `run --json` is `--reporter json`. Problem: an unknown
/// name.
[[nodiscard]] Expected<std::vector<ReporterChoice>> reporter_choices(
    const Invocation& call, const std::vector<std::string>& usual = {});
[[nodiscard]] ReportOptions report_options(const Invocation& call, const ReporterChoice& choice);
/// Creates the HTML report. Without it, or if it fails, html_report writes a plain document.
using HtmlMaker = std::function<Expected<std::string>()>;

/// Writes every document, also the summary of GitHub Actions where its variable is set. Problem: the first file that cannot be written.
[[nodiscard]] Expected<Done> write_reports(const Invocation& call, const Report& report,
                                           const std::vector<std::string>& usual = {},
                                           const HtmlMaker& html = {});
/// Checked before anything is played: whether the files can be written. `sources` are files that no report may replace.
[[nodiscard]] Expected<Done> check_report_files(const Invocation& call,
                                                const std::vector<ReporterChoice>& choices,
                                                const std::vector<std::string>& sources);
/// Reports that a report could not be written after a run. The exit code: that of the run, but never exit_done.
[[nodiscard]] int report_unwritten(const Invocation& call, const Problem& problem, int code);
/// Whether a document goes to standard output, so that nothing else may.
[[nodiscard]] bool writes_to_stdout(const Invocation& call, const std::vector<std::string>& usual = {});
/// Shows the report like the end of a run's screen.
void show_report(const Invocation& call, const Report& report);
/// Writes a text to the file of --output, or to standard output. The exit code.
[[nodiscard]] int write_output(const Invocation& call, const std::string& text);
/// `parley export tests|agents|scenarios|logs`: the records as JSON or JSON Lines.
[[nodiscard]] int export_records(const Invocation& call, const std::string& what, const std::string& form);

}  // namespace parley::client
