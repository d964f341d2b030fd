// Retry in the result machine: the clone, the lineage, the stuck rule, the run (D50, I38-I43).

#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

Run run_in(RunStatus status, CanceledBy by = CanceledBy::nobody) {
  Run run;
  run.status = status;
  run.canceled_by = by;
  run.stamp.updated_at = noon;
  return run;
}

RetryFacts facts_with(Run run) {
  RetryFacts facts;
  facts.run = std::move(run);
  facts.stuck_after_ms = 600'000;
  return facts;
}

TEST(ResultMachineRetry, clones_the_case_and_retires_the_original_in_one_step_I38) {
  Machine machine = in(Phase::C);
  ResultHead& head = machine.state.head;
  head.test = Ref<RecordKind::test>{machine.ids.next(noon)};
  head.personality = Ref<RecordKind::personality>{machine.ids.next(noon)};
  head.source_conversation_log = Ref<RecordKind::external_log>{machine.ids.next(noon)};
  head.completion_mode = CompletionMode::manual;
  head.is_manual = true;
  const ResultHead before = head;
  const ResultDecision decision = machine.apply(Retry{}, facts_with(run_in(RunStatus::running)));
  ASSERT_TRUE(decision.clone && decision.saves_head);
  const ResultHead& clone = decision.clone->clone;
  EXPECT_EQ(clone.status, ResultStatus::pending);
  EXPECT_EQ(clone.previous, to_text(before.stamp.id));
  EXPECT_EQ(clone.lineage, to_text(before.stamp.id));
  EXPECT_EQ(clone.test, before.test);
  EXPECT_EQ(clone.run, before.run);
  EXPECT_EQ(clone.agent, before.agent);
  EXPECT_EQ(clone.personality, before.personality);
  EXPECT_EQ(clone.source_conversation_log, before.source_conversation_log);
  EXPECT_EQ(clone.completion_mode, CompletionMode::manual);
  EXPECT_TRUE(clone.is_manual);
  EXPECT_FALSE(clone.is_ended() || clone.is_claimed() || clone.error || clone.retired_by);
  EXPECT_EQ(clone.score, 0);
  EXPECT_TRUE(clone.overall_passed);
  EXPECT_EQ(head.status, ResultStatus::canceled);
  EXPECT_EQ(head.retired_by, to_text(clone.stamp.id));
  EXPECT_EQ(head.score, before.score) << "its verdict stays readable (I17)";
  EXPECT_EQ(decision.reply->value().head.stamp.id, clone.stamp.id);
}

TEST(ResultMachineRetry, follows_the_current_type_of_the_agent) {
  RetryFacts facts = facts_with(run_in(RunStatus::running));
  Machine machine = in(Phase::C);
  EXPECT_FALSE(machine.apply(Retry{}, facts).clone->clone.is_server_driven) << "as the original";
  facts.driving = driving_of("HTTP", false);
  Machine hosted = in(Phase::C);
  EXPECT_TRUE(hosted.apply(Retry{}, facts).clone->clone.is_server_driven);
  facts.driving = driving_of("LOCAL", false);
  Machine driven = in(Phase::C);
  driven.state.head.is_server_driven = true;
  EXPECT_FALSE(driven.apply(Retry{}, facts).clone->clone.is_server_driven);
}

TEST(ResultMachineRetry, keeps_one_lineage_over_clones_of_clones_I43) {
  Machine machine = in(Phase::C);
  const Id root = machine.ids.next(noon);
  machine.state.head.lineage = to_text(root);
  const ResultDecision decision = machine.apply(Retry{});
  EXPECT_EQ(decision.clone->lineage, root);
  EXPECT_EQ(decision.clone->clone.lineage, to_text(root));
  EXPECT_EQ(decision.clone->clone.previous, to_text(machine.state.head.stamp.id));
}

TEST(ResultMachineRetry, retires_the_older_clone_too_when_the_original_is_retried_again_D50) {
  Machine machine = in(Phase::C);
  const ResultDecision first = machine.apply(Retry{});
  RetryFacts facts;
  facts.newest = first.clone->clone;
  facts.newest->status = ResultStatus::completed;
  facts.newest->end_reason = EndReason::tester_ended;
  const ResultDecision second = machine.apply(Retry{}, facts);
  ASSERT_TRUE(second.clone && second.clone->older);
  const std::string newest = to_text(second.clone->clone.stamp.id);
  const auto& [before, after] = *second.clone->older;
  EXPECT_EQ(before.stamp.id, first.clone->clone.stamp.id);
  EXPECT_EQ(after.status, ResultStatus::canceled);
  EXPECT_EQ(after.end_reason, EndReason::tester_ended);
  EXPECT_EQ(after.retired_by, newest);
  EXPECT_GT(after.stamp.updated_at, before.stamp.updated_at);
  EXPECT_EQ(machine.state.head.retired_by, newest) << "retiredBy of both names the newest clone";
  EXPECT_EQ(count_of<NotifyResult>(second), 1U) << "the older clone's actor looks again";
}

TEST(ResultMachineRetry, refuses_while_any_result_of_the_lineage_is_live_I39) {
  for (const ResultStatus live : {ResultStatus::pending, ResultStatus::running}) {
    Machine machine = in(Phase::C);
    RetryFacts facts;
    facts.newest.emplace();
    facts.newest->status = live;
    EXPECT_EQ(status_of(machine.apply(Retry{}, facts)), 400);
  }
}

struct Stuck {
  std::string name;
  Phase phase;
  std::int64_t idle_ms;
  bool is_stuck;
};

