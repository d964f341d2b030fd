#include <fmt/format.h>

#include "client/report/reporters.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"

// The summary of a step in GitHub Actions, or a comment on a pull request. GitHub discards a summary of more than
// 1,024 KB.

namespace parley::client {
namespace {

constexpr std::size_t summary_bytes_max = 900'000;
constexpr std::size_t folded_transcript_bytes_max = 8 << 10;

/// Escapes text inside a paragraph or a cell, so that it contains no markup, mention or link.
std::string plain_text(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (std::string_view("\\`*_{}[]()#+-.!|@~:").find(c) != std::string_view::npos) {
      out.append("&#").append(std::to_string(static_cast<int>(c))).append(";");
    } else {
      out += c;
    }
  }
  return out;
}

/// Escapes text inside <pre>, where only HTML and mentions are special.
std::string preformatted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '@') {
      out += "&#64;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view verdict_of(const Counts& counts) {
  if (counts.failed > 0) return counts.passed > 0 ? "flaky" : "failed";
  if (counts.passed == counts.cases) return "passed";
  return counts.faults > 0 ? "fault" : "open";
}

std::string row_of(const Group& group) {
  const Counts counts = group.counts();
  double usd = 0;
  for (const ResultRow* each : group.results) usd += each->usd;
  const auto p95 = p95_seconds(group.results);
  const std::string place = group.file.empty() ? "" : group.file + ":" + std::to_string(group.line);
  return fmt::format("| {} | {} | {} | {}/{} | {} | {} | {} |\n", verdict_of(counts), plain_text(group.label),
                     plain_text(group.agent), counts.passed, counts.cases, p95 ? duration_words(*p95) : "",
                     plain_text(money(usd)), plain_text(place));
}

std::string warnings_of(const Group& group) {
  std::string out;
  for (const WarningRow& each : warnings_of_passed(group))
    out += "- warning: " + plain_text(group.label + " · " + group.agent + ": " + each.detail) + "\n";
  return out;
}

std::string failure_of(const ResultRow& row) {
  std::string out =
      "<details><summary>" + plain_text(name_of_case(row) + " · " + row.agent) + "</summary>\n\n";
  for (const std::string& each : reasons_of(row)) out += "- " + plain_text(each) + "\n";
  const std::string transcript = transcript_text(row, folded_transcript_bytes_max);
  if (!transcript.empty()) out += "\n<pre>\n" + preformatted(transcript) + "</pre>\n";
  return out + "\n</details>\n\n";
}

}  // namespace

std::string markdown_report(const Report& report, const ReportOptions&) {
  const std::string title = report.project.empty() ? "parley" : "parley: " + plain_text(report.project);
  std::string out = "## " + title + "\n\n" + plain_text(sentence_of(report)) + "\n\n**" +
                    plain_text(decision_sentence(report)) + "**\n\n";
  out += "| | test | agent | passed | p95 | cost | place |\n|---|---|---|---|---|---|---|\n";
  std::size_t left = 0;
  const auto add = [&](const std::string& text) {
    if (out.size() + text.size() > summary_bytes_max) {
      ++left;
    } else {
      out += text;
    }
  };
  const std::vector<Group> groups = groups_of(report.results);
  for (const Group& each : groups) add(row_of(each));
  out += "\n";
  bool has_warnings = false;
  for (const Group& each : groups) {
    const std::string warnings = warnings_of(each);
    if (warnings.empty()) continue;
    add(warnings);
    has_warnings = true;
  }
  if (has_warnings) out += "\n";
  for (const ResultRow& each : report.results) {
    const bool is_shown = each.state == CaseState::failed || each.state == CaseState::fault ||
                          each.state == CaseState::undecided;
    if (is_shown) add(failure_of(each));
  }
  if (left > 0)
    out += fmt::format("{} more are left out: a summary may have {} bytes.\n", left, summary_bytes_max);
  return out;
}

}  // namespace parley::client
