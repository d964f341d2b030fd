#pragma once
/// The table of reporters, and the parser of `--reporter NAME[:FILE]`. Document reporters are pure functions from a
/// report to a text. Reporters that use the screen are in client/screen.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "client/report/report.hpp"
#include "model/expected.hpp"

namespace parley::client {

struct ReportOptions {
  std::string junit_dialect = "gitlab";  ///< gitlab, jenkins or surefire
  std::string variant;                   ///< for csv: results or assertions
};

struct Reporter {
  std::string_view name;
  std::string_view summary;
  /// Null: the screen shows the report during the run, or (jsonl) lines are written as results end.
  std::string (*document)(const Report&, const ReportOptions&);
};

[[nodiscard]] std::span<const Reporter> reporters();
[[nodiscard]] const Reporter* find_reporter(std::string_view name);

/// The value of one `--reporter` option.
struct ReporterChoice {
  std::string name;
  std::string variant;
  std::filesystem::path file;  ///< empty: standard output

  bool operator==(const ReporterChoice&) const = default;
};
/// Problem: the name is unknown (with the most similar known name), or the file name is empty.
[[nodiscard]] Expected<ReporterChoice> reporter_choice(std::string_view text);

// Each function is in a file of its own.
[[nodiscard]] std::string json_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string jsonl_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string junit_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string markdown_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string github_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string csv_report(const Report& report, const ReportOptions& options);
[[nodiscard]] std::string html_report(const Report& report, const ReportOptions& options);

}  // namespace parley::client
