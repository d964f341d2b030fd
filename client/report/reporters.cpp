#include "client/report/reporters.hpp"

#include <algorithm>
#include <array>

#include "client/report/report_json.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

constexpr std::array<Reporter, 10> rows{{
    {"pretty", "live progress, failures with their evidence, a summary; the default on a terminal", nullptr},
    {"line", "a line for each finished case; the default without a terminal and in CI", nullptr},
    {"brief", "a line for each failure; the default for coding agents", nullptr},
    {"json", "one JSON document", json_report},
    {"jsonl", "JSON Lines, written as results end", jsonl_report},
    {"junit", "JUnit XML", junit_report},
    {"md", "Markdown; appended to $GITHUB_STEP_SUMMARY where that is set", markdown_report},
    {"github", "annotations of GitHub Actions at the lines of the suite", github_report},
    {"csv", "a row for each result, or with csv:assertions for each assertion", csv_report},
    {"html", "one self-contained HTML file", html_report},
}};

Problem unknown_reporter(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const Reporter& each : rows) {
    names.emplace_back(each.name);
    all.append(all.empty() ? "" : ", ").append(each.name);
  }
  const std::string meant = did_you_mean(name, names);
  return problem(ProblemKind::invalid_parameter,
                 "unknown reporter \"" + name + "\"" + (meant.empty() ? "; there are " + all : meant));
}

}  // namespace

std::span<const Reporter> reporters() {
  return rows;
}

const Reporter* find_reporter(std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Reporter& each) { return each.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Expected<ReporterChoice> reporter_choice(std::string_view text) {
  const std::size_t colon = text.find(':');
  ReporterChoice choice{std::string(text.substr(0, colon)), "", ""};
  if (find_reporter(choice.name) == nullptr) return unknown_reporter(choice.name);
  if (colon == std::string_view::npos) return choice;
  std::string_view rest = text.substr(colon + 1);
  for (const std::string_view variant : {"results", "assertions"}) {
    const bool is_named = rest == variant || rest.starts_with(std::string(variant) + ":");
    if (choice.name != "csv" || !is_named) continue;
    choice.variant = variant;
    rest.remove_prefix(std::min(variant.size() + 1, rest.size()));
    if (rest.empty()) return choice;
    break;
  }
  if (rest.empty())
    return problem(ProblemKind::invalid_parameter,
                   "--reporter " + std::string(text) + ": the file is missing");
  if (rest != "-") choice.file = rest;  // `-` is standard output, as is no file
  return choice;
}

std::string json_report(const Report& report, const ReportOptions&) {
  return report_document(report);
}

std::string jsonl_report(const Report& report, const ReportOptions&) {
  std::string out;
  for (const ResultRow& each : report.results) out += result_line(each) + "\n";
  for (const RunRow& each : report.runs) out += run_line(each) + "\n";
  return out + end_line(report) + "\n";
}

}  // namespace parley::client
