// A record that other records refer to and that the data file has lost: a request that needs it is refused (500) and
// never carried out without it, and no other request is delayed (I13).

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// Two tests of one scenario, and a variant of the second.
struct Suite {
  explicit Suite(Stage& stage) {
    Scenario made = stage.record<Scenario>();
    scenario = made.stamp.id;
    stage.create(made);
    first = stage.add_test(scenario);
    second = stage.add_test(scenario);
    Test overlay = stage.record<Test>();
    overlay.scenario.id = scenario;
    overlay.parent_test = to_text(second);
    variant = overlay.stamp.id;
    stage.create(overlay);
  }

  Id scenario, first, second, variant;
};

/// Removes only the row, as damage does, without touching other tables.
void lose(Stage& stage, store::TableId table, const Id& id) {
  store::ChangeSet set;
  set.writes.push_back({table, std::string(id.key()), store::any_revision, {}});
  stage.commit(set);
}

CreateRun launch_of(const Stage& stage, const Suite& suite, const std::vector<Id>& tests) {
  CreateRun command;
  command.run.scenario.id = suite.scenario;
  command.run.agent.id = stage.agent;
  command.run.status = RunStatus::pending;
  command.run.generate_results = true;
  for (const Id& test : tests) command.run.test_configs.push_back({Ref<RecordKind::test>{test}, {}, {}, {}});
  return command;
}

std::vector<Id> runs_of(Stage& stage) {
  return stage.store().snapshot().ids_in({RecordKind::run}, {}, SIZE_MAX);
}

TEST(LostRecord, is_needed_by_a_launch_and_refuses_it_I13) {
  struct Row {
    std::string what;
    store::TableId table;
    Id Suite::*lost;
    std::vector<Id Suite::*> configs;
  };
  const std::vector<Row> rows{
      {"a test of the scenario", store::TableId::tests, &Suite::first, {}},
      {"a test that is named", store::TableId::tests, &Suite::first, {&Suite::first, &Suite::second}},
      {"the parent of a variant", store::TableId::tests, &Suite::second, {&Suite::variant}},
      {"the scenario", store::TableId::scenarios, &Suite::scenario, {&Suite::first}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    Stage stage;
    const Suite suite(stage);
    const Suite other(stage);
    std::vector<Id> tests;
    for (const auto& config : row.configs) tests.push_back(suite.*config);
    lose(stage, row.table, suite.*row.lost);
    const RunAnswer refused = stage.ask_run({}, launch_of(stage, suite, tests));
    stage.actors->settle();
    ASSERT_EQ(refused.status(), 500);
    EXPECT_EQ(runs_of(stage), std::vector<Id>{}) << "no run of what is left";
    EXPECT_GE(stage.store().usage().corrupt_reads, 1U);
    stage.must_run({}, launch_of(stage, other, {}));
  }
}

TEST(LostRecord, is_needed_by_a_run_that_starts_later_I13) {
  Stage stage;
  const Suite suite(stage);
  CreateRun command = launch_of(stage, suite, {});
  command.run.status = RunStatus::fresh;
  const Id run = stage.must_run({}, command).value().run.stamp.id;
  lose(stage, store::TableId::tests, suite.second);
  PatchRun start;
  start.status = RunStatus::pending;
  const RunAnswer refused = stage.ask_run(run, start);
  stage.actors->settle();
  EXPECT_EQ(refused.status(), 500);
  EXPECT_EQ(stage.run_status(run), RunStatus::fresh);
}

}  // namespace
}  // namespace parley::actors::test
