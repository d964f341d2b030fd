// A claim that scoring cannot decide, although the process survives: it is counted and set aside like one that ends the
// process, so that its run ends (I10, I13, D51a, F23).

#include "model/limits.hpp"
#include "store/engine/row_keys.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

constexpr std::chrono::seconds between_tries{5};

ResultHead claimed_head() {
  ResultHead head;
  head.status = ResultStatus::running;
  head.end_reason = EndReason::tester_ended;
  head.scoring_enqueued_at = noon;
  return head;
}

TEST(FailedTries, are_counted_with_the_ends_of_processes_and_the_third_sets_aside_I10) {
  ResultHead head = after_failed_try(claimed_head(), 4, noon);
  EXPECT_EQ(head.crashes->count, 1);
  EXPECT_EQ(head.attempt, 1) << "a late verdict of the try before is told from the next one's (I20)";
  head = after_crash(head, 4, 7, noon);
  EXPECT_EQ(head.crashes->count, 2);
  EXPECT_EQ(after_crash(head, 4, 7, noon).crashes, head.crashes);
  EXPECT_EQ(head.status, ResultStatus::running);
  head = after_failed_try(head, 4, noon);
  EXPECT_EQ(head.crashes->count, limits::attempts_max);
  EXPECT_EQ(head.crashes->process, 7) << "the end of that one is not counted again";
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_EQ(head.end_reason, EndReason::tester_ended);
  EXPECT_EQ(json::parse(head.error->text)->root().find("code")->string(), "poison");
}

/// Two claims of a run that wait for their verdicts, one with a lost entry.
struct Damaged {
  Damaged() : run(stage.new_run()) {
    stage.pause_scoring(true);
    lost = stage.new_result_in(Phase::S, run);
    good = stage.new_result_in(Phase::S, run);
    store::ChangeSet damage;
    damage.writes.push_back(
        {store::TableId::entries, store::entry_key(lost, 1), store::any_revision, "no value"});
    stage.commit(damage);
  }
  void pass() {
    stage.actors->pass(between_tries);
    stage.actors->settle();
  }
  std::int64_t tries() {
    const ResultHead head = stage.head(lost);
    return head.crashes ? head.crashes->count : 0;
  }

  Stage stage;
  Id run, lost, good;
};

TEST(FailedTries, end_a_run_with_a_damaged_conversation_F23_I13) {
  Damaged damaged;
  Stage& stage = damaged.stage;
  stage.pause_scoring(false);
  for (int time = 1; time < limits::attempts_max; ++time) {
    EXPECT_EQ(damaged.tries(), time);
    EXPECT_EQ(phase_of(stage.head(damaged.lost)), Phase::S) << "it is tried again";
    EXPECT_EQ(phase_of(stage.head(damaged.good)), Phase::C);
    EXPECT_EQ(stage.run_status(damaged.run), RunStatus::running);
    damaged.pass();
  }
  const ResultHead head = stage.head(damaged.lost);
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_EQ(json::parse(head.error->text)->root().find("source")->string(), "infrastructure");
  EXPECT_EQ(stage.run_status(damaged.run), RunStatus::completed);
}

TEST(FailedTries, are_counted_durably_and_across_processes_I10) {
  Damaged damaged;
  Stage& stage = damaged.stage;
  stage.pause_scoring(false);
  for (int start = 1; start < limits::attempts_max; ++start) {
    EXPECT_EQ(damaged.tries(), start);
    stage.crash();
    EXPECT_EQ(stage.recover().scored_again, 1U);
    stage.actors->settle();
    damaged.pass();  // it is scored after all the others
  }
  EXPECT_EQ(stage.head(damaged.lost).status, ResultStatus::failed);
  EXPECT_EQ(stage.run_status(damaged.run), RunStatus::completed);
}

// While scoring was paused, the actor of the result threw and requested scoring again: two jobs of one attempt then
// wait.
TEST(FailedTries, of_a_result_that_was_asked_for_twice_are_counted_once_I7_I13) {
  Damaged damaged;
  Stage& stage = damaged.stage;
  stage.pause_scoring(false);
  damaged.pass();
  ASSERT_EQ(damaged.tries(), limits::attempts_max - 1);
  stage.pause_scoring(true);
  damaged.pass();
  stage.actors->deliver(ScoreJob{damaged.lost, stage.head(damaged.lost).attempt, true});
  stage.pause_scoring(false);
  EXPECT_EQ(stage.head(damaged.lost).status, ResultStatus::failed);
  EXPECT_EQ(damaged.tries(), limits::attempts_max);
  EXPECT_EQ(stage.run_status(damaged.run), RunStatus::completed);
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(FailedTries, that_a_stop_cuts_off_are_not_counted_D51a) {
  Damaged damaged;
  damaged.stage.gateway().end_waits();
  damaged.stage.pause_scoring(false);
  damaged.pass();
  EXPECT_EQ(damaged.tries(), 0);
  EXPECT_EQ(damaged.stage.head(damaged.lost).attempt, 0);
}

TEST(FailedTries, wait_for_the_store_to_be_counted_F8) {
  Damaged damaged;
  Stage& stage = damaged.stage;
  stage.refuse_commits(true);
  stage.pause_scoring(false);
  damaged.pass();
  EXPECT_EQ(damaged.tries(), 0);
  stage.refuse_commits(false);
  damaged.pass();
  EXPECT_EQ(damaged.tries(), 1);
}

TEST(FailedTries, stop_when_the_result_is_canceled_I27) {
  Damaged damaged;
  Stage& stage = damaged.stage;
  stage.pause_scoring(false);
  stage.must_run(damaged.run, CancelRun{});
  damaged.pass();
  damaged.pass();
  EXPECT_EQ(stage.head(damaged.lost).status, ResultStatus::canceled);
  EXPECT_EQ(damaged.tries(), 1);
}

}  // namespace
}  // namespace parley::actors::test
