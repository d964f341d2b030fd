#include "client/gate/gate_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "client/gate/comparison.hpp"
#include "client/gate/exit_code.hpp"
#include "client/gate/stored_rules.hpp"
#include "client/report/sentences.hpp"

namespace parley::client {
namespace {

ResultRow row_of(const std::string& test, CaseState state) {
  ResultRow result;
  result.id = test;
  result.test = result.name = test;
  result.agent = "shop";
  result.state = state;
  const std::string status = state == CaseState::failed   ? "failed"
                             : state == CaseState::passed ? "passed"
                                                          : "error";
  result.assertions = {{"a", "", "contains", AssertionLevel::must, status, "because", {}, 5}};
  result.score = state == CaseState::passed ? 100 : 0;
  return result;
}

Report report_of(std::initializer_list<CaseState> states) {
  Report report;
  report.runs = {{"r", "shop", "s", "completed", std::nullopt, {}, 1}};
  for (const CaseState each : states) report.results.push_back(row_of("t", each));
  return report;
}

Decision decided(const Report& report, const GateRules& rules = {}) {
  return decide({&report, {}, {}}, rules).decision;
}

constexpr auto passed = CaseState::passed;
constexpr auto failed = CaseState::failed;

TEST(GateRules, decide_by_what_was_wrong_and_what_was_not_decided) {
  EXPECT_EQ(decided(report_of({passed, passed})), Decision::green);
  EXPECT_EQ(decided(report_of({passed, failed})), Decision::red);
  EXPECT_EQ(decided(report_of({passed, CaseState::fault})), Decision::undecided);
  EXPECT_EQ(decided(report_of({passed, CaseState::undecided})), Decision::undecided);
  EXPECT_EQ(decided(report_of({failed, CaseState::fault})), Decision::red) << "red wins";
  EXPECT_EQ(decided(report_of({})), Decision::undecided) << "no results";
}

TEST(GateRules, are_undecided_if_a_file_lacks_results) {
  Report report = report_of({passed});
  report.gaps = {"s1.jsonl: it has 1 of the 2 results that its report line counts"};
  const GateVerdict verdict = decide({&report, {}, {}}, {});
  EXPECT_EQ(verdict.decision, Decision::undecided);
  EXPECT_EQ(verdict.reasons(), report.gaps);
  report.results.push_back(row_of("t", failed));
  EXPECT_EQ(decided(report), Decision::red);
}

TEST(ExitCode, of_a_full_disk_is_not_that_of_damaged_data) {
  EXPECT_EQ(exit_code_of(problem(ProblemKind::busy, "The disk is full")), exit_no_server);
  EXPECT_EQ(exit_code_of(problem(ProblemKind::store_refuses, "damaged")), exit_damaged_data);
}

TEST(GateRules, refuse_a_run_in_which_nothing_could_fail) {
  Report report = report_of({passed});
  report.results[0].assertions[0].level = AssertionLevel::should;
  EXPECT_EQ(decided(report), Decision::red);
}

TEST(GateRules, take_a_pass_rate_or_a_share_of_each_test) {
  const Report mixed = report_of({passed, passed, passed, passed, failed});
  EXPECT_EQ(decided(mixed, {.min_pass_rate = 0.8, .per_test = {}, .min_score = {}}), Decision::green);
  EXPECT_EQ(decided(mixed, {.min_pass_rate = {},
                            .per_test = std::pair<std::int64_t, std::int64_t>(4, 5),
                            .min_score = {}}),
            Decision::green);
  EXPECT_EQ(decided(mixed, {.min_pass_rate = {},
                            .per_test = std::pair<std::int64_t, std::int64_t>(5, 5),
                            .min_score = {}}),
            Decision::red);
}

TEST(GateRules, is_undecided_if_open_repetitions_could_still_pass) {
  const Report open = report_of({passed, passed, passed, CaseState::fault, failed});
  EXPECT_EQ(decided(open, {.min_pass_rate = {},
                           .per_test = std::pair<std::int64_t, std::int64_t>(4, 5),
                           .min_score = {}}),
            Decision::undecided);
}

TEST(GateRules, name_each_broken_rule_in_the_order_of_the_gate) {
  const Report report = report_of({failed, CaseState::fault});
  const auto reasons = decide({&report, {}, {"stopped at $2.01 of 2.00: 1 of 3 left"}}, {}).reasons();
  EXPECT_EQ(reasons, (std::vector<std::string>{"stopped at $2.01 of 2.00: 1 of 3 left",
                                               "coverage 0.50 is below 1: of 2 cases 1 fault",
                                               "pass rate 0.00 is below 1"}));
}

TEST(GateRules, list_a_result_of_each_test_below_its_share) {
  Report report = report_of({passed, failed});
  report.results.push_back(row_of("other", failed));
  const GateRules rules{.min_pass_rate = {}, .per_test = ratio_of("1/1"), .min_score = {}};
  const GateVerdict verdict = decide({&report, {}, {}}, rules);
  const auto broken = std::find_if(verdict.rules.begin(), verdict.rules.end(),
                                   [](const RuleOutcome& each) { return !each.holds; });
  ASSERT_NE(broken, verdict.rules.end());
  EXPECT_EQ(broken->sentence, "t · shop is 1/2, below 1/1 (1 more test)");
  EXPECT_EQ(broken->details.size(), 2U);
  EXPECT_TRUE(broken->details[1].starts_with("other · shop is 0/1, below 1/1: ")) << broken->details[1];
  EXPECT_TRUE(broken->details[1].ends_with(" (other)")) << broken->details[1];
}

TEST(GateRules, name_the_command_that_may_decide_an_open_rule) {
  Report report = report_of({passed, CaseState::fault});
  report.results[1].run = "r";
  report.results[1].fault = CaseFault{"agent", "exit", "exited 1"};
  const auto command = [&] { return decide({&report, {}, {}}, {}).rules[1].command; };
  EXPECT_EQ(command(), "parley retry r --verdicts");
  report.results[1].fault = CaseFault{"infrastructure", "timeout", ""};
  EXPECT_EQ(command(), "parley retry r");
  report.results.pop_back();
  EXPECT_EQ(command(), "") << "the rule holds";
}

TEST(GateRules, name_a_new_run_for_results_of_a_canceled_run) {
  Report report = report_of({passed, CaseState::canceled});
  report.results[1].run = report.runs[0].id;
  const auto command = [&] { return decide({&report, {}, {}}, {}).rules[1].command; };
  EXPECT_EQ(command(), "parley retry r") << "only this result was canceled";
  report.runs[0].status = "canceled";
  EXPECT_EQ(command(), "parley run --errors=r");
}

TEST(GateRules, name_no_command_if_there_is_no_judge) {
  Report report = report_of({passed, CaseState::undecided});
  report.results[1].run = "r";
  report.results[1].assertions[0].type = "criteria";
  report.results[1].assertions[0].status = "skipped";
  report.results[1].assertions[0].reason = "No judge model is configured, and criteria are never guessed.";
  const GateVerdict verdict = decide({&report, {}, {}}, {});
  EXPECT_EQ(verdict.rules[1].command, "");
  ASSERT_EQ(verdict.notes.size(), 1U);
  EXPECT_TRUE(verdict.notes[0].starts_with("criteria need a judge")) << verdict.notes[0];
}

TEST(StoredRules, are_read_from_the_metadata_of_a_run) {
  GateRules rules{.min_pass_rate = 0.95, .per_test = ratio_of("4/5"), .min_score = 60};
  rules.baseline = "0197e1";
  rules.allows_open = rules.allows_missing = true;
  const auto run = json::parse(R"({"metadata":{"rules":)" + rules_json(rules) + "}}");
  ASSERT_TRUE(run.ok());
  const GateRules read = rules_of_run(run->root());
  EXPECT_EQ(rules_json(read), rules_json(rules));
  EXPECT_EQ(read.min_pass_rate, 0.95);
  EXPECT_FALSE(read.allows_undecided);
}

TEST(StoredRules, are_the_default_ones_if_they_are_absent_or_malformed) {
  const std::string usual = rules_json({});
  for (
      const std::string_view text :
      {R"({})", R"({"metadata":null})", R"({"metadata":{"rules":[1]}})",
       R"({"metadata":{"rules":{"minPassRate":7,"perTest":"9/5","minScore":-1,"baseline":3,"allowOpen":"yes"}}})"})
    EXPECT_EQ(rules_json(rules_of_run(json::parse(text)->root())), usual) << text;
}

TEST(Sentences, name_a_baseline_once) {
  Report report = report_of({failed});
  report.decision = Decision::red;
  report.reasons = {"pass rate 0.00 is below 1", "against last-green 0197e1: 1 regressed",
                    "against last-green 0197e1: 2 cannot be decided (4 more)"};
  EXPECT_EQ(
      decision_sentence(report),
      "red: pass rate 0.00 is below 1; against last-green 0197e1: 1 regressed, 2 cannot be decided (4 more)");
}

TEST(Comparison, finds_a_regression_and_counts_undecided_tests) {
  Report before;
  Report after;
  for (int i = 0; i < 20; ++i) {
    before.results.push_back(row_of("breaks", passed));
    after.results.push_back(row_of("breaks", failed));
    before.results.push_back(row_of("wavers", passed));
    after.results.push_back(row_of("wavers", i < 2 ? failed : passed));
    before.results.push_back(row_of("same", passed));
    after.results.push_back(row_of("same", passed));
  }
  const ComparedRun compared = compare_reports(before, after, "last");
  ASSERT_EQ(compared.tests.size(), 3u);
  EXPECT_EQ(compared.tests[0].change, "regressed");
  EXPECT_EQ(compared.tests[1].change, "undecided");
  EXPECT_TRUE(compared.tests[1].further_repetitions.has_value());
  EXPECT_EQ(compared.tests[2].change, "unchanged");
}

TEST(Comparison, reports_what_was_played_less) {
  Report before;
  before.results = {row_of("a", passed), row_of("b", passed)};
  Report after;
  after.results = {row_of("a", passed)};
  const ComparedRun compared = compare_reports(before, after, "last");
  ASSERT_EQ(compared.played_less.size(), 1u);
  EXPECT_EQ(compared.played_less[0], "b · shop: 0, in the baseline 1");
}

TEST(ExitCodes, distinguish_red_undecided_and_an_unreachable_server) {
  EXPECT_EQ(exit_code_of(Decision::green), 0);
  EXPECT_EQ(exit_code_of(Decision::red), 1);
  EXPECT_EQ(exit_code_of(Decision::undecided), 3);
  EXPECT_EQ(exit_code_of(problem(ProblemKind::invalid_parameter, "")), 2);
  EXPECT_EQ(exit_code_of(problem(ProblemKind::unauthorized, "")), 5);
  EXPECT_EQ(exit_code_of(problem(ProblemKind::busy, "")), 5);
  EXPECT_EQ(exit_code_of(problem(ProblemKind::store_refuses, "")), 4);
}

}  // namespace
}  // namespace parley::client
