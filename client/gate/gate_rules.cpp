#include "client/gate/gate_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "client/gate/exit_code.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"

namespace parley::client {
namespace {

constexpr std::size_t lines_max = 20;

bool is_open(const AssertionRow& assertion) {
  return assertion.status != "passed" && assertion.status != "failed";
}

/// Whether the assertion affects the score or the verdict. Weight 0 does not, unless the level is must.
bool counts(const AssertionRow& assertion) {
  return assertion.level == AssertionLevel::must || assertion.weight != 0;
}

/// One line per distinct reason, with the number of results that have it and the first of these results.
class Wordings {
 public:
  void add(const std::string& words, const ResultRow& row) {
    const auto [place, is_new] = places_.try_emplace(words, lines_.size());
    if (is_new) lines_.push_back({words, 0, &row});
    ++lines_[place->second].count;
  }
  [[nodiscard]] bool empty() const { return lines_.empty(); }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const Line& each : lines_) {
      if (out.size() == lines_max) {
        out.push_back("... and " + std::to_string(lines_.size() - lines_max) + " more");
        break;
      }
      out.push_back(fmt::format("{} x {} ({}, {})", each.count, fitted(one_line(each.words), 300),
                                one_line(name_of_case(*each.first)), each.first->id));
    }
    return out;
  }

 private:
  struct Line {
    std::string words;
    std::size_t count;
    const ResultRow* first;
  };
  std::vector<Line> lines_;
  std::map<std::string, std::size_t> places_;
};

std::vector<std::string> bounded(std::vector<std::string> lines) {
  if (lines.size() <= lines_max) return lines;
  const std::size_t left = lines.size() - lines_max;
  lines.resize(lines_max);
  lines.push_back("... and " + std::to_string(left) + " more");
  return lines;
}

RuleOutcome held(std::string sentence) {
  return {true, false, std::move(sentence), {}, ""};
}
RuleOutcome open_rule(std::string sentence, std::vector<std::string> details = {}, std::string command = "") {
  return {false, false, std::move(sentence), std::move(details), std::move(command)};
}
RuleOutcome red_rule(std::string sentence, std::vector<std::string> details = {}) {
  return {false, true, std::move(sentence), std::move(details), ""};
}

std::vector<std::string> of_states(const Report& report, std::initializer_list<CaseState> states) {
  Wordings wordings;
  for (const ResultRow& each : report.results) {
    if (std::find(states.begin(), states.end(), each.state) == states.end()) continue;
    const std::string source = each.state == CaseState::fault || each.state == CaseState::undecided
                                   ? fault_source_of(each) + ": "
                                   : "";
    wordings.add(source + why(each), each);
  }
  return wordings.lines();
}

RuleOutcome status_rule(const Report& report, const EarlyEnd& early_end) {
  if (!early_end.sentence.empty()) return open_rule(early_end.sentence);
  for (const RunRow& each : report.runs) {
    if (each.status != "completed" && !each.status.empty())
      return open_rule(
          "a run is " + each.status + ", not completed (" + one_line(each.agent) + ", " + each.id + ")", {},
          each.status == "running" || each.status == "pending" ? "parley tail " + each.id : "");
  }
  return held("every run is completed");
}

bool is_canceled(const Report& report, const std::string& run) {
  return std::any_of(report.runs.begin(), report.runs.end(),
                     [&](const RunRow& each) { return each.id == run && each.status == "canceled"; });
}

/// Whether the result is undecided because the server has no judge. Playing it again would not help.
bool lacks_judge(const ResultRow& row) {
  return row.state == CaseState::undecided &&
         std::any_of(row.assertions.begin(), row.assertions.end(), [](const AssertionRow& each) {
           return each.type == "criteria" && each.status == "skipped" &&
                  each.reason.starts_with("No judge model is configured");
         });
}

/// Returns the command that plays undecided cases again. If only the agent is at fault, it includes --verdicts,
/// because faults of the agent are retried only on request. Results of a canceled run cannot be retried, so they are
/// played in a new run.
std::string retry_command(const Report& report) {
  std::string run;
  std::string canceled;
  bool has_other = false;
  for (const ResultRow& each : report.results) {
    if (lacks_judge(each)) continue;
    if (is_canceled(report, each.run)) {
      if (each.state != CaseState::passed && each.state != CaseState::failed) canceled = each.run;
      continue;
    }
    const bool is_agents = each.state == CaseState::fault && fault_source_of(each) == "agent";
    const bool is_other = (each.state == CaseState::fault && !is_agents) ||
                          each.state == CaseState::undecided || each.state == CaseState::canceled;
    if ((is_agents && run.empty()) || (is_other && !has_other)) run = each.run;
    has_other = has_other || is_other;
  }
  if (run.empty()) return canceled.empty() ? "" : "parley run --errors=" + canceled;
  return "parley retry " + run + (has_other ? "" : " --verdicts");
}

