#include "client/report/reporters.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/transcript.hpp"

// Annotations of GitHub Actions at the test's line in the suite. GitHub shows ten per step, so at most nine are
// written, and one line that counts the rest.

namespace parley::client {
namespace {

constexpr std::size_t annotations_max = 9;

/// Escapes the data of a workflow command. A property needs more escapes than a message.
std::string command_text(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (is_property && c == ':') {
      out += "%3A";
    } else if (is_property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

/// Returns the first case of the group in this state; null if no case is.
const ResultRow* first_of(const Group& group, CaseState state) {
  for (const ResultRow* each : group.results)
    if (each->state == state) return each;
  return nullptr;
}

std::string annotation(const Group& group, bool is_error, const std::vector<std::string>& lines) {
  const Counts counts = group.counts();
  const std::string title = one_line(group.label + " · " + group.agent) + ": " +
                            std::to_string(counts.passed) + "/" + std::to_string(counts.cases);
  std::string message;
  for (const std::string& each : lines) message += (message.empty() ? "" : "\n") + each;
  std::string command = is_error ? "::error " : "::warning ";
  if (!group.file.empty())
    command += "file=" + command_text(group.file, true) + ",line=" + std::to_string(group.line) + ",";
  return command + "title=" + command_text(title, true) + "::" + command_text(message, false) + "\n";
}

}  // namespace

std::string github_report(const Report& report, const ReportOptions&) {
  const std::vector<Group> groups = groups_of(report.results);
  std::string out;
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const CaseState state : {CaseState::failed, CaseState::fault, CaseState::undecided}) {
    for (const Group& each : groups) {
      const ResultRow* row = first_of(each, state);
      const bool is_shown_already =
          state != CaseState::failed && first_of(each, CaseState::failed) != nullptr;
      if (row == nullptr || is_shown_already) continue;
      if (shown < annotations_max) {
        out += annotation(each, state == CaseState::failed, reasons_of(*row));
        ++shown;
      } else {
        ++left;
      }
    }
  }
  if (left > 0) out += "::error title=parley::" + std::to_string(left) + " more in the summary\n";
  // Warnings of passed groups use the remaining annotations. The summary lists all warnings.
  for (const Group& each : groups) {
    std::vector<std::string> lines;
    for (const WarningRow& warning : warnings_of_passed(each)) lines.push_back(one_line(warning.detail));
    if (lines.empty() || shown == annotations_max) continue;
    out += annotation(each, false, lines);
    ++shown;
  }
  return out;
}

}  // namespace parley::client
