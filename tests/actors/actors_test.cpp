// The actors around the machines: eviction from memory and reloading, bounds, refused and conflicting commits,
// stopping.

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

using namespace std::chrono_literals;

TEST(Passivation, releases_idle_actors_and_revives_them) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result(run);
  stage.must(result, NextMessage{});
  stage.must(result, registers({"press"}));
  EXPECT_EQ(stage.gateway().counters().live_actors, 2U);
  stage.actors->pass(5s);
  stage.actors->settle();
  EXPECT_EQ(stage.gateway().counters().live_actors, 2U) << "they have not rested long enough";
  stage.clock.advance(30'000);
  stage.actors->pass(5s);
  stage.actors->settle();
  EXPECT_EQ(stage.gateway().counters().live_actors, 0U);
  const ResultAnswer again = stage.ask(result, registers({"press"}));
  stage.actors->settle();
  EXPECT_EQ(again.status(), 400) << "the revived actor knows the turn's registry";
  EXPECT_EQ(stage.must(result, NextMessage{}).value().turn->message, "two");
  EXPECT_EQ(stage.gateway().counters().live_actors, 1U);
}

TEST(Passivation, releases_a_result_that_was_rescored) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result_in(Phase::C, run);
  stage.clock.advance(30'000);
  stage.actors->pass(5s);
  stage.actors->settle();
  ASSERT_EQ(stage.gateway().counters().live_actors, 0U);
  Rescore again;
  again.rescored = stage.head(result).rescored;
  again.assertion_results = json::Text{R"([{"id":"other"}])"};
  stage.must(result, again);
  EXPECT_EQ(stage.head(result).rescored, again.rescored + 1);
  EXPECT_EQ(stage.gateway().counters().live_actors, 0U) << "a whole run would stay";
}

TEST(Passivation, loses_no_command_that_arrives_during_passivation) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    stage.clock.advance(30'000);
    std::array<ResultAnswer, 3> posts;
    RunAnswer patch;
    stage.actors->pass(5s);
    for (ResultAnswer& post : posts) {
      post = stage.ask(result, says("x"));
      stage.actors->step(dice, dice() % 6);
    }
    patch = stage.ask_run(run, PatchRun{});
    stage.actors->pass(5s);
    stage.actors->settle(dice);
    for (const ResultAnswer& post : posts) EXPECT_EQ(post.status(), 200);
    EXPECT_EQ(patch.status(), 200);
    EXPECT_EQ(stage.conversation(result).size(), posts.size());
  });
}

TEST(Bounds, answers_busy_beyond_256_waiting_commands) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  std::vector<ResultAnswer> answers;
  answers.push_back(stage.ask(result, says("under way")));
  stage.actors->settle_but_writer();
  for (std::size_t i = 0; i < limits::waiting_commands_max + 3; ++i)
    answers.push_back(stage.ask(result, says("x")));
  stage.actors->settle_but_writer();
  std::size_t busy = 0;
  for (const ResultAnswer& answer : answers) {
    if (answer.status() == 0) continue;
    EXPECT_EQ(answer.problem().kind, ProblemKind::busy);
    ++busy;
  }
  EXPECT_EQ(busy, 3U);
  stage.actors->settle();
  EXPECT_EQ(stage.conversation(result).size(), limits::waiting_commands_max + 1);
  for (const ResultAnswer& answer : answers) EXPECT_EQ(answer.count(), 1U);
  EXPECT_EQ(stage.gateway().counters().in_flight, 0U);
}

TEST(Leadership, a_command_that_loses_its_leader_undecided_is_in_doubt) {
  const auto ended_with = [](bool loses_lead, const Problem& problem) {
    Stage stage;
    std::optional<ProblemKind> kind;
    const auto decide = [&](const store::Snapshot&, Time, IdSource&) -> Expected<store::ChangeSet> {
      if (loses_lead) stage.actors->gateway().follow();
      return problem;
    };
    stage.gateway().change_records(decide, [&](const Expected<Done>& done) { kind = done.problem().kind; });
    stage.actors->settle();
    return kind;
  };
  EXPECT_EQ(ended_with(false, broken_off()), ProblemKind::busy);
  EXPECT_EQ(ended_with(true, broken_off()), ProblemKind::in_doubt);
  EXPECT_EQ(ended_with(true, stopping()), ProblemKind::in_doubt);
  EXPECT_EQ(ended_with(true, no_leader()), ProblemKind::no_leader);
}