RuleOutcome coverage_rule(const Report& report, const Counts& all) {
  if (all.cases == 0) return open_rule("there are no results");
  if (all.decided() == all.cases) return held("every case was decided");
  std::string parts;
  const auto part = [&](std::int64_t count, std::string_view words) {
    if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(words);
  };
  part(all.undecided, "undecided");
  part(all.faults, all.faults == 1 ? "fault" : "faults");
  part(all.canceled, "canceled");
  part(all.missing, "not played");
  return open_rule(fmt::format("coverage {:.2f} is below 1: of {} {}", coverage_of(all),
                               counted(all.cases, "case", "cases"), parts),
                   of_states(report, {CaseState::undecided, CaseState::fault}), retry_command(report));
}

RuleOutcome pass_rate_rule(const Report& report, const Counts& all, double least) {
  const auto rate = pass_rate_of(all);
  if (!rate) return held("no pass rate: nothing was decided");
  // Two digits would round 0.996 to "1.00 is below 1".
  const bool hides = *rate < least && fmt::format("{:.2f}", *rate) >= fmt::format("{:.2f}", least);
  const std::string figures =
      hides ? fmt::format("pass rate {:.4g}", *rate) : fmt::format("pass rate {:.2f}", *rate);
  if (*rate >= least) return held(fmt::format("{} is at least {:g}", figures, least));
  return red_rule(fmt::format("{} is below {:g}", figures, least), of_states(report, {CaseState::failed}));
}

/// The tests that break a rule: a sentence about the first test, and one line per test with a result that did not pass.
struct BrokenTests {
  std::string sentence;
  std::vector<std::string> details;

  void add(const Group& group, const std::string& words) {
    if (details.empty()) sentence = words;
    const auto result = std::find_if(group.results.begin(), group.results.end(),
                                     [](const ResultRow* each) { return each->state != CaseState::passed; });
    details.push_back(fmt::format("{}: {} ({})", words, fitted(one_line(why(**result)), 300), (*result)->id));
  }
};

RuleOutcome per_test_rule(const Report& report, Ratio wanted) {
  BrokenTests broken;
  BrokenTests open;
  for (const Group& each : groups_of(report.results)) {
    const Counts found = each.counts();
    // Scales k/n to the number of repetitions that were played.
    const std::int64_t needed = (wanted.first * found.cases + wanted.second - 1) / wanted.second;
    if (found.passed >= needed) continue;
    const std::int64_t possible = found.cases - found.failed;
    (possible < needed ? broken : open)
        .add(each, fmt::format("{} is {}/{}, below {}/{}", one_line(each.label + " · " + each.agent),
                               found.passed, found.cases, wanted.first, wanted.second));
  }
  const bool is_red = !broken.details.empty();
  BrokenTests& found = is_red ? broken : open;
  const auto others = static_cast<std::int64_t>(found.details.size()) - 1;
  if (others < 0) return held(fmt::format("every test passed at least {}/{}", wanted.first, wanted.second));
  if (others > 0) found.sentence += " (" + counted(others, "more test", "more tests") + ")";
  std::vector<std::string> details = bounded(std::move(found.details));
  return is_red ? red_rule(found.sentence, std::move(details))
                : open_rule(found.sentence, std::move(details), retry_command(report));
}

RuleOutcome score_rule(const Report& report, double least) {
  double sum = 0;
  std::int64_t count = 0;
  for (const ResultRow& each : report.results) {
    if (each.state != CaseState::passed && each.state != CaseState::failed) continue;
    sum += static_cast<double>(each.score);
    ++count;
  }
  if (count == 0) return held("no score: nothing was decided");
  const double score = sum / static_cast<double>(count);
  if (score >= least) return held(fmt::format("score {:.1f} is at least {:g}", score, least));
  return red_rule(fmt::format("score {:.1f} is below {:g}", score, least));
}

RuleOutcome open_assertions_rule(const Report& report) {
  Wordings wordings;
  std::string run;
  std::size_t count = 0;
  for (const ResultRow& each : report.results) {
    if (each.state != CaseState::passed && each.state != CaseState::failed) continue;
    for (const AssertionRow& assertion : each.assertions) {
      if (!is_open(assertion) || !counts(assertion)) continue;
      ++count;
      if (run.empty()) run = each.run;
      wordings.add((assertion.name.empty() ? assertion.type : assertion.name) + ": " + assertion.reason,
                   each);
    }
  }
  if (wordings.empty()) return held("every assertion that counts was decided");
  return open_rule(fmt::format("{} not decided (--allow-open lets it pass)",
                               count == 1 ? "1 assertion was" : std::to_string(count) + " assertions were"),
                   wordings.lines(), run.empty() ? "" : "parley rescore " + run + " --save");
}

/// A run without assertions must not be green.
RuleOutcome assertion_rule(const Report& report, bool has_min_score) {
  bool can_fail = false;
  bool can_count = false;
  for (const ResultRow& each : report.results) {
    for (const AssertionRow& assertion : each.assertions) {
      can_fail = can_fail || assertion.level == AssertionLevel::must;
      can_count = can_count || counts(assertion);
    }
  }
  if (report.results.empty()) return held("there are no results");
  if (!has_min_score && !can_fail)
    return red_rule(
        "no assertion is a must, so none could have failed a result: give one to the tests, or min-score");
  if (!can_count) return red_rule("no result has an assertion that counts: give one to the tests");
  return held("at least one assertion could have failed a result");
}

