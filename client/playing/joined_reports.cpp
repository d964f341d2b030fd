#include "client/playing/joined_reports.hpp"

namespace parley::client {
namespace {

/// The joined decision is red if one suite is red, and otherwise undecided if one suite is undecided.
Decision worse(Decision a, Decision b) {
  if (a == Decision::red || b == Decision::red) return Decision::red;
  return a == Decision::undecided ? a : b;
}

}  // namespace

void JoinedReports::add(const Report& report, const std::vector<std::string>& runs) {
  const bool is_first = report_.parley.empty();
  report_.parley = report.parley;
  report_.project += (is_first ? "" : ", ") + report.project;
  if (is_first) report_.started_at = report.started_at;
  report_.seconds += report.seconds;
  report_.decision = is_first ? report.decision : worse(report_.decision, report.decision);
  for (const std::string& reason : report.reasons) report_.reasons.push_back(report.project + ": " + reason);
  report_.usd.agent += report.usd.agent;
  report_.usd.tester += report.usd.tester;
  report_.usd.judge += report.usd.judge;
  report_.runs.insert(report_.runs.end(), report.runs.begin(), report.runs.end());
  report_.results.insert(report_.results.end(), report.results.begin(), report.results.end());
  runs_.insert(runs_.end(), runs.begin(), runs.end());
}

Expected<Done> JoinedReports::write(const Invocation& call, int exit, const HtmlMaker& html) {
  if (report_.parley.empty()) return Done{};
  report_.exit = exit;
  TRY_DONE(lines_.end(report_));
  return write_reports(call, report_, {}, html);
}

}  // namespace parley::client
