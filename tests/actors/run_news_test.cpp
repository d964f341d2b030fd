// How a run processes changes of its results (D40), and how much that costs when it has many of them.

#include "actors/run/run_loading.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// Commits a modified head without the actors: no actor is notified.
template <class F>
void change(Stage& stage, const Id& result, F change) {
  const ResultHead before = stage.head(result);
  ResultHead after = before;
  change(after);
  store::ChangeSet set;
  set.replace(before, after);
  stage.commit(set);
}

TEST(RunNews, of_a_failed_result_do_not_reread_earlier_failures) {
  Stage stage;
  const Id run = stage.new_run(RunStatus::fresh);
  const std::array<Id, 3> results{stage.new_result(run), stage.new_result(run), stage.new_result(run)};
  stage.must(results[0], to_status(ResultStatus::failed));
  store::ChangeSet damage;
  damage.writes.push_back(
      {store::TableId::result_heads, std::string(results[0].key()), store::any_revision, "no value"});
  stage.commit(damage);
  stage.must(results[1], to_status(ResultStatus::failed));
  EXPECT_EQ(stage.must_run(run, FollowResults{}).value().run.status, RunStatus::fresh);
  EXPECT_TRUE(load_facts(stage.store().snapshot(), stage.get<parley::Run>(run)).ok());
  EXPECT_EQ(stage.store().usage().corrupt_reads, 0U) << "it was read again";
}

TEST(RunNews, that_an_actor_never_heard_are_found_by_its_first_look_D40) {
  for (const EndReason reason : {EndReason::tester_error, EndReason::action_error, EndReason::client_error}) {
    Stage stage;
    const Id run = stage.new_run(RunStatus::fresh);
    const Id result = stage.new_result(run);
    static_cast<void>(stage.new_result(run));
    change(stage, result, [&](ResultHead& head) {
      head.status = ResultStatus::failed;
      head.end_reason = reason;
    });
    const auto facts = load_facts(stage.store().snapshot(), stage.get<parley::Run>(run));
    EXPECT_TRUE(is_behind(stage.get<parley::Run>(run), *facts)) << "who shows the run has to ask its actor";
    const bool has_run = reason != EndReason::client_error;
    EXPECT_EQ(stage.must_run(run, FollowResults{}).value().run.status,
              has_run ? RunStatus::running : RunStatus::fresh);
    stage.crash();
    EXPECT_EQ(stage.recover().runs_moved, 0U);
  }
}

TEST(RunNews, that_a_crash_cut_short_are_found_at_the_start_D40) {
  Stage stage;
  const Id run = stage.new_run(RunStatus::fresh);
  const Id result = stage.new_result(run);
  static_cast<void>(stage.new_result(run));
  change(stage, result, [](ResultHead& head) {
    head.status = ResultStatus::failed;
    head.end_reason = EndReason::tester_error;
  });
  stage.crash();
  EXPECT_EQ(stage.recover().runs_moved, 1U);
  EXPECT_EQ(stage.run_status(run), RunStatus::running);
}

TEST(RunNews, of_a_canceled_result_that_ran_survive_a_crash_D40) {
  for (const bool has_run : {false, true}) {
    Stage stage;
    const Id run = stage.new_run(RunStatus::fresh);
    const Id result = stage.new_result(run);
    static_cast<void>(stage.new_result(run));
    change(stage, result, [&](ResultHead& head) {
      head.status = ResultStatus::canceled;
      head.end_reason = EndReason::canceled;
      if (has_run) head.has_run = true;
    });
    stage.crash();
    EXPECT_EQ(stage.recover().runs_moved, has_run ? 1U : 0U);
    EXPECT_EQ(stage.run_status(run), has_run ? RunStatus::running : RunStatus::fresh);
  }
}

}  // namespace
}  // namespace parley::actors::test
