#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "client/report/reporters.hpp"
#include "client/report/transcript.hpp"
#include "client/report/xml_writer.hpp"

// JUnit XML for Jenkins, GitLab and surefire. A failure means that an answer was wrong. An error means that nothing
// can be said about the agent, and its type is the source of the fault. GitLab refuses a file with more than 250,000
// objects, so a case has at most 12: the element, five attributes, one outcome with two attributes and a text, one
// system-out with a text.

namespace parley::client {
namespace {

constexpr std::size_t output_bytes_max = 16 << 10;

struct Dialect {
  bool has_places;  ///< write file and line of a case; the schemas of Jenkins and surefire do not have them
  bool has_reruns;  ///< write the repetitions of a test as one case
};

using Rows = std::vector<const ResultRow*>;

struct Tally {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;
};

bool is_skipped(const ResultRow& row) {
  return row.state == CaseState::canceled || row.state == CaseState::missing;
}

std::string time_text(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

std::string joined_reasons(const ResultRow& row) {
  std::string text;
  for (const std::string& each : reasons_of(row)) text += each + "\n";
  return text + "test result " + row.id;
}

/// Writes the outcome of one case: a failure, an error or a skip. Writes nothing for a passed case.
void write_outcome(XmlWriter& out, const ResultRow& row, std::string_view failure, std::string_view error) {
  if (row.state == CaseState::passed) return;
  if (is_skipped(row)) {
    out.open("skipped").attribute("message", word_of(row.state)).close();
    return;
  }
  const bool is_failure = row.state == CaseState::failed;
  out.open(is_failure ? failure : error)
      .attribute("message", one_line(why(row)))
      .attribute("type", is_failure ? "must" : fault_source_of(row))
      .content(joined_reasons(row))
      .close();
}

void begin_case(XmlWriter& out, const Report& report, const ResultRow& row, const Dialect& dialect,
                const std::string& name, double seconds) {
  out.open("testcase")
      .attribute("classname", report.project + "." + row.scenario)
      .attribute("name", name)
      .attribute("time", time_text(seconds));
  if (dialect.has_places && !row.file.empty())
    out.attribute("file", row.file).attribute("line", std::to_string(row.line));
}

/// Writes the warnings of a passed case, or the conversation of any other case.
void write_transcript(XmlWriter& out, const ResultRow& row) {
  if (row.state == CaseState::passed) {
    std::string warnings;
    for (const WarningRow& each : row.warnings) warnings += "warning: " + each.detail + "\n";
    if (!warnings.empty()) out.open("system-out").content(warnings).close();
    return;
  }
  if (row.transcript.empty()) return;
  out.open("system-out").content(transcript_text(row, output_bytes_max)).close();
}

void write_case(XmlWriter& out, const Report& report, const ResultRow& row, const Dialect& dialect) {
  begin_case(out, report, row, dialect, name_of_case(row), row.seconds);
  write_outcome(out, row, "failure", "error");
  write_transcript(out, row);
  out.close();
}

/// Writes the repetitions of one test as surefire writes reruns. If one repetition passed, the others are flaky;
/// otherwise the first one decides.
void write_reruns(XmlWriter& out, const Report& report, const Rows& rows, const Dialect& dialect) {
  double seconds = 0;
  bool has_passed = false;
  const ResultRow* first = nullptr;
  for (const ResultRow* each : rows) {
    seconds += each->seconds;
    has_passed = has_passed || each->state == CaseState::passed;
    if (each->state != CaseState::passed && first == nullptr) first = each;
  }
  begin_case(out, report, *rows.front(), dialect, label_of(*rows.front()), seconds);
  for (const ResultRow* each : rows) {
    if (has_passed) {
      write_outcome(out, *each, "flakyFailure", "flakyError");
    } else if (each == first) {
      write_outcome(out, *each, "failure", "error");
    } else if (!is_skipped(*each)) {
      write_outcome(out, *each, "rerunFailure", "rerunError");
    }
  }
  write_transcript(out, first != nullptr ? *first : *rows.front());
  out.close();
}

/// Groups the rows by test.
std::vector<Rows> repetitions_in(const Rows& rows) {
  std::vector<Rows> groups;
  std::map<std::string, std::size_t> places;
  for (const ResultRow* each : rows) {
    const std::string key = each->scenario + '\0' + each->agent + '\0' + each->test + '\0' + label_of(*each);
    const auto [place, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(each);
  }
  return groups;
}

/// Returns the row that decides each testcase. With reruns, it is a row that passed, or else the first row.
Rows deciding_rows(const Rows& rows, const Dialect& dialect) {
  if (!dialect.has_reruns) return rows;
  Rows deciding;
  for (const Rows& group : repetitions_in(rows)) {
    const auto passed = std::find_if(group.begin(), group.end(),
                                     [](const ResultRow* each) { return each->state == CaseState::passed; });
    deciding.push_back(passed == group.end() ? group.front() : *passed);
  }
  return deciding;
}

Tally tally_of(const Rows& rows, const Dialect& dialect) {
  Tally tally;
  for (const ResultRow* each : rows) tally.seconds += each->seconds;
  for (const ResultRow* each : deciding_rows(rows, dialect)) {
    ++tally.tests;
    if (each->state == CaseState::failed) ++tally.failures;
    if (each->state == CaseState::fault || each->state == CaseState::undecided) ++tally.errors;
    if (is_skipped(*each)) ++tally.skipped;
  }
  return tally;
}

void write_counts(XmlWriter& out, const Tally& tally) {
  out.attribute("tests", std::to_string(tally.tests))
      .attribute("failures", std::to_string(tally.failures))
      .attribute("errors", std::to_string(tally.errors));
}

void write_suite(XmlWriter& out, const Report& report, const Rows& rows, const Dialect& dialect) {
  const Tally tally = tally_of(rows, dialect);
  out.open("testsuite").attribute("name", rows.front()->scenario + " · " + rows.front()->agent);
  write_counts(out, tally);
  out.attribute("skipped", std::to_string(tally.skipped)).attribute("time", time_text(tally.seconds));
  if (!report.started_at.empty() && !dialect.has_reruns)
    out.attribute("timestamp", report.started_at.substr(0, 19));
  if (!dialect.has_reruns) {
    for (const ResultRow* each : rows) write_case(out, report, *each, dialect);
  } else {
    for (const Rows& each : repetitions_in(rows)) write_reruns(out, report, each, dialect);
  }
  out.close();
}

}  // namespace

std::string junit_report(const Report& report, const ReportOptions& options) {
  const Dialect dialect{options.junit_dialect == "gitlab", options.junit_dialect == "surefire"};
  std::vector<Rows> suites;
  std::map<std::string, std::size_t> places;
  Rows all;
  for (const ResultRow& each : report.results) {
    const auto [place, is_new] = places.try_emplace(each.scenario + '\0' + each.agent, suites.size());
    if (is_new) suites.emplace_back();
    suites[place->second].push_back(&each);
    all.push_back(&each);
  }
  XmlWriter out;
  out.open("testsuites").attribute("name", report.project);
  write_counts(out, tally_of(all, dialect));
  out.attribute("time", time_text(report.seconds));
  for (const Rows& each : suites) write_suite(out, report, each, dialect);
  out.close();
  return std::move(out).text();
}

}  // namespace parley::client
