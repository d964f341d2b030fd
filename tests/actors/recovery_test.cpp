// What a start completes after a crash (I5-I10, I44), and what it leaves unchanged.

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

TEST(Recovery, scores_a_claim_without_a_verdict_once_more_I7) {
  Stage stage;
  const Id run = stage.new_run();
  stage.pause_scoring(true);
  const Id result = stage.new_result_in(Phase::S, run);
  const auto claimed_at = stage.head(result).scoring_enqueued_at;
  stage.clock.advance(60'000);
  stage.crash();
  EXPECT_EQ(stage.recover().scored_again, 1U);
  stage.actors->settle();
  const ResultHead head = stage.head(result);
  EXPECT_EQ(phase_of(head), Phase::C);
  EXPECT_EQ(head.attempt, 1);
  EXPECT_EQ(head.scoring_enqueued_at, claimed_at);
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(Recovery, sets_a_claim_aside_after_the_third_crash_I10_D51a) {
  Stage stage;
  const Id run = stage.new_run();
  stage.pause_scoring(true);
  const Id result = stage.new_result_in(Phase::S, run);
  for (int crash = 1; crash < limits::attempts_max; ++crash) {
    stage.crash_within(result);
    EXPECT_EQ(stage.recover().scored_again, 1U);
    stage.actors->settle();
    EXPECT_EQ(phase_of(stage.head(result)), Phase::S) << "it is scored behind all others";
  }
  stage.crash_within(result);
  const Recovered recovered = stage.recover();
  EXPECT_EQ(recovered.set_aside, 1U);
  EXPECT_EQ(recovered.scored_again, 0U);
  stage.actors->settle();
  const ResultHead head = stage.head(result);
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_EQ(head.score, 0);
  const auto error = json::parse(head.error->text);
  EXPECT_EQ(error->root().find("source")->string(), "infrastructure");
  EXPECT_EQ(error->root().find("code")->string(), "poison");
  EXPECT_EQ(stage.run_status(run), RunStatus::completed) << "its run does not wait for it";
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(Recovery, counts_no_attempt_while_scoring_is_paused_D95) {
  Settings settings;
  settings.scoring_paused = true;
  Stage stage(settings);
  const Id result = stage.new_result_in(Phase::S, stage.new_run());
  for (int start = 0; start <= limits::attempts_max; ++start) {
    stage.crash();
    EXPECT_EQ(stage.recover().set_aside, 0U) << "nobody tried to score it";
  }
  stage.pause_scoring(false);
  EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
}

TEST(Recovery, scores_a_suspect_but_only_after_the_others_I10) {
  Stage stage;
  const Id run = stage.new_run();
  stage.pause_scoring(true);
  const Id suspect = stage.new_result_in(Phase::S, run);
  const Id other = stage.new_result_in(Phase::S, run);
  for (int crash = 1; crash < limits::attempts_max; ++crash) {
    stage.crash_within(suspect);
    EXPECT_EQ(stage.recover().scored_again, 2U);
  }
  stage.actors->settle();
  EXPECT_EQ(phase_of(stage.head(other)), Phase::C);
  EXPECT_EQ(phase_of(stage.head(suspect)), Phase::S);
  stage.actors->pass(std::chrono::seconds(3));
  stage.actors->settle();
  EXPECT_EQ(phase_of(stage.head(suspect)), Phase::C);
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
}

TEST(Recovery, does_not_count_a_requested_stop_as_a_crash_D51a) {
  Stage stage;
  stage.pause_scoring(true);
  const Id result = stage.new_result_in(Phase::S, stage.new_run());
  for (int stop = 0; stop <= limits::attempts_max; ++stop) {
    stage.stop_within(result);
    EXPECT_EQ(stage.recover().set_aside, 0U);
  }
  stage.actors->settle();
  EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
}

TEST(Recovery, does_not_suspect_a_claim_that_only_waited_I10) {
  Stage stage;
  stage.pause_scoring(true);
  const Id result = stage.new_result_in(Phase::S, stage.new_run());
  for (int start = 0; start <= limits::attempts_max; ++start) {
    stage.crash();  // before the new process works on it
    const Recovered recovered = stage.recover();
    EXPECT_EQ(recovered.set_aside, 0U);
    EXPECT_EQ(recovered.scored_again, 1U);
  }
  stage.actors->settle();
  EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
  EXPECT_EQ(stage.head(result).attempt, 1);
}

TEST(Recovery, catches_up_on_the_completion_of_a_run_I44) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result_in(Phase::R, run);
  // The result's commit reached the disk, but the run's did not.
  const ResultHead before = stage.head(result);
  ResultHead after = before;
  after.status = ResultStatus::canceled;
  after.end_reason = EndReason::canceled;
  store::ChangeSet set;
  set.replace(before, after);
  stage.commit(set);
  stage.crash();
  EXPECT_EQ(stage.run_status(run), RunStatus::running);
  EXPECT_EQ(stage.recover().runs_moved, 1U);
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
}

TEST(Recovery, continues_past_an_unreadable_run_I13) {
  Stage stage;
  const std::array<Id, 3> damaged{stage.new_run(), stage.new_run(RunStatus::fresh), stage.new_run()};
  parley::Run detecting = stage.get<parley::Run>(damaged[2]);
  detecting.hallucination_status = DetectionStatus::running;
  store::ChangeSet set;
  set.replace(stage.get<parley::Run>(damaged[2]), detecting);
  const Id run = stage.new_run(RunStatus::fresh);
  const ResultHead before = stage.head(stage.new_result(run));
  ResultHead after = before;
  after.status = ResultStatus::running;
  set.replace(before, after);
  stage.commit(set);
  store::ChangeSet damage;
  for (const Id& id : damaged) {
    damage.writes.push_back({store::TableId::runs, std::string(id.key()), store::any_revision, "no value"});
  }
  stage.commit(damage);
  stage.crash();
  EXPECT_EQ(stage.recover().runs_moved, 1U);
  EXPECT_EQ(stage.run_status(run), RunStatus::running);
}

TEST(Recovery, catches_up_on_the_start_of_a_run_D40) {
  Stage stage;
  const Id run = stage.new_run(RunStatus::fresh);
  const Id result = stage.new_result(run);
  const ResultHead before = stage.head(result);
  ResultHead after = before;
  after.status = ResultStatus::running;
  store::ChangeSet set;
  set.replace(before, after);
  stage.commit(set);
  stage.crash();
  EXPECT_EQ(stage.recover().runs_moved, 1U);
  EXPECT_EQ(stage.run_status(run), RunStatus::running);
}

TEST(Recovery, ends_in_the_same_state_when_it_is_done_again_I5) {
  Stage stage;
  const Id run = stage.new_run();
  const Id open = stage.new_result_in(Phase::R, run);
  const Id waiting = stage.new_result_in(Phase::W, run);
  const std::string before = write_stored(stage.head(open)) + write_stored(stage.head(waiting));
  for (int start = 0; start < 3; ++start) {
    stage.crash();
    const Recovered recovered = stage.recover();
    EXPECT_EQ(recovered.scored_again + recovered.set_aside + recovered.runs_moved, 0U);
    EXPECT_EQ(write_stored(stage.head(open)) + write_stored(stage.head(waiting)), before) << "untouched (I9)";
  }
}

TEST(Recovery, answers_next_message_as_before_the_crash_I8_I9) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const auto turn = stage.must(result, NextMessage{}).value().turn;
  stage.crash();
  stage.recover();
  EXPECT_EQ(stage.must(result, NextMessage{}).value().turn, turn);
  stage.must(result, registers({"press"}));
  stage.must(result, says("hello"));
  stage.crash();
  stage.recover();
  EXPECT_EQ(stage.ask(result, registers({"press"})).status(), 0);
  stage.actors->settle();
  EXPECT_EQ(stage.must(result, NextMessage{}).value().turn->message, "two");
}

TEST(Recovery, restores_the_registered_actions_of_the_turn_I33) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  stage.must(result, registers({"press"}));
  stage.crash();
  const ResultAnswer again = stage.ask(result, registers({"press"}));
  stage.actors->settle();
  EXPECT_EQ(again.status(), 400);
  stage.must(result, registers({"pull"}));
}