TEST(Bounds, answers_busy_beyond_256_commands_on_a_run) {
  Stage stage;
  const Id run = stage.new_run();
  std::vector<RunAnswer> answers;
  answers.push_back(stage.ask_run(run, stage.case_of(run)));
  stage.actors->settle_but_writer();
  for (std::size_t i = 0; i < limits::waiting_commands_max + 2; ++i) {
    answers.push_back(stage.ask_run(run, stage.case_of(run)));
  }
  stage.actors->settle_but_writer();
  stage.actors->settle();
  std::size_t taken = 0;
  for (const RunAnswer& answer : answers) taken += answer.status() == 200 ? 1U : 0U;
  EXPECT_EQ(taken, limits::waiting_commands_max + 1);
}

TEST(Bounds, splits_a_batch_that_is_too_large_for_one_transaction) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  std::vector<ResultAnswer> answers;
  answers.push_back(stage.ask(result, says("under way")));
  stage.actors->settle_but_writer();
  const std::uint64_t commits = stage.store().committer().figures().committed;
  for (int i = 0; i < 40; ++i) answers.push_back(stage.ask(result, says(std::string(1'000'000, 'x'))));
  stage.actors->settle_but_writer();
  stage.actors->settle();
  for (const ResultAnswer& answer : answers) EXPECT_EQ(answer.status(), 200);
  EXPECT_GE(stage.store().committer().figures().committed - commits, 4U);
}

TEST(RefusedCommits, answer_503_and_later_work) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result(run);
  stage.refuse_commits(true);
  const ResultAnswer post = stage.ask(result, says("lost"));
  const RunAnswer cancel = stage.ask_run(run, CancelRun{});
  const ResultAnswer read = stage.ask(result, Finish{});
  stage.actors->settle();
  EXPECT_EQ(post.problem().kind, ProblemKind::store_refuses);
  EXPECT_EQ(cancel.problem().kind, ProblemKind::store_refuses);
  EXPECT_GE(read.status(), 400);
  EXPECT_TRUE(stage.conversation(result).empty());
  EXPECT_EQ(phase_of(stage.head(result)), Phase::P);
  stage.refuse_commits(false);
  EXPECT_EQ(stage.must(result, says("kept")).value().entries, 1U);
  stage.must_run(run, CancelRun{});
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(RefusedCommits, lose_no_verdict_and_no_completion_F6) {
  Stage stage;
  const Id run = stage.new_run();
  stage.pause_scoring(true);
  const Id result = stage.new_result_in(Phase::S, run);
  stage.refuse_commits(true);
  stage.pause_scoring(false);
  EXPECT_EQ(phase_of(stage.head(result)), Phase::S);
  stage.clock.advance(60'000);
  stage.actors->pass(5s);  // an actor that still owes a commit stays in memory
  stage.actors->settle();
  stage.refuse_commits(false);
  stage.actors->pass(5s);
  stage.actors->settle();
  EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
}

TEST(RefusedCommits, lose_no_completion_of_a_run_F6) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result_in(Phase::R, run);
  const ResultAnswer cancel = stage.ask(result, to_status(ResultStatus::canceled));
  // The result's commit is the last one that the disk accepts.
  while (cancel.status() == 0) {
    std::mt19937_64 dice(1);
    stage.actors->step(dice, 1);
  }
  stage.refuse_commits(true);
  stage.actors->settle();
  EXPECT_EQ(stage.run_status(run), RunStatus::running);
  stage.refuse_commits(false);
  stage.actors->pass(5s);
  stage.actors->settle();
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
}

TEST(Conflicts, decide_again_after_another_writer_changed_the_result) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result_in(Phase::R, run);
  const ResultAnswer post = stage.ask(result, says("too late"));
  const ResultAnswer links = stage.ask(result, to_metadata(R"({"a":1})"));
  stage.actors->settle_but_writer();
  const ResultHead before = stage.head(result);
  ResultHead after = before;
  after.status = ResultStatus::canceled;
  after.end_reason = EndReason::canceled;
  store::ChangeSet set;
  set.replace(before, after);
  stage.commit(set);
  stage.actors->settle();
  EXPECT_EQ(post.status(), 409);
  EXPECT_EQ(links.status(), 200);
  EXPECT_EQ(stage.conversation(result).size(), 1U);
}

