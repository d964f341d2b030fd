// Races of finish, end, cancel, completion mode and verdict on one result (rows 21 to 38 of the table in
// races_test.py).

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

TEST(EndRaces, row_21_of_many_finishes_one_is_taken) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    std::array<ResultAnswer, 3> answers;
    std::vector<std::function<void()>> operations;
    for (ResultAnswer& answer : answers) {
      operations.emplace_back([&stage, &answer, result] { answer = stage.ask(result, Finish{}); });
    }
    race(stage, dice, operations);
    std::size_t taken = 0;
    for (const ResultAnswer& answer : answers) {
      EXPECT_TRUE(answer.status() == 200 || answer.status() == 409 || answer.status() == 400);
      taken += answer.status() == 200 ? 1U : 0U;
    }
    EXPECT_EQ(taken, 1U);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
    EXPECT_EQ(stage.head(result).attempt, 0);
  });
}

TEST(EndRaces, row_23_finish_and_mode_auto_claim_once) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    ResultAnswer finish, mode;
    race(stage, dice,
         {[&] { finish = stage.ask(result, Finish{}); },
          [&] { mode = stage.ask(result, to_mode(CompletionMode::automatic)); }});
    // If MO claims first (200), FI is refused; if FI claims first, MO finds the result closed.
    EXPECT_NE(finish.status() == 200, mode.status() == 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
  });
}

TEST(EndRaces, row_24_finish_and_cancel) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    ResultAnswer finish, cancel;
    race(stage, dice,
         {[&] { finish = stage.ask(result, Finish{}); },
          [&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_TRUE(finish.status() == 200 || finish.status() == 400);
    const ResultHead head = stage.head(result);
    EXPECT_EQ(phase_of(head), Phase::X);
    EXPECT_EQ(head.is_claimed(), finish.status() == 200);
  });
}

TEST(EndRaces, row_25_finish_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::W, run);
    ResultAnswer finish;
    RunAnswer cancel;
    race(stage, dice,
         {[&] { finish = stage.ask(result, Finish{}); }, [&] { cancel = stage.ask_run(run, CancelRun{}); }});
    EXPECT_TRUE(finish.status() == 200 || finish.status() == 400);
    const Phase phase = phase_of(stage.head(result));
    if (cancel.status() == 200) {
      EXPECT_EQ(stage.run_status(run), RunStatus::canceled);
      EXPECT_TRUE(phase == Phase::X || phase == Phase::C);
    } else {  // the verdict arrived earlier and completed the run
      EXPECT_EQ(cancel.status(), 400);
      EXPECT_EQ(stage.run_status(run), RunStatus::completed);
      EXPECT_EQ(phase, Phase::C);
    }
  });
}

TEST(EndRaces, row_26_finish_and_retry) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    ResultAnswer finish, retry;
    race(stage, dice,
         {[&] { finish = stage.ask(result, Finish{}); }, [&] { retry = stage.ask(result, Retry{}); }});
    EXPECT_EQ(finish.status(), 200);
    EXPECT_TRUE(retry.status() == 400 || retry.status() == 200);
    EXPECT_EQ(phase_of(stage.head(result)), retry.status() == 200 ? Phase::X : Phase::C);
  });
}

TEST(EndRaces, row_27_a_taken_finish_survives_a_crash_and_is_scored) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Stage stage;
    std::mt19937_64 dice(seed);
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::W, run);
    const ResultAnswer finish = stage.ask(result, Finish{});
    stage.actors->step(dice, dice() % 10);
    const bool was_seen = finish.status() == 200;
    const bool was_durable = stage.head(result).is_claimed();
    const auto claimed_at = stage.head(result).scoring_enqueued_at;
    EXPECT_TRUE(!was_seen || was_durable);
    stage.clock.advance(5'000);
    stage.crash();
    stage.recover();
    stage.actors->settle(dice);
    EXPECT_EQ(phase_of(stage.head(result)), was_durable ? Phase::C : Phase::W) << "seed " << seed;
    EXPECT_EQ(stage.head(result).scoring_enqueued_at, claimed_at);
    EXPECT_EQ(stage.run_status(run), was_durable ? RunStatus::completed : RunStatus::running);
    EXPECT_EQ(stage.differences(), std::vector<std::string>{});
  }
}

TEST(EndRaces, row_28_finish_and_a_patch_of_metadata_are_independent) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    ResultAnswer finish, patch;
    race(stage, dice,
         {[&] { finish = stage.ask(result, Finish{}); },
          [&] { patch = stage.ask(result, to_metadata(R"({"a":1})")); }});
    EXPECT_EQ(finish.status(), 200);
    EXPECT_EQ(patch.status(), 200);
    EXPECT_EQ(stage.get<ResultExtras>(result).metadata.text, R"({"a":1})");
    EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
  });
}

TEST(EndRaces, row_29_end_and_cancel) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    CreateResult command = stage.case_of(run);
    command.test_case.instruction = "end";
    const Id result = stage.new_result(command);
    ResultAnswer end, cancel;
    race(stage, dice,
         {[&] { end = stage.ask(result, NextMessage{}); },
          [&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); }});
    EXPECT_EQ(end.status(), 200);
    EXPECT_EQ(cancel.status(), 200);
    const ResultHead head = stage.head(result);
    EXPECT_EQ(phase_of(head), Phase::X);
    EXPECT_EQ(head.end_reason, head.is_claimed() ? EndReason::tester_ended : EndReason::canceled);
  });
}

