// Races of results, retries and their run (rows 40 to 57 of the table in races_test.py).

#include "store/side/runner_leases.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

store::RunCounters counters_of(Stage& stage, const Id& run) {
  const auto counters = stage.store().snapshot().run_counters(run);
  EXPECT_TRUE(counters.ok());
  return *counters;
}

/// What must hold for any run once everything is quiet: a finished run has no live result, and no live verdict is
/// missing.
void expect_sound(Stage& stage, const Id& run) {
  const RunStatus status = stage.run_status(run);
  const store::RunCounters counters = counters_of(stage, run);
  if (is_terminal(status)) {
    EXPECT_EQ(counters.live, 0) << word_of(status);
  } else if (status == RunStatus::running) {
    EXPECT_GT(counters.live, 0) << "a running run waits for somebody (I44)";
  }
}

TEST(RunRaces, row_40_the_last_verdict_and_a_new_result) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    RunAnswer post;
    race(stage, dice,
         {[&] { post = stage.ask_run(run, stage.case_of(run)); },
          [&] { stage.gateway().pause_scoring(false); }});
    ASSERT_EQ(post.status(), 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
    EXPECT_EQ(stage.run_status(run), RunStatus::running) << "it stayed so, or was re-opened";
    stage.must(post.value().result->head.stamp.id, to_status(ResultStatus::canceled));
    EXPECT_EQ(stage.run_status(run), RunStatus::completed);
  });
}

TEST(RunRaces, row_41_two_last_verdicts_complete_the_run_once) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id a = stage.new_result_in(Phase::W, run);
    const Id b = stage.new_result_in(Phase::W, run);
    const std::uint64_t revision = stage.get<parley::Run>(run).stamp.revision;
    race(stage, dice,
         {[&] { static_cast<void>(stage.ask(a, Finish{})); },
          [&] { static_cast<void>(stage.ask(b, Finish{})); }});
    EXPECT_EQ(stage.run_status(run), RunStatus::completed);
    EXPECT_EQ(stage.get<parley::Run>(run).stamp.revision, revision + 1);
    EXPECT_EQ(counters_of(stage, run).completed, 2);
  });
}

TEST(RunRaces, row_42_the_last_verdict_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    stage.pause_scoring(true);
    const Id result = stage.new_result_in(Phase::S, run);
    RunAnswer cancel;
    race(stage, dice,
         {[&] { cancel = stage.ask_run(run, CancelRun{}); }, [&] { stage.gateway().pause_scoring(false); }});
    const RunStatus status = stage.run_status(run);
    EXPECT_EQ(status, cancel.status() == 200 ? RunStatus::canceled : RunStatus::completed);
    if (cancel.status() != 200) {
      EXPECT_EQ(cancel.status(), 400);
      EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
    }
    expect_sound(stage, run);
  });
}

TEST(RunRaces, row_43_the_last_verdict_and_a_retry_of_another) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id other = stage.new_result_in(Phase::C, run);
    stage.pause_scoring(true);
    static_cast<void>(stage.new_result_in(Phase::S, run));
    ResultAnswer retry;
    race(stage, dice,
         {[&] { retry = stage.ask(other, Retry{}); }, [&] { stage.gateway().pause_scoring(false); }});
    ASSERT_EQ(retry.status(), 200);
    EXPECT_EQ(stage.run_status(run), RunStatus::running);
    EXPECT_EQ(counters_of(stage, run).pending, 1);
    stage.must(retry.value().head.stamp.id, to_status(ResultStatus::canceled));
    EXPECT_EQ(stage.run_status(run), RunStatus::completed) << "the clone was the last one";
  });
}

TEST(RunRaces, row_44_of_many_retries_one_makes_a_clone_I39) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::C, run);
    std::array<ResultAnswer, 5> answers;
    std::vector<std::function<void()>> operations;
    for (ResultAnswer& answer : answers) {
      operations.emplace_back([&stage, &answer, result] { answer = stage.ask(result, Retry{}); });
    }
    race(stage, dice, operations);
    std::size_t clones = 0;
    for (const ResultAnswer& answer : answers) {
      EXPECT_TRUE(answer.status() == 200 || answer.status() == 400);
      clones += answer.status() == 200 ? 1U : 0U;
    }
    EXPECT_EQ(clones, 1U);
    EXPECT_EQ(counters_of(stage, run).total(), 1) << "one result of the lineage counts (I40)";
  });
}