void add_comparison(GateVerdict& verdict, const ComparedRun& compared, const GateRules& rules) {
  std::vector<std::string> regressed;
  std::vector<std::string> unclear;
  std::int64_t further = 0;
  for (const ComparedTest& each : compared.tests) {
    const std::string line =
        fmt::format("{}: passed {} of {}, now {} of {}; p {:.2g}", one_line(each.name), each.passed_before,
                    each.decided_before, each.passed_after, each.decided_after, each.p);
    if (each.change == "regressed") regressed.push_back(line);
    if (each.change != "undecided" || !each.is_worse() || !each.further_repetitions) continue;
    unclear.push_back(
        fmt::format("{}; repetitions that would decide: {} more", line, *each.further_repetitions));
    further = std::max(further, *each.further_repetitions);
  }
  const std::string against = "against " + compared.baseline + ": ";
  if (regressed.empty()) {
    verdict.rules.push_back(held(against + "no test regressed"));
  } else {
    verdict.rules.push_back(
        red_rule(fmt::format("{}{} regressed", against, regressed.size()), bounded(regressed)));
  }
  if (!unclear.empty() && !rules.allows_undecided)
    verdict.rules.push_back(open_rule(
        fmt::format("{}{} cannot be decided ({} more)", against, unclear.size(), further), bounded(unclear),
        compared.option.empty() ? "" : "parley run --until-decided --baseline " + compared.option));
  if (!compared.played_less.empty() && !rules.allows_missing)
    verdict.rules.push_back(
        open_rule(fmt::format("{}{} played less often", against, compared.played_less.size()),
                  bounded(compared.played_less)));
}

void add_notes(GateVerdict& verdict, const Report& report, const GateRules& rules) {
  std::size_t lesser = 0;
  for (const ResultRow& each : report.results) {
    const bool has_failed = std::any_of(each.assertions.begin(), each.assertions.end(),
                                        [](const AssertionRow& one) { return one.status == "failed"; });
    if (each.state == CaseState::passed && has_failed) ++lesser;
  }
  if (std::any_of(report.results.begin(), report.results.end(), lacks_judge))
    verdict.notes.emplace_back(
        "criteria need a judge: set `judge` in the suite, or start the server with --judge-url");
  if (lesser > 0)
    verdict.notes.push_back(fmt::format("{} passed with failed assertions that are should or could",
                                        lesser == 1 ? "1 result" : std::to_string(lesser) + " results"));
  if (rules.allows_open && !open_assertions_rule(report).holds)
    verdict.notes.push_back("allow-open lets assertions pass that nothing decided");
}

}  // namespace

bool ComparedTest::is_worse() const {
  if (decided_before == 0 || decided_after == 0) return false;
  return passed_after * decided_before < passed_before * decided_after;
}

std::vector<std::string> GateVerdict::reasons() const {
  std::vector<std::string> out;
  for (const RuleOutcome& each : rules)
    if (!each.holds) out.push_back(each.sentence);
  return out;
}

GateVerdict decide(const GateInput& input, const GateRules& rules) {
  const Report& report = *input.report;
  const Counts all = counts_of(report.results);
  GateVerdict verdict;
  verdict.rules.push_back(status_rule(report, input.early_end));
  for (const std::string& each : report.gaps) verdict.rules.push_back(open_rule(each));
  if (!(rules.allows_missing && all.decided() + all.missing == all.cases))
    verdict.rules.push_back(coverage_rule(report, all));
  // A threshold per test replaces the pass rate over all tests, unless both are given.
  if (rules.min_pass_rate || !rules.per_test)
    verdict.rules.push_back(pass_rate_rule(report, all, rules.min_pass_rate.value_or(1)));
  if (rules.per_test) verdict.rules.push_back(per_test_rule(report, *rules.per_test));
  if (rules.min_score) verdict.rules.push_back(score_rule(report, *rules.min_score));
  if (!rules.allows_open) verdict.rules.push_back(open_assertions_rule(report));
  verdict.rules.push_back(assertion_rule(report, rules.min_score.has_value()));
  for (const ComparedRun& each : input.comparisons) add_comparison(verdict, each, rules);
  for (const RuleOutcome& each : verdict.rules) {
    if (each.holds) continue;
    if (verdict.decision == Decision::green) verdict.decision = Decision::undecided;
    if (each.is_red) verdict.decision = Decision::red;
  }
  add_notes(verdict, report, rules);
  return verdict;
}

void set_decision(Report& report, const GateVerdict& verdict) {
  report.decision = verdict.decision;
  report.reasons = verdict.reasons();
  report.exit = exit_code_of(verdict.decision);
}

}  // namespace parley::client
