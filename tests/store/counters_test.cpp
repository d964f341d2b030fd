#include "store/counters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace parley::store {
namespace {

ResultHead completed(bool passed, std::int64_t score) {
  ResultHead head;
  head.status = ResultStatus::completed;
  head.is_decided = true;
  head.overall_passed = passed;
  head.score = score;
  head.sums = MeasureSums{{1.25, 2}, {}, {}, {0.1, 1}};
  return head;
}

TEST(Counters, D35_a_decided_result_counts_once_and_brings_score_and_measures) {
  RunCounters expected;
  expected.completed = expected.passed = 1;
  expected.score_sum = 80;
  expected.response_time = {1, 250'000'000'000, 2};
  expected.cost = {0, 100'000'000'000, 1};
  EXPECT_EQ(run_share(completed(true, 80)), expected);
  EXPECT_EQ(case_share(completed(false, 0)), (CaseCounters{1, 0, 1, 1, 0}));
}

TEST(Counters, D35_an_undecided_result_brings_no_score) {
  ResultHead head = completed(true, 80);
  head.is_decided = false;
  const RunCounters share = run_share(head);
  EXPECT_EQ(share.undecided, 1);
  EXPECT_EQ(share.score_sum, 0);
  EXPECT_EQ(share.passed + share.not_passed, 0);
  EXPECT_EQ(case_share(head), (CaseCounters{1, 0, 1, 0, 0}));
}

TEST(Counters, a_replaced_result_counts_nowhere_but_in_live) {
  ResultHead head = completed(true, 80);
  head.retired_by = "x";
  EXPECT_TRUE(is_zero(run_share(head)));
  EXPECT_TRUE(is_zero(case_share(head)));
  head.status = ResultStatus::running;
  EXPECT_EQ(run_share(head).live, 1);
  EXPECT_EQ(run_share(head).running, 0);
}

TEST(Counters, each_status_has_its_number) {
  using Row = std::pair<ResultStatus, std::int64_t RunCounters::*>;
  for (const auto& [status, number] :
       {Row{ResultStatus::pending, &RunCounters::pending}, Row{ResultStatus::running, &RunCounters::running},
        Row{ResultStatus::failed, &RunCounters::failed},
        Row{ResultStatus::canceled, &RunCounters::canceled}}) {
    ResultHead head;
    head.status = status;
    const RunCounters share = run_share(head);
    EXPECT_EQ(share.*number, 1);
    EXPECT_EQ(share.total(), 1);
    EXPECT_EQ(share.live, is_terminal(status) ? 0 : 1);
    EXPECT_EQ(case_share(head).live, share.live);
  }
}

TEST(Counters, I59_sums_are_exact_in_any_order_and_vanish_when_taken_back) {
  std::mt19937 random(7);
  std::vector<ResultHead> heads;
  for (int i = 0; i < 300; ++i) {
    ResultHead head = completed(i % 2 == 0, i);
    const double value = std::uniform_real_distribution<>(-5, 5)(random);
    head.sums = MeasureSums{{value, 1}, {1e300, 1}, {-value * 1e9, 3}, {value / 1e6, 1}};
    heads.push_back(head);
  }
  RunCounters forward;
  for (const ResultHead& head : heads) add(forward, run_share(head), 1);
  std::shuffle(heads.begin(), heads.end(), random);
  RunCounters shuffled;
  for (const ResultHead& head : heads) add(shuffled, run_share(head), 1);
  EXPECT_EQ(forward, shuffled);
  for (const ResultHead& head : heads) add(forward, run_share(head), -1);
  EXPECT_TRUE(is_zero(forward));
}

TEST(Counters, the_mean_is_that_of_the_messages) {
  EXPECT_EQ(Tally{}.mean(), std::nullopt);
  EXPECT_DOUBLE_EQ(*Tally::of({7.5, 3}).mean(), 2.5);
  EXPECT_DOUBLE_EQ(*Tally::of({-0.25, 1}).mean(), -0.25);
  EXPECT_DOUBLE_EQ(*Tally::of({1e300, 1}).mean(), 1e14);
}

TEST(Counters, come_back_from_their_bytes) {
  RunCounters counters = run_share(completed(true, 80));
  counters.failed = -3;
  EXPECT_EQ(decode_counters<RunCounters>(encode_counters(counters)), counters);
  EXPECT_EQ(decode_counters<CaseCounters>(encode_counters(CaseCounters{1, 2, 3, 4, 5})),
            (CaseCounters{1, 2, 3, 4, 5}));
  EXPECT_EQ(decode_counters<CaseCounters>("short"), std::nullopt);
}

}  // namespace
}  // namespace parley::store