TEST(RunRaces, row_44_retries_of_the_original_and_of_its_ended_clone) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id original = stage.new_result_in(Phase::C, run);
    const Id clone = stage.must(original, Retry{}).value().head.stamp.id;
    stage.must(clone, to_status(ResultStatus::failed));
    ResultAnswer of_original, of_clone;
    race(
        stage, dice,
        {[&] { of_original = stage.ask(original, Retry{}); }, [&] { of_clone = stage.ask(clone, Retry{}); }});
    EXPECT_EQ(of_original.status() + of_clone.status(), 600) << "one clone, one 400";
    const ResultAnswer& taken = of_original.status() == 200 ? of_original : of_clone;
    const std::string newest = to_text(taken.value().head.stamp.id);
    EXPECT_EQ(stage.head(clone).retired_by, newest);
    EXPECT_EQ(phase_of(stage.head(clone)), Phase::X);
    EXPECT_EQ(counters_of(stage, run).total(), 1);
    EXPECT_EQ(counters_of(stage, run).pending, 1);
  });
}

TEST(RunRaces, row_45_retry_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::F, run);
    static_cast<void>(stage.new_result(run));  // keeps the run open
    ResultAnswer retry;
    RunAnswer cancel;
    race(stage, dice,
         {[&] { retry = stage.ask(result, Retry{}); }, [&] { cancel = stage.ask_run(run, CancelRun{}); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_EQ(stage.run_status(run), RunStatus::canceled);
    EXPECT_TRUE(retry.status() == 200 || retry.status() == 400);
    if (retry.status() == 200) {
      EXPECT_EQ(phase_of(stage.head(retry.value().head.stamp.id)), Phase::X);
    }
    expect_sound(stage, run);
  });
}

TEST(RunRaces, row_45_a_retry_that_reopens_the_run_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::C, run);
    ASSERT_EQ(stage.run_status(run), RunStatus::completed);
    ResultAnswer retry;
    RunAnswer cancel;
    race(stage, dice,
         {[&] { retry = stage.ask(result, Retry{}); }, [&] { cancel = stage.ask_run(run, CancelRun{}); }});
    ASSERT_EQ(retry.status(), 200);
    const bool came_first = cancel.status() == 400;  // the run was still completed
    EXPECT_TRUE(came_first || cancel.status() == 200);
    EXPECT_EQ(stage.run_status(run), came_first ? RunStatus::running : RunStatus::canceled);
    expect_sound(stage, run);
  });
}

TEST(RunRaces, row_45_cancel_run_sees_a_run_that_a_retry_has_reopened) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result_in(Phase::C, run);
  const Id clone = stage.must(result, Retry{}).value().head.stamp.id;
  stage.must_run(run, CancelRun{});
  EXPECT_EQ(phase_of(stage.head(clone)), Phase::X);
}

TEST(RunRaces, row_46_retry_and_a_patch_of_the_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::F, run);
    const Id open = stage.new_result(run);
    stage.must(open, to_status(ResultStatus::canceled));
    const Id again = stage.new_run();
    const Id failed = stage.new_result_in(Phase::F, again);
    PatchRun patch;
    patch.status = RunStatus::completed;
    ResultAnswer retry, retry_again;
    RunAnswer close;
    race(stage, dice,
         {[&] { retry = stage.ask(result, Retry{}); }, [&] { close = stage.ask_run(run, patch); },
          [&] { retry_again = stage.ask(failed, Retry{}); }});
    EXPECT_EQ(retry.status(), 200);
    EXPECT_TRUE(close.status() == 200 || close.status() == 409);
    EXPECT_EQ(stage.run_status(run), RunStatus::running) << "never completed with a pending clone";
    expect_sound(stage, run);
    expect_sound(stage, again);
  });
}

TEST(RunRaces, row_49_a_retry_sees_a_lease_that_a_runner_was_given_meanwhile) {
  Settings settings;
  settings.stuck_after_ms = 0;
  Stage stage(settings);
  const Id result = stage.new_result(stage.new_run());
  const ResultAnswer early = stage.ask(result, Retry{});
  stage.actors->settle_but_writer();
  constexpr std::int64_t lease_ms = 60'000;
  store::ChangeSet handed_out;
  store::put_leases(handed_out, stage.agent, {Time{stage.clock.now().ms + lease_ms}, {result}});
  stage.commit(handed_out);
  stage.actors->settle();
  EXPECT_EQ(early.status(), 400);
  EXPECT_EQ(stage.head(result).status, ResultStatus::pending);
  stage.clock.advance(lease_ms);
  stage.must(result, Retry{});
  EXPECT_EQ(stage.head(result).status, ResultStatus::canceled);
}

TEST(RunRaces, row_50_of_many_cancel_runs_one_is_taken_I46) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    static_cast<void>(stage.new_result(run));
    std::array<RunAnswer, 3> answers;
    std::vector<std::function<void()>> operations;
    for (RunAnswer& answer : answers) {
      operations.emplace_back([&stage, &answer, run] { answer = stage.ask_run(run, CancelRun{}); });
    }
    race(stage, dice, operations);
    std::size_t taken = 0;
    for (const RunAnswer& answer : answers) {
      EXPECT_TRUE(answer.status() == 200 || answer.status() == 400);
      taken += answer.status() == 200 ? 1U : 0U;
    }
    EXPECT_EQ(taken, 1U);
  });
}

