#pragma once
/// Writes the reports that the options of a verb request. Main thread.

#include <functional>

#include "client/report/reporters.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Returns the reporters that the options name; if they name none, those of the suite file (`usual`). `run --json`
/// and `report --json` mean `--reporter json`. Problem: a reporter is unknown.
[[nodiscard]] Expected<std::vector<ReporterChoice>> reporter_choices(
    const Invocation& call, const std::vector<std::string>& usual = {});
[[nodiscard]] ReportOptions report_options(const Invocation& call, const ReporterChoice& choice);
/// Creates the HTML report. If it is null or fails, html_report writes a plain document.
using HtmlMaker = std::function<Expected<std::string>()>;

/// Writes every document, and the job summary of GitHub Actions if its variable is set. Problem: the first file that
/// could not be written.
[[nodiscard]] Expected<Done> write_reports(const Invocation& call, const Report& report,
                                           const std::vector<std::string>& usual = {},
                                           const HtmlMaker& html = {});
/// Checks, before anything is played, whether the files can be written. No report may replace one of `sources` or
/// another report.
[[nodiscard]] Expected<Done> check_report_files(const Invocation& call,
                                                const std::vector<ReporterChoice>& choices,
                                                const std::vector<std::string>& sources);
/// Removes the reports of an earlier run before a run starts, so that they are not mistaken for its own if it writes
/// none. Needs: check_report_files() accepts the choices. Keeps `baseline`, which the run reads.
void remove_old_reports(const std::vector<ReporterChoice>& choices, std::string_view baseline);
/// Reports that a report could not be written after a run. Returns the exit code of the run, but never exit_done.
[[nodiscard]] int report_unwritten(const Invocation& call, const Problem& problem, int code);
/// Whether a document goes to standard output, which must then contain nothing else.
[[nodiscard]] bool writes_to_stdout(const Invocation& call, const std::vector<std::string>& usual = {});
/// Shows the report as the screen does at the end of a run.
void show_report(const Invocation& call, const Report& report);
/// Writes the text of `parley export` to the file that --output names, or to standard output. Does not replace a YAML
/// file, which may be a suite, without --force. Returns the exit code.
[[nodiscard]] int write_output(const Invocation& call, const std::string& text);
/// `parley export tests|agents|scenarios|logs`: writes the records as JSON or JSON Lines.
[[nodiscard]] int export_records(const Invocation& call, const std::string& what, const std::string& form);

}  // namespace parley::client
