#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "store/views/aggregates.hpp"
#include "tests/store/world.hpp"

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
  expected.first = {1, 1, 0, 80};
  expected.agent = {2, {}, {}, expected.cost};
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

TEST(Counters, a_replaced_result_counts_only_in_live_and_as_an_attempt) {
  ResultHead head = completed(true, 80);
  head.retired_by = std::string("x");
  head.previous = std::string("y");
  RunCounters expected;
  expected.retries.at(static_cast<std::size_t>(RetryCause::unfinished)) = 1;
  expected.agent = run_share(completed(true, 80)).agent;  // paid for nonetheless
  head.retired_from = ResultStatus::running;
  EXPECT_EQ(run_share(head), expected);
  EXPECT_TRUE(is_zero(case_share(head)));
  head.status = ResultStatus::running;
  EXPECT_EQ(run_share(head).live, 1);
  EXPECT_EQ(run_share(head).running, 0);
}

TEST(Counters, a_void_trial_is_undecided) {
  ResultHead head = completed(true, 80);
  head.is_void = true;
  const RunCounters share = run_share(head);
  EXPECT_EQ(share.undecided, 1);
  EXPECT_EQ(share.passed + share.not_passed + share.score_sum, 0);
  EXPECT_EQ(share.first, (FirstAttempts{1, 0, 0, 0}));
  EXPECT_EQ(case_share(head), (CaseCounters{1, 0, 1, 0, 0}));
}

TEST(Counters, a_first_attempt_counts_as_it_was_before_its_retry) {
  ResultHead head = completed(false, 30);
  head.status = ResultStatus::canceled;
  EXPECT_EQ(run_share(head).first, (FirstAttempts{1, 0, 0, 0})) << "withdrawn";
  head.retired_by = std::string("x");
  head.retired_from = ResultStatus::completed;
  EXPECT_EQ(run_share(head).first, (FirstAttempts{1, 0, 1, 30}));
  EXPECT_EQ(run_share(head).completed, 0);
  head.previous = std::string("y");
  EXPECT_EQ(run_share(head).first, FirstAttempts{}) << "no first attempt";
}

TEST(Counters, a_retry_counts_under_the_cause_of_the_failure) {
  struct Row {
    ResultHead head;
    RetryCause cause;
  };
  const auto failed = [](std::string source) {
    ResultHead head;
    head.status = ResultStatus::failed;
    head.error = json::Text{R"({"source":")" + source + R"(","code":"c","detail":"d"})"};
    return head;
  };
  ResultHead voided = completed(false, 0);
  voided.is_void = true;
  voided.fault = FaultSource::tester;
  ResultHead undecided = completed(true, 0);
  undecided.is_decided = false;
  undecided.fault = FaultSource::judge;
  for (const Row& row :
       {Row{completed(false, 0), RetryCause::answer}, Row{completed(true, 9), RetryCause::passed},
        Row{failed("agent"), RetryCause::agent}, Row{failed("tester"), RetryCause::tester},
        Row{failed("client"), RetryCause::client}, Row{voided, RetryCause::tester},
        Row{undecided, RetryCause::judge}, Row{ResultHead{}, RetryCause::unfinished}}) {
    for (const bool is_old : {false, true}) {  // old: heads written before this was stored
      ResultHead head = row.head;
      if (!is_old) head.retired_from = head.status;
      head.status = ResultStatus::canceled;
      head.retired_by = std::string("x");
      RunCounters expected;
      expected.retries.at(static_cast<std::size_t>(row.cause)) = 1;
      EXPECT_EQ(run_share(head).retries, expected.retries) << word_of(row.cause) << is_old;
    }
  }
}

TEST(Counters, of_warnings_leave_out_replaced_results_and_those_of_use_do_not_D97_D103) {
  ResultHead head = completed(true, 80);
  WarningSet warned;
  warned.add(WarningCode::no_blocker);
  warned.add(WarningCode::manual_ignored);
  head.warned = warned.bits;
  head.sums = MeasureSums{{10, 2}, {300, 2}, {}, {0.5, 1}};
  head.judge_use = ModelUse{"j", 3, 1, 100, std::nullopt, 0.25};
  for (const bool is_replaced : {false, true}) {
    if (is_replaced) head.retired_by = std::string("x");
    const RunCounters share = run_share(head);
    WarningCounts expected{};
    if (!is_replaced) expected.at(1) = expected.at(8) = 1;
    EXPECT_EQ(share.warnings, expected);
    EXPECT_EQ(share.agent, (UseSums{2, Tally::of({300, 2}), {}, Tally::of({0.5, 1})}));
    EXPECT_EQ(share.judge, (UseSums{3, Tally::of({100, 1}), {}, Tally::of({0.25, 1})}));
    EXPECT_EQ(share.tester, UseSums{});
  }
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

TEST(Counters, I59_sums_are_exact_in_any_order_and_return_to_zero) {
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

TEST(Counters, are_preserved_by_their_encoding) {
  RunCounters counters = run_share(completed(true, 80));
  counters.failed = -3;
  EXPECT_EQ(decode_counters<RunCounters>(encode_counters(counters)), counters);
  EXPECT_EQ(decode_counters<CaseCounters>(encode_counters(CaseCounters{1, 2, 3, 4, 5})),
            (CaseCounters{1, 2, 3, 4, 5}));
  EXPECT_EQ(decode_counters<CaseCounters>("short"), std::nullopt);
}

TEST(Counters, of_a_data_file_of_schema_2_are_recomputed) {
  World world;
  const auto run = world.run();
  ResultHead head = world.result(run);
  head.status = ResultStatus::completed;
  head.is_decided = true;
  head.score = 70;
  world.create(head);
  const RunCounters before = world.store->snapshot().run_counters(run.stamp.id).value();
  std::string version;
  append_u32(version, 2);
  const std::string key(run.stamp.id.key());
  ChangeSet older;
  older.writes.push_back({TableId::meta, "schema", any_revision, frame("schema", 0, version)});
  older.writes.push_back(
      {TableId::run_counters, key, any_revision, frame(key, 0, std::string(22 * 8, '\1'))});
  world.must_commit(older);
  EXPECT_FALSE(world.store->snapshot().run_counters(run.stamp.id).ok());
  world.reopen();
  EXPECT_EQ(world.store->snapshot().run_counters(run.stamp.id).value(), before);
  EXPECT_EQ(before.first, (FirstAttempts{1, 1, 0, 70}));
  EXPECT_TRUE(world.differences().empty());
}

}  // namespace
}  // namespace parley::store