TEST(RunRaces, row_51_cancel_run_and_new_results) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    RunAnswer cancel, a, b;
    race(stage, dice,
         {[&] { cancel = stage.ask_run(run, CancelRun{}); },
          [&] { a = stage.ask_run(run, stage.case_of(run)); },
          [&] { b = stage.ask_run(run, stage.case_of(run)); }});
    EXPECT_EQ(cancel.status(), 200);
    std::int64_t taken = 0;
    for (const RunAnswer* post : {&a, &b}) {
      EXPECT_TRUE(post->status() == 200 || post->status() == 409);
      if (post->status() != 200) continue;
      ++taken;
      EXPECT_EQ(phase_of(stage.head(post->value().result->head.stamp.id)), Phase::X);
    }
    EXPECT_EQ(counters_of(stage, run).canceled, taken);
    expect_sound(stage, run);
  });
}

TEST(RunRaces, row_55_closing_a_run_and_a_new_result) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    static_cast<void>(stage.new_result_in(Phase::F, run));
    static_cast<void>(stage.new_result(run));
    PatchRun patch;
    patch.status = RunStatus::failed;
    const Id last = stage.new_result_in(Phase::R, run);
    RunAnswer close;
    ResultAnswer cancel;
    race(stage, dice,
         {[&] { close = stage.ask_run(run, patch); },
          [&] { cancel = stage.ask(last, to_status(ResultStatus::canceled)); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_EQ(close.status(), 409) << "one result is pending all the time";
    expect_sound(stage, run);
  });
}

TEST(RunRaces, row_57_many_new_results_and_the_expected_set_D44) {
  Stage stage;
  const Scenario scenario = stage.record<Scenario>();
  stage.create(scenario);
  const std::array<Id, 2> tests{stage.add_test(scenario.stamp.id), stage.add_test(scenario.stamp.id)};
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run(RunStatus::fresh, scenario.stamp.id);
    std::array<RunAnswer, 2> posts;
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < posts.size(); ++i) {
      operations.emplace_back([&, i] {
        CreateResult command = stage.case_of(run);
        command.test = Ref<RecordKind::test>{tests.at(i)};
        posts.at(i) = stage.ask_run(run, command);
      });
    }
    race(stage, dice, operations);
    ASSERT_EQ(posts[0].status(), 200);
    ASSERT_EQ(posts[1].status(), 200);
    EXPECT_EQ(stage.run_status(run), RunStatus::fresh);
    const Id a = posts[0].value().result->head.stamp.id;
    const Id b = posts[1].value().result->head.stamp.id;
    stage.must(a, says("hello"));
    EXPECT_EQ(stage.run_status(run), RunStatus::running) << "with its first running result (D40)";
    stage.must(a, to_status(ResultStatus::failed));
    EXPECT_EQ(stage.run_status(run), RunStatus::running) << "half of the cases is not the run";
    stage.must(b, to_status(ResultStatus::failed));
    EXPECT_EQ(stage.run_status(run), RunStatus::completed);
  });
}

TEST(RunRaces, everything_at_once_ends_sound) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    std::vector<Id> results;
    for (const Phase phase : {Phase::P, Phase::R, Phase::W, Phase::C, Phase::F, Phase::X}) {
      results.push_back(stage.new_result_in(phase, run));
    }
    std::vector<ResultAnswer> answers;
    std::vector<RunAnswer> run_answers;
    std::vector<std::function<void()>> operations;
    for (int i = 0; i < 12; ++i) {
      const Id result = results.at(dice() % results.size());
      const std::vector<ResultCommand> commands{says("x"),
                                                NextMessage{},
                                                Finish{},
                                                Retry{},
                                                to_status(ResultStatus::canceled),
                                                to_metadata(R"({"i":1})")};
      operations.emplace_back([&, result, command = commands.at(dice() % commands.size())] {
        answers.push_back(stage.ask(result, command));
      });
    }
    operations.emplace_back([&] { run_answers.push_back(stage.ask_run(run, stage.case_of(run))); });
    if (dice() % 2 == 0)
      operations.emplace_back([&] { run_answers.push_back(stage.ask_run(run, CancelRun{})); });
    race(stage, dice, operations);
    for (const ResultAnswer& answer : answers) {
      EXPECT_EQ(answer.count(), 1U);
      EXPECT_LT(answer.status(), 500);
    }
    for (const RunAnswer& answer : run_answers) EXPECT_EQ(answer.count(), 1U);
    expect_sound(stage, run);
  });
}

}  // namespace
}  // namespace parley::actors::test