TEST(EndRaces, row_31_two_cancels_have_one_effect) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::R, run);
    const std::uint64_t revision = stage.head(result).stamp.revision;
    ResultAnswer a, b;
    race(stage, dice,
         {[&] { a = stage.ask(result, to_status(ResultStatus::canceled)); },
          [&] { b = stage.ask(result, to_status(ResultStatus::canceled)); }});
    EXPECT_EQ(a.status(), 200);
    EXPECT_EQ(b.status(), 200);
    EXPECT_EQ(stage.head(result).stamp.revision, revision + 1);
    EXPECT_EQ(a.value().head.stamp.updated_at, b.value().head.stamp.updated_at);
  });
}

TEST(EndRaces, row_32_cancel_and_verdict) {
  Stage stage;
  const Id run = stage.new_run();
  std::size_t withdrawn = 0;
  for_each_seed(stage, [&](auto& dice) {
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    ResultAnswer cancel;
    race(stage, dice,
         {[&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); },
          [&] { stage.gateway().pause_scoring(false); }});
    EXPECT_EQ(cancel.status(), 200);
    const ResultHead head = stage.head(result);
    EXPECT_EQ(phase_of(head), Phase::X);
    // SC first: completed, then withdrawn; CA first: no scores.
    const bool has_verdict = stage.store().snapshot().find<ResultVerdict>(result)->has_value();
    EXPECT_EQ(has_verdict, head.sums.has_value());
    EXPECT_EQ(head.score, has_verdict ? 100 : 0);
    withdrawn += has_verdict ? 1U : 0U;
  });
  EXPECT_GT(withdrawn, 0U) << "both orders were seen";
  EXPECT_LT(withdrawn, seeds);
}

TEST(EndRaces, row_34_cancel_and_retry_of_a_finished_result) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::C, run);
    ResultAnswer cancel, retry;
    race(stage, dice,
         {[&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); },
          [&] { retry = stage.ask(result, Retry{}); }});
    EXPECT_EQ(cancel.status(), 200);
    ASSERT_EQ(retry.status(), 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::X);
    EXPECT_EQ(phase_of(stage.head(retry.value().head.stamp.id)), Phase::P);
    EXPECT_EQ(stage.run_status(run), RunStatus::running);
  });
}

TEST(EndRaces, row_35_cancel_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::R, run);
    const Id other = stage.new_result_in(Phase::R, run);
    const std::uint64_t revision = stage.head(result).stamp.revision;
    ResultAnswer cancel;
    RunAnswer cancel_run;
    race(stage, dice,
         {[&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); },
          [&] { cancel_run = stage.ask_run(run, CancelRun{}); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_EQ(cancel_run.status(), 200);
    EXPECT_EQ(stage.head(result).stamp.revision, revision + 1) << "canceled once";
    EXPECT_EQ(phase_of(stage.head(other)), Phase::X);
  });
}

TEST(EndRaces, row_36_verdicts_of_two_attempts) {
  Stage stage;
  const Id run = stage.new_run();
  int raised = 0;
  for_each_seed(stage, [&](auto& dice) {
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    stage.crash();
    stage.recover();
    Scored older;  // the outcome of an attempt made before the crash
    older.score = 1;
    older.is_decided = true;
    // The empty operation lets the claim get its next attempt first.
    race(stage, dice, {[] {}, [&] { stage.actors->deliver(result, older); }});
    const ResultHead head = stage.head(result);
    EXPECT_EQ(phase_of(head), Phase::C);
    EXPECT_EQ(head.score, head.attempt == 0 ? 1 : 100)
        << "the attempt that is told is the one that was recorded";
    raised += head.attempt == 1 ? 1 : 0;
  });
  EXPECT_GT(raised, 0);
}

TEST(EndRaces, row_37_verdict_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    const Id other = stage.new_result(run);
    RunAnswer cancel;
    race(stage, dice,
         {[&] { cancel = stage.ask_run(run, CancelRun{}); }, [&] { stage.gateway().pause_scoring(false); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_EQ(phase_of(stage.head(other)), Phase::X);
    const ResultHead head = stage.head(result);
    const auto counters = stage.store().snapshot().run_counters(run);
    EXPECT_TRUE(phase_of(head) == Phase::C || phase_of(head) == Phase::X);
    EXPECT_EQ(counters->completed, phase_of(head) == Phase::C ? 1 : 0)
        << "SC first keeps its outcome in the score";
    EXPECT_EQ(counters->live, 0);
  });
}

TEST(EndRaces, row_38_verdict_and_retry) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    ResultAnswer retry;
    race(stage, dice,
         {[&] { retry = stage.ask(result, Retry{}); }, [&] { stage.gateway().pause_scoring(false); }});
    EXPECT_TRUE(retry.status() == 400 || retry.status() == 200);
    EXPECT_EQ(phase_of(stage.head(result)), retry.status() == 200 ? Phase::X : Phase::C);
    EXPECT_EQ(stage.run_status(run), retry.status() == 200 ? RunStatus::running : RunStatus::completed);
  });
}

}  // namespace
}  // namespace parley::actors::test
