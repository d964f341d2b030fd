#include "client/gate/gate_rules.hpp"

#include <gtest/gtest.h>

#include "client/gate/comparison.hpp"
#include "client/gate/exit_code.hpp"

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
