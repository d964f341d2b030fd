#include <fmt/format.h>

#include "client/report/reporters.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"
#include "client/report/xml_writer.hpp"

// One self-contained file without scripts, for a browser, an email or an archive. A strict policy inside the file
// prevents it from loading or running anything.

namespace parley::client {
namespace {

constexpr std::size_t html_transcript_bytes_max = 64 << 10;

constexpr std::string_view head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark; --line: #8884; --pass: #1a7f37; --fail: #cf222e; --open: #9a6700 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: .25rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
details { border-top: 1px solid var(--line); padding: .5rem 0 } summary { cursor: pointer }
.passed { color: var(--pass) } .failed { color: var(--fail) } .open { color: var(--open) }
ol { list-style: none; padding: 0 } li { margin: .4rem 0; padding: .4rem .8rem; border-left: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere }
li.evidence { border-color: var(--fail); background: #cf222e18 } .who { font-size: .85rem; opacity: .75 }
.bar { height: .6rem; background: var(--line); border-radius: .3rem; overflow: hidden; max-width: 30rem } .bar div { height: 100%; background: var(--pass) }
</style>
)";

std::string text_of(std::string_view text) {
  return xml_text(one_line(text));
}

std::string_view class_of(CaseState state) {
  if (state == CaseState::passed) return "passed";
  return state == CaseState::failed ? "failed" : "open";
}

std::string group_row(const Group& group) {
  const Counts counts = group.counts();
  double usd = 0;
  for (const ResultRow* each : group.results) usd += each->usd;
  const auto p95 = p95_seconds(group.results);
  const std::string_view style = counts.failed > 0               ? "failed"
                                 : counts.passed == counts.cases ? "passed"
                                                                 : "open";
  const std::string place = group.file.empty() ? "" : group.file + ":" + std::to_string(group.line);
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}/{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td><td>{}</td></tr>\n",
      style, style, text_of(group.label), text_of(group.agent), counts.passed, counts.cases,
      p95 ? duration_words(*p95) : "", money(usd), text_of(place));
}

bool is_evidence(const ResultRow& row, const std::string& entry) {
  for (const AssertionRow& each : row.assertions) {
    if (each.status == "passed") continue;
    for (const std::string& id : each.evidence)
      if (id == entry) return true;
  }
  return false;
}

std::string conversation_of(const ResultRow& row) {
  std::string out = "<ol>\n";
  for (const EntryRow& each : row.transcript) {
    if (out.size() > html_transcript_bytes_max) {
      out += "<li>The rest is left out.</li>\n";
      break;
    }
    const std::string text = each.type == "message" ? several_lines(each.text) : saying_of(each);
    out += fmt::format("<li{}><div class=\"who\">turn {} · {}</div>{}</li>\n",
                       is_evidence(row, each.id) ? " class=\"evidence\"" : "", each.turn,
                       xml_text(speaker_of(each, row)), xml_text(text));
  }
  return out + "</ol>\n";
}

std::string case_details(const ResultRow& row) {
  std::string out =
      fmt::format("<details><summary><span class=\"{}\">{}</span> {} · {}</summary>\n", class_of(row.state),
                  word_of(row.state), text_of(name_of_case(row)), text_of(row.agent));
  out += fmt::format("<p>{}, {}, score {}, result {}</p>\n<ul>\n", counted(row.turns, "turn", "turns"),
                     duration_words(row.seconds), row.score, text_of(row.id));
  if (row.fault || !row.review.empty()) out += "<li class=\"evidence\">" + text_of(why(row)) + "</li>\n";
  for (const AssertionRow& each : row.assertions) {
    const std::string& name = each.name.empty() ? each.type : each.name;
    out += fmt::format("<li{}>{} “{}”: {}: {}</li>\n", each.status == "failed" ? " class=\"evidence\"" : "",
                       word_of(each.level), text_of(name), text_of(each.status), text_of(each.reason));
  }
  out += "</ul>\n";
  if (!row.transcript.empty()) out += conversation_of(row);
  return out + "</details>\n";
}

}  // namespace

std::string html_report(const Report& report, const ReportOptions&) {
  const Counts counts = counts_of(report.results);
  std::string out(head);
  const std::string title = report.project.empty() ? "parley" : report.project;
  out +=
      "<title>" + text_of(title) + ": " + std::string(word_of(report.decision)) + "</title></head><body>\n";
  out += "<h1>" + text_of(title) + "</h1>\n<p>" + text_of(report.started_at) + ", " +
         duration_words(report.seconds) + ", parley " + text_of(report.parley) + "</p>\n";
  out += "<p class=\"" +
         std::string(report.decision == Decision::green ? "passed"
                     : report.decision == Decision::red ? "failed"
                                                        : "open") +
         "\"><strong>" + text_of(decision_sentence(report)) + "</strong></p>\n<p>" +
         text_of(sentence_of(report)) + "</p>\n";
  out += fmt::format("<div class=\"bar\"><div style=\"width: {:.1f}%\"></div></div>\n",
                     100 * pass_rate_of(counts).value_or(0));
  out +=
      "<h2>Tests</h2>\n<table><tr><th></th><th>test</th><th>agent</th><th class=\"n\">passed</th><th "
      "class=\"n\">p95</th>"
      "<th class=\"n\">cost</th><th>place</th></tr>\n";
  for (const Group& each : groups_of(report.results)) out += group_row(each);
  out += "</table>\n";
  for (const bool is_passed : {false, true}) {
    std::string details;
    for (const ResultRow& each : report.results)
      if ((each.state == CaseState::passed) == is_passed) details += case_details(each);
    if (!details.empty())
      out += std::string("<h2>") + (is_passed ? "Passed" : "Did not pass") + "</h2>\n" + details;
  }
  return out + "</body></html>\n";
}

}  // namespace parley::client