TEST(ResultMachineRetry, refuses_a_result_that_the_service_is_driving_D50) {
  Machine machine = in(Phase::R);
  RetryFacts facts = facts_with(run_in(RunStatus::running));
  facts.stuck_after_ms = 0;
  facts.has_driver = true;
  EXPECT_FALSE(machine.apply(Retry{}, facts).saves());
  facts.has_driver = false;
  EXPECT_TRUE(machine.apply(Retry{}, facts).saves());
}

TEST(ResultMachineRetry, takes_a_live_result_only_when_it_is_stuck_D50) {
  const std::vector<Stuck> rows{
      {"a fresh one", Phase::P, 1'000, false},
      {"just not yet", Phase::R, 600'000 - 11, false},
      {"pending for long", Phase::P, 600'000, true},
      {"running without activity", Phase::R, 600'000, true},
      {"a manual wait", Phase::W, 1'000'000'000, false},
      {"scoring in flight", Phase::S, 1'000'000'000, false},
  };
  for (const Stuck& row : rows) {
    Machine machine = in(row.phase);
    machine.now.ms = machine.state.touched.ms + row.idle_ms;
    EXPECT_EQ(status_of(machine.apply(Retry{}, facts_with(run_in(RunStatus::running)))),
              row.is_stuck ? 200 : 400)
        << row.name;
  }
}

TEST(ResultMachineRetry, reopens_a_run_that_is_completed_by_its_results_only_D44) {
  for (const bool is_over : {false, true}) {
    RetryFacts facts = facts_with(run_in(RunStatus::fresh));
    facts.run_is_over = is_over;
    Machine machine = in(Phase::C);
    machine.state.head.has_run.reset();
    const ResultDecision decision = machine.apply(Retry{}, facts);
    EXPECT_EQ(decision.clone->run->second.status, is_over ? RunStatus::running : RunStatus::fresh);
  }
}

TEST(ResultMachineRetry, starts_the_run_of_a_result_that_ran_if_the_run_record_lags_D40) {
  for (const RunStatus status : {RunStatus::fresh, RunStatus::pending, RunStatus::running}) {
    Machine machine = in(Phase::C);
    machine.state.head.has_run = true;
    const ResultDecision decision = machine.apply(Retry{}, facts_with(run_in(status)));
    EXPECT_EQ(decision.clone->run->second.status, RunStatus::running);
    EXPECT_EQ(decision.clone->run->second.stamp.updated_at == noon, status == RunStatus::running);
    EXPECT_FALSE(decision.clone->clone.has_run);
  }
}

TEST(ResultMachineRetry, leaves_what_a_runner_holds_alone_until_the_lease_is_over_D50_D73) {
  RetryFacts facts;  // every unfinished result counts as stuck
  Machine held = in(Phase::P);
  facts.leased_until = Time{held.now.ms + 60'000};
  EXPECT_EQ(status_of(held.apply(Retry{}, facts)), 400);
  facts.leased_until = held.now;
  EXPECT_EQ(status_of(held.apply(Retry{}, facts)), 200);
  Machine started = in(Phase::R);
  facts.leased_until = Time{started.now.ms + 60'000};
  EXPECT_EQ(status_of(started.apply(Retry{}, facts)), 200) << "a lease is for what was not started";
}

TEST(ResultMachineRetry, does_not_count_an_unanswered_turn_as_activity_D50) {
  Machine machine = in(Phase::R);
  machine.receives(tester::Say{"anyone there?", 1});
  machine.now.ms += 600'000;
  EXPECT_EQ(status_of(machine.apply(Retry{}, facts_with(run_in(RunStatus::running)))), 200);
  EXPECT_EQ(machine.phase(), Phase::X);
  EXPECT_EQ(machine.state.head.end_reason, EndReason::canceled);
}

TEST(ResultMachineRetry, treats_every_unfinished_result_as_stuck_at_zero_D50) {
  Machine machine = in(Phase::R);
  EXPECT_EQ(status_of(machine.apply(Retry{}, RetryFacts{})), 200);
}

struct Reopening {
  RunStatus status;
  CanceledBy by;
  int answer;
  std::optional<RunStatus> after;
};

TEST(ResultMachineRetry, reopens_a_finished_run_unless_it_was_canceled_by_hand_I41) {
  using enum RunStatus;
  const std::vector<Reopening> rows{
      {fresh, CanceledBy::nobody, 200, fresh},
      {pending, CanceledBy::nobody, 200, pending},
      {running, CanceledBy::nobody, 200, running},
      {completed, CanceledBy::nobody, 200, running},
      {failed, CanceledBy::nobody, 200, running},
      {canceled, CanceledBy::patch, 200, running},
      {canceled, CanceledBy::operation, 400, std::nullopt},
  };
  for (const Reopening& row : rows) {
    Machine machine = in(Phase::X);
    machine.state.head.has_run.reset();
    const ResultDecision decision = machine.apply(Retry{}, facts_with(run_in(row.status, row.by)));
    EXPECT_EQ(status_of(decision), row.answer) << word_of(row.status);
    EXPECT_EQ(decision.clone.has_value(), row.after.has_value());
    if (!row.after) continue;
    EXPECT_EQ(decision.clone->run->second.status, *row.after) << word_of(row.status);
    EXPECT_EQ(decision.clone->run->second.canceled_by, CanceledBy::nobody);
    EXPECT_EQ(decision.clone->run->second.stamp.updated_at > noon, row.status != *row.after);
  }
}

TEST(ResultMachineRetry, clones_a_preview_without_a_run) {
  Machine machine = in(Phase::C);
  machine.state.head.run.reset();
  const ResultDecision decision = machine.apply(Retry{});
  EXPECT_EQ(status_of(decision), 200);
  EXPECT_FALSE(decision.clone->run.has_value());
  EXPECT_EQ(count_of<NotifyRun>(decision), 0U);
}

}  // namespace
}  // namespace parley::actors::test
