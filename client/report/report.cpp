#include "client/report/report.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace parley::client {
namespace {

constexpr std::array<std::string_view, 6> state_words{"passed", "failed",   "undecided",
                                                      "fault",  "canceled", "missing"};
constexpr std::array<std::string_view, 3> level_words{"must", "should", "could"};
constexpr std::array<std::string_view, 3> severities{"BLOCKER", "MAJOR", "MINOR"};
constexpr std::array<std::string_view, 3> decision_words{"green", "red", "undecided"};

void add(Counts& counts, CaseState state) {
  ++counts.cases;
  switch (state) {
    case CaseState::passed: ++counts.passed; return;
    case CaseState::failed: ++counts.failed; return;
    case CaseState::undecided: ++counts.undecided; return;
    case CaseState::fault: ++counts.faults; return;
    case CaseState::canceled: ++counts.canceled; return;
    case CaseState::missing: ++counts.missing; return;
  }
}

std::string words_of(const AssertionRow& assertion) {
  const std::string& name = assertion.name.empty() ? assertion.type : assertion.name;
  return std::string(word_of(assertion.level)) + " \"" + name + "\": " + assertion.reason;
}

/// The joined decision is red if one suite is red, and otherwise undecided if one suite is undecided.
Decision worse(Decision a, Decision b) {
  if (a == Decision::red || b == Decision::red) return Decision::red;
  return a == Decision::undecided ? a : b;
}

}  // namespace

void join(Report& all, const Report& one) {
  const bool is_first = all.project.empty();
  all.parley = one.parley;
  all.project += (is_first ? "" : ", ") + one.project;
  if (is_first) all.started_at = one.started_at;
  all.seconds += one.seconds;
  all.decision = is_first ? one.decision : worse(all.decision, one.decision);
  for (const std::string& reason : one.reasons) all.reasons.push_back(one.project + ": " + reason);
  all.usd.agent += one.usd.agent;
  all.usd.tester += one.usd.tester;
  all.usd.judge += one.usd.judge;
  all.runs.insert(all.runs.end(), one.runs.begin(), one.runs.end());
  all.results.insert(all.results.end(), one.results.begin(), one.results.end());
  if (all.empty_parts.empty()) all.empty_parts = one.empty_parts;
}

Counts counts_of(const std::vector<ResultRow>& results) {
  Counts counts;
  for (const ResultRow& each : results) add(counts, each.state);
  return counts;
}

double coverage_of(const Counts& counts) {
  return counts.cases == 0 ? 1 : static_cast<double>(counts.decided()) / static_cast<double>(counts.cases);
}

std::optional<double> pass_rate_of(const Counts& counts) {
  if (counts.decided() == 0) return std::nullopt;
  return static_cast<double>(counts.passed) / static_cast<double>(counts.decided());
}

std::string_view word_of(CaseState state) {
  return state_words.at(static_cast<std::size_t>(state));
}
std::string_view word_of(AssertionLevel level) {
  return level_words.at(static_cast<std::size_t>(level));
}
std::string_view word_of(Decision decision) {
  return decision_words.at(static_cast<std::size_t>(decision));
}
std::string_view severity_of(AssertionLevel level) {
  return severities.at(static_cast<std::size_t>(level));
}

std::optional<CaseState> case_state_of(std::string_view word) {
  const auto found = std::find(state_words.begin(), state_words.end(), word);
  if (found == state_words.end()) return std::nullopt;
  return static_cast<CaseState>(found - state_words.begin());
}

AssertionLevel level_of_severity(std::string_view severity) {
  const auto found = std::find(severities.begin(), severities.end(), severity);
  return found == severities.end() ? AssertionLevel::should
                                   : static_cast<AssertionLevel>(found - severities.begin());
}

Counts Group::counts() const {
  Counts counts;
  for (const ResultRow* each : results) add(counts, each->state);
  return counts;
}

std::vector<WarningRow> warnings_of_passed(const Group& group) {
  std::vector<WarningRow> warnings;
  for (const ResultRow* result : group.results) {
    if (result->state != CaseState::passed) continue;
    for (const WarningRow& each : result->warnings)
      if (std::find(warnings.begin(), warnings.end(), each) == warnings.end()) warnings.push_back(each);
  }
  return warnings;
}

std::string label_of(const ResultRow& result) {
  std::string label = result.name.empty() ? result.test : result.name;
  if (result.variant) label += " · " + *result.variant;
  if (result.persona) label += " · " + *result.persona;
  return label;
}

std::string name_of_case(const ResultRow& result) {
  return label_of(result) + " #" + std::to_string(result.repetition);
}

std::vector<Group> groups_of(const std::vector<ResultRow>& results) {
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (const ResultRow& each : results) {
    const std::string label = label_of(each);
    const std::string key = each.scenario + '\0' + each.test + '\0' + label + '\0' + each.agent;
    const auto [place, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.push_back({label, each.agent, each.file, each.line, {}});
    groups[place->second].results.push_back(&each);
  }
  return groups;
}

std::string why_open(const ResultRow& result) {
  if (result.fault)
    return result.fault->source + ": " + (result.fault->code.empty() ? "" : result.fault->code + ": ") +
           result.fault->detail;
  if (!result.review.empty()) return "invalid trial: " + result.review;
  for (const AssertionLevel level : {AssertionLevel::must, AssertionLevel::should, AssertionLevel::could})
    for (const AssertionRow& each : result.assertions)
      if (each.level == level && each.status != "passed" && each.status != "failed") return words_of(each);
  return std::string(word_of(result.state));
}

std::string why(const ResultRow& result) {
  const bool is_undecided = result.state == CaseState::undecided;
  const bool has_verdicts = is_undecided || result.state == CaseState::failed;
  if (result.fault || !result.review.empty() || !has_verdicts) return why_open(result);
  const auto failed = std::find_if(
      result.assertions.begin(), result.assertions.end(),
      [](const AssertionRow& each) { return each.level == AssertionLevel::must && each.status == "failed"; });
  if (failed == result.assertions.end()) return why_open(result);
  return words_of(*failed) + (is_undecided ? "; not decided: " + why_open(result) : "");
}

}  // namespace parley::client
