// The launch of a run: which tests it includes, and which cases it cannot create (D41, D43, D55).

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

TEST(Launch, of_another_scenario_takes_the_tests_of_that_one) {
  Stage stage;
  Agent local = stage.record<Agent>();
  local.type = "LOCAL";
  stage.create(local);
  stage.agent = local.stamp.id;
  const Scenario other = stage.record<Scenario>();
  stage.create(other);
  const Id test = stage.add_test(other.stamp.id);
  const Id run = stage.new_run(RunStatus::fresh);
  PatchRun launch;
  launch.status = RunStatus::pending;
  launch.scenario = Ref<RecordKind::scenario>{other.stamp.id};
  const parley::Run launched = stage.must_run(run, launch).value().run;
  EXPECT_EQ(launched.expected, 1);
  EXPECT_EQ(launched.status, RunStatus::pending);
  const auto live = stage.store().snapshot().live_of_run(run);
  ASSERT_EQ(live.size(), 1U);
  EXPECT_EQ(stage.head(live.front()).test->id, test);
}

/// A scenario with one test, whose agent receives its results at the launch.
CreateRun launch_of(Stage& stage, const std::string& instruction, std::int64_t repetitions) {
  Agent local = stage.record<Agent>();
  local.type = "LOCAL";
  stage.create(local);
  const Scenario scenario = stage.record<Scenario>();
  stage.create(scenario);
  static_cast<void>(stage.add_test(scenario.stamp.id, instruction));
  CreateRun command;
  command.run.scenario.id = scenario.stamp.id;
  command.run.agent.id = local.stamp.id;
  command.run.status = RunStatus::pending;
  command.run.repetitions = repetitions;
  return command;
}

TEST(Launch, is_refused_if_its_cases_do_not_fit_into_one_commit) {
  Stage stage;
  const std::string instruction(limits::instruction_bytes_max, 'x');
  const auto too_many =
      static_cast<std::int64_t>(limits::launch_bytes_max / limits::instruction_bytes_max) + 1;
  const Id small = stage.must_run(Id{}, launch_of(stage, instruction, 2)).value().run.stamp.id;
  EXPECT_EQ(stage.store().snapshot().live_of_run(small).size(), 2U);
  const RunAnswer refused = stage.ask_run(Id{}, launch_of(stage, instruction, too_many));
  stage.actors->settle();
  ASSERT_EQ(refused.status(), 400);
  ASSERT_EQ(refused.problem().faults.size(), 1U);
  EXPECT_EQ(refused.problem().faults[0].pointer, "/repetitions");
  EXPECT_NE(refused.problem().faults[0].detail.find("128 MiB"), std::string::npos);
  EXPECT_EQ(stage.store().snapshot().ids_in({RecordKind::test_result}, Id{}, 10).size(), 2U)
      << "nothing of it was made";
}

TEST(Launch, is_refused_if_a_composed_case_is_too_long_D55) {
  Stage stage;
  const CreateRun launch = launch_of(stage, std::string(limits::instruction_bytes_max - 8, 'x'), 1);
  const auto tests = stage.store().snapshot().ids_in({RecordKind::test, store::Facet::all}, Id{}, 10);
  ASSERT_EQ(tests.size(), 1U);
  auto variant = stage.record<parley::Test>();
  variant.scenario = launch.run.scenario;
  variant.parent_test = to_text(tests[0]);
  variant.instruction = "and in haste";
  stage.create(variant);
  const RunAnswer refused = stage.ask_run(Id{}, launch);
  stage.actors->settle();
  ASSERT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.problem().faults[0].pointer, "/scenario");
  EXPECT_NE(refused.problem().faults[0].detail.find("has a composed instruction of more than 256 KiB"),
            std::string::npos);
}