TEST(Recovery, finds_more_results_than_one_step_takes) {
  Stage stage;
  const Id run = stage.new_run();
  store::ChangeSet set;
  const std::size_t many = 1'050;
  for (std::size_t i = 0; i < many; ++i) {
    ResultHead head = stage.record<ResultHead>();
    head.run = Ref<RecordKind::run>{run};
    head.agent.id = stage.agent;
    head.status = ResultStatus::running;
    head.end_reason = EndReason::tester_ended;
    head.scoring_enqueued_at = stage.clock.now();
    set.create(head);
    set.put_part(head.stamp.id, TestCase{});
  }
  stage.commit(set);
  stage.crash();
  EXPECT_EQ(stage.recover().scored_again, many);
  stage.actors->settle();
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

/// A crash at any point during random work: every acknowledged write is present, and everything stored is sound.
TEST(Recovery, loses_nothing_that_was_answered_I1_I3) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stage stage;
    std::mt19937_64 dice(seed);
    const Id run = stage.new_run();
    const Id open = stage.new_result_in(Phase::R, run);
    const Id ended = stage.new_result_in(Phase::W, run);
    const Id failed = stage.new_result_in(Phase::F, run);
    std::vector<std::pair<std::string, ResultAnswer>> posts;
    for (int i = 0; i < 4; ++i) {
      posts.emplace_back("text " + std::to_string(i), stage.ask(open, says("text " + std::to_string(i))));
      stage.actors->step(dice, dice() % 5);
    }
    const ResultAnswer retry = stage.ask(failed, Retry{});
    const ResultAnswer finish = stage.ask(ended, Finish{});
    stage.actors->step(dice, dice() % 30);
    std::vector<std::string> acknowledged;
    for (const auto& [text, answer] : posts) {
      if (answer.status() == 200) acknowledged.push_back(text);
    }
    const bool was_retried = retry.status() == 200;
    const bool was_finished = finish.status() == 200;
    stage.crash();
    stage.recover();
    stage.actors->settle(dice);
    const auto entries = stage.conversation(open);
    for (const std::string& text : acknowledged) {
      EXPECT_TRUE(
          std::any_of(entries.begin(), entries.end(), [&](const Entry& it) { return it.content == text; }));
    }
    const bool is_retired = stage.head(failed).retired_by.has_value();
    EXPECT_TRUE(is_retired || !was_retried);
    EXPECT_EQ(phase_of(stage.head(failed)), is_retired ? Phase::X : Phase::F);
    EXPECT_TRUE(phase_of(stage.head(ended)) == Phase::C || !was_finished);
    EXPECT_EQ(stage.differences(), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace parley::actors::test