TEST(Conflicts, decide_again_after_another_writer_changed_the_run) {
  Stage stage;
  const Id run = stage.new_run();
  const RunAnswer post = stage.ask_run(run, stage.case_of(run));
  stage.actors->settle_but_writer();
  const parley::Run before = stage.get<parley::Run>(run);
  parley::Run after = before;
  after.status = RunStatus::failed;
  store::ChangeSet set;
  set.replace(before, after);
  stage.commit(set);
  stage.actors->settle();
  EXPECT_EQ(post.status(), 409);
}

TEST(Failures, of_one_command_stay_with_it) {
  Stage stage;
  const Scenario scenario = stage.record<Scenario>();
  stage.create(scenario);
  const Id run = stage.new_run(RunStatus::fresh, scenario.stamp.id);
  const Agent agent = stage.get<Agent>(stage.agent);
  Agent disabled = agent;
  disabled.is_enabled = false;
  store::ChangeSet set;
  set.replace(agent, disabled);
  stage.commit(set);
  PatchRun launch;
  launch.status = RunStatus::pending;
  PatchRun archive;
  archive.is_archived = true;
  const RunAnswer first = stage.ask_run(run, archive);
  const RunAnswer refused = stage.ask_run(run, launch);
  const RunAnswer post = stage.ask_run(run, stage.case_of(run));
  const RunAnswer cancel = stage.ask_run(run, CancelRun{});
  stage.actors->settle();
  EXPECT_EQ(first.status(), 200);
  EXPECT_EQ(refused.status(), 409) << "its agent is disabled";
  EXPECT_EQ(post.status(), 200) << "that is not this command's fault";
  EXPECT_EQ(cancel.status(), 200);
}

TEST(Failures, of_unknown_records_are_404) {
  Stage stage;
  const Id nobody = stage.ids.next(noon);
  const ResultAnswer result = stage.ask(nobody, NextMessage{});
  const RunAnswer run = stage.ask_run(nobody, CancelRun{});
  stage.actors->settle();
  EXPECT_EQ(result.status(), 404);
  EXPECT_EQ(run.status(), 404);
}

TEST(Stopping, refuses_waiting_commands) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const ResultAnswer under_way = stage.ask(result, says("a"));
  stage.actors->settle_but_writer();
  const ResultAnswer waiting = stage.ask(result, says("b"));
  stage.actors->settle_but_writer();
  stage.actors.reset();
  EXPECT_EQ(waiting.problem().kind, ProblemKind::draining);
  EXPECT_EQ(under_way.count(), 1U);
}

TEST(Records, decide_again_after_a_conflict) {
  Stage stage;
  Answer<Done> answer;
  int decided = 0;
  const Decide rename = [&](const store::Snapshot& snapshot, Time now,
                            IdSource&) -> Expected<store::ChangeSet> {
    ++decided;
    TRY(scenario, snapshot.find<Scenario>(stage.scenario));
    Scenario after = *scenario;
    after.name += "x";
    after.stamp.updated_at = now;
    store::ChangeSet changes;
    changes.replace(*scenario, after);
    return changes;
  };
  stage.gateway().change_records(rename, answer.completion());
  stage.actors->settle_but_writer();
  const Scenario before = stage.get<Scenario>(stage.scenario);
  Scenario renamed = before;
  renamed.name = "other ";
  store::ChangeSet set;
  set.replace(before, renamed);
  stage.commit(set);
  stage.actors->settle();
  EXPECT_EQ(answer.status(), 200);
  EXPECT_EQ(decided, 2);
  EXPECT_EQ(stage.get<Scenario>(stage.scenario).name, "other x");
}

TEST(Records, make_previews_without_a_run_D42) {
  Stage stage;
  ResultAnswer answer;
  CreateResult command = stage.case_of(Id{});
  command.run.reset();
  stage.gateway().create_preview(command, {}, answer.completion());
  stage.actors->settle();
  ASSERT_EQ(answer.status(), 200);
  const Id preview = answer.value().head.stamp.id;
  EXPECT_EQ(stage.must(preview, NextMessage{}).value().turn->message, "one");
  stage.must(preview, to_status(ResultStatus::failed));
  EXPECT_EQ(phase_of(stage.head(stage.must(preview, Retry{}).value().head.stamp.id)), Phase::P);
}

}  // namespace
}  // namespace parley::actors::test