TEST(Launch, is_refused_if_fields_make_the_assertions_of_a_case_too_long_D55) {
  Stage stage;
  CreateRun launch = launch_of(stage, "say: one", 1);
  auto test = stage.record<parley::Test>();
  test.scenario = launch.run.scenario;
  test.fields.text = R"({"k":")" + std::string(200'000, 'v') + R"("})";
  test.assertions.resize(22);
  for (Assertion& each : test.assertions) each.criteria = "{{k}}";
  stage.create(test);
  struct Row {
    std::vector<TestConfig> configs;
    std::string pointer;
  };
  const std::vector<Row> rows{{{}, "/scenario"},
                              {{{Ref<RecordKind::test>{test.stamp.id}, {}, {}, {}}}, "/testConfigs"}};
  for (const Row& row : rows) {
    launch.run.test_configs = row.configs;
    const RunAnswer refused = stage.ask_run(Id{}, launch);
    stage.actors->settle();
    ASSERT_EQ(refused.status(), 400);
    EXPECT_EQ(refused.problem().faults[0].pointer, row.pointer);
    EXPECT_NE(refused.problem().faults[0].detail.find(to_text(test.stamp.id)), std::string::npos);
    EXPECT_NE(refused.problem().faults[0].detail.find("more than 4 MiB of field values"), std::string::npos);
  }
  EXPECT_TRUE(stage.store().snapshot().ids_in({RecordKind::test_result}, Id{}, 10).empty());
}

/// A log that only the given agent may re-run, or any agent if none is given.
ExternalLog log_for(Stage& stage, const std::optional<Id>& agent) {
  auto log = stage.record<ExternalLog>();
  log.external_id = to_text(log.stamp.id);
  if (agent) log.agents = {{*agent}};
  stage.create(log);
  return log;
}

TEST(Launch, is_refused_if_the_agent_may_not_play_the_log_of_a_variant) {
  Stage stage;
  CreateRun launch = launch_of(stage, "say: one", 1);
  const Id agent = launch.run.agent.id;
  const ExternalLog open = log_for(stage, std::nullopt);
  const ExternalLog own = log_for(stage, agent);
  const ExternalLog closed = log_for(stage, stage.agent);
  struct Row {
    std::optional<Id> of_parent;
    std::optional<Id> of_variant;
    std::optional<Id> named;  ///< the log that the result names; nullopt: the launch is refused
  };
  const std::vector<Row> rows{
      {closed.stamp.id, std::nullopt, {}},         {closed.stamp.id, open.stamp.id, {}},
      {open.stamp.id, closed.stamp.id, {}},        {std::nullopt, closed.stamp.id, {}},
      {open.stamp.id, own.stamp.id, own.stamp.id}, {own.stamp.id, std::nullopt, own.stamp.id}};
  const auto test_of = [&](const std::optional<Id>& log) {
    auto test = stage.record<parley::Test>();
    test.scenario = launch.run.scenario;
    test.instruction = "say: two";
    if (log) test.source_conversation_log = Ref<RecordKind::external_log>{*log};
    return test;
  };
  for (const Row& row : rows) {
    const parley::Test parent = test_of(row.of_parent);
    parley::Test variant = test_of(row.of_variant);
    variant.parent_test = to_text(parent.stamp.id);
    stage.create(parent);
    stage.create(variant);
    launch.run.test_configs = {{Ref<RecordKind::test>{variant.stamp.id}, {}, {}, {}}};
    const RunAnswer answer = stage.ask_run(Id{}, launch);
    stage.actors->settle();
    ASSERT_EQ(answer.status(), row.named ? 200 : 400);
    if (!row.named) {
      EXPECT_EQ(answer.problem().faults[0].pointer, "/agent");
      EXPECT_NE(answer.problem().faults[0].detail.find(to_text(closed.stamp.id)), std::string::npos);
      continue;
    }
    const auto live = stage.store().snapshot().live_of_run(answer.value().run.stamp.id);
    ASSERT_EQ(live.size(), 1U);
    EXPECT_EQ(stage.head(live.front()).source_conversation_log->id, *row.named);
  }
}

}  // namespace
}  // namespace parley::actors::test
