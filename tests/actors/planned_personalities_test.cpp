// Which personality the next result of a test gets if several testConfigs name the test (R2.25).

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

using Personality = std::optional<Ref<RecordKind::personality>>;

/// A run that plays one test with two personalities, each the given number of times.
struct InParts {
  explicit InParts(std::int64_t repetitions = 1) {
    test = stage.add_test(stage.scenario);
    CreateRun command;
    command.run.scenario.id = stage.scenario;
    command.run.agent.id = stage.agent;
    command.run.status = RunStatus::running;
    for (const Personality& personality : {hasty, calm})
      command.run.test_configs.push_back({Ref<RecordKind::test>{test}, personality, repetitions});
    run = stage.must_run(Id{}, command).value().run.stamp.id;
  }

  /// The next case, or a case with the personality that the client chose.
  [[nodiscard]] CreateResult next(Personality chosen = {}) const {
    CreateResult command = stage.case_of(run);
    command.test = Ref<RecordKind::test>{test};
    command.uses_next_case = !chosen;
    command.personality = chosen;
    return command;
  }
  Id post(Personality chosen = {}) { return stage.new_result(next(chosen)); }
  [[nodiscard]] Personality of(const Id& result) { return stage.head(result).personality; }
  /// Bypasses the run's actor, as the deletion of a result does.
  void erase(const Id& result) {
    store::ChangeSet gone;
    gone.erase_result(stage.head(result), 0);
    stage.commit(gone);
  }

  Stage stage;
  Personality hasty{{stage.ids.next(noon)}};
  Personality calm{{stage.ids.next(noon)}};
  Id test;
  Id run;
};

TEST(PlannedPersonalities, that_of_a_deleted_result_is_played_again_before_others_repeat) {
  InParts world;
  const Id first = world.post();
  const Id second = world.post();
  EXPECT_EQ(world.of(first), world.hasty);
  EXPECT_EQ(world.of(second), world.calm);
  world.erase(first);
  const Id third = world.post();
  EXPECT_EQ(world.of(third), world.hasty);
  world.erase(second);
  world.stage.crash();
  EXPECT_EQ(world.of(world.post()), world.calm);
  EXPECT_EQ(world.of(world.post()), world.calm) << "beyond the plan as the last of it";
}

TEST(PlannedPersonalities, one_chosen_by_a_client_counts_as_played) {
  InParts world;
  static_cast<void>(world.post(world.calm));
  EXPECT_EQ(world.of(world.post()), world.hasty);
  InParts other;
  static_cast<void>(other.post(Ref<RecordKind::personality>{other.stage.ids.next(noon)}));
  EXPECT_EQ(other.of(other.post()), other.hasty) << "one that nobody planned takes nobody's place";
  EXPECT_EQ(other.of(other.post()), other.calm);
}

TEST(PlannedPersonalities, a_retry_counts_for_the_result_it_replaces_and_an_archived_result_for_itself) {
  InParts world(2);
  const Id first = world.post();
  world.stage.must(first, to_status(ResultStatus::failed));
  static_cast<void>(world.stage.must(first, Retry{}));
  const Id second = world.post();
  EXPECT_EQ(world.of(second), world.hasty);
  const ResultHead before = world.stage.head(second);
  ResultHead archived = before;
  archived.is_archived = true;
  store::ChangeSet set;
  set.replace(before, archived);
  world.stage.commit(set);
  world.stage.crash();
  EXPECT_EQ(world.of(world.post()), world.calm) << "two hasty ones are there";
}

TEST(PlannedPersonalities, each_is_played_as_often_as_planned_in_any_order_of_posts) {
  InParts world;
  Stage& stage = world.stage;
  for_each_seed(stage, [&](std::mt19937_64& dice) {
    CreateRun command;
    command.run = stage.get<parley::Run>(world.run);
    for (TestConfig& config : command.run.test_configs) config.repetitions = 2;
    world.run = stage.must_run(Id{}, command).value().run.stamp.id;
    std::vector<RunAnswer> answers;
    std::vector<std::function<void()>> posts;
    for (const Personality& chosen : {Personality{}, Personality{}, Personality{}, world.calm})
      posts.push_back([&, chosen] { answers.push_back(stage.ask_run(world.run, world.next(chosen))); });
    race(stage, dice, posts);
    std::map<Personality, int> played;
    for (RunAnswer& answer : answers) ++played[answer.value().result->head.personality];
    EXPECT_EQ(played, (std::map<Personality, int>{{world.hasty, 2}, {world.calm, 2}}));
  });
}

TEST(PlannedPersonalities, are_chosen_without_rereading_known_results) {
  InParts world(100);
  std::vector<Id> made;
  for (int i = 0; i < 3; ++i) made.push_back(world.post());
  store::ChangeSet damage;
  damage.writes.push_back(
      {store::TableId::result_heads, std::string(made[0].key()), store::any_revision, "no value"});
  world.stage.commit(damage);
  static_cast<void>(world.post());
  static_cast<void>(world.post(world.calm));
  static_cast<void>(world.post());
  EXPECT_EQ(world.stage.store().usage().corrupt_reads, 0U) << "it was read again";
}

}  // namespace
}  // namespace parley::actors::test
