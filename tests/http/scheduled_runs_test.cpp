// Scheduled runs as a resource (D20): faults, defaults, nextRunAt.

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

struct Plan {
  ApiWorld world;  // its clock shows 2023-11-14T22:13:20Z
  std::string scenario = world.made("/scenarios/", {{"name", "s"}});
  std::string agent = world.made("/agents/", {{"name", "a"}});

  [[nodiscard]] Json body(const Json& more = Json::object()) const {
    Json made{{"scenario", scenario}, {"agent", agent}, {"cron", "0 6 * * *"}};
    made.update(more);
    return made;
  }
};

TEST(ScheduledRuns, show_their_next_run_immediately_D20) {
  Plan plan;
  const Json made = plan.world.post("/scheduled-runs/", plan.body({{"timezone", "Europe/Berlin"}})).json();
  EXPECT_EQ(made["nextRunAt"], "2023-11-15T05:00:00.000Z");
  EXPECT_EQ(made["lastRunAt"], nullptr);
  EXPECT_EQ(made["isEnabled"], true);
  EXPECT_EQ(made["repetitions"], 1);
  EXPECT_FALSE(made.contains("starting"));
  const std::string path = "/scheduled-runs/" + made["id"].get<std::string>();
  EXPECT_EQ(plan.world.patch(path, {{"cron", "30 23 * * *"}, {"timezone", "UTC"}}).json()["nextRunAt"],
            "2023-11-14T23:30:00.000Z");
  EXPECT_EQ(plan.world.patch(path, {{"isEnabled", false}}).json()["nextRunAt"], nullptr);
  EXPECT_EQ(plan.world.patch(path, {{"isEnabled", true}}).json()["nextRunAt"], "2023-11-14T23:30:00.000Z");
}

TEST(ScheduledRuns, name_every_fault_of_a_body_D20) {
  Plan plan;
  const std::string other = plan.world.made("/scenarios/", {{"name", "t"}});
  const std::string test = plan.world.made("/tests/", {{"scenario", other}});
  const std::string archived =
      plan.world.made("/tests/", {{"scenario", plan.scenario}, {"isArchived", true}});
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  const std::vector<Row> rows{
      {Json::object(), {"/agent", "/cron", "/scenario"}},
      {plan.body({{"cron", "0 6 * *"}, {"timezone", "Mars/Base"}}), {"/cron", "/timezone"}},
      {plan.body({{"cron", "0 6 30 2 *"}}), {"/cron"}},
      {plan.body({{"repetitions", 0}, {"maxConcurrentTests", -1}}), {"/maxConcurrentTests", "/repetitions"}},
      {plan.body({{"testConfigs", {{{"test", test}}}}}), {"/testConfigs/0/test"}},
      {plan.body({{"testConfigs", {{{"test", archived}}}}}), {"/testConfigs/0/test"}},
  };
  for (const Row& row : rows) {
    const Reading reading = plan.world.post("/scheduled-runs/", row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump();
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump();
  }
}

TEST(ScheduledRuns, with_a_test_that_was_archived_since_can_be_changed_D20) {
  Plan plan;
  const std::string test = plan.world.made("/tests/", {{"scenario", plan.scenario}});
  const Json configs{{{"test", test}}};
  const std::string path =
      "/scheduled-runs/" + plan.world.made("/scheduled-runs/", plan.body({{"testConfigs", configs}}));
  EXPECT_EQ(plan.world.patch("/tests/" + test, {{"isArchived", true}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"isEnabled", false}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"testConfigs", configs}}).status, 200) << "sent back unchanged";
  EXPECT_EQ(plan.world.patch(path, {{"testConfigs", {{{"test", test}, {"repetitions", 2}}}}}).faults(),
            std::vector<std::string>{"/testConfigs/0/test"});
}

TEST(ScheduledRuns, whose_agent_the_scenario_no_longer_allows_can_be_disabled_D42) {
  Plan plan;
  const std::string other = plan.world.made("/agents/", {{"name", "b"}});
  const std::string path = "/scheduled-runs/" + plan.world.made("/scheduled-runs/", plan.body());
  EXPECT_EQ(plan.world.patch("/scenarios/" + plan.scenario, {{"agents", {other}}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"isEnabled", false}, {"agent", plan.agent}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"isArchived", true}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"agent", other}}).status, 200);
  EXPECT_EQ(plan.world.patch(path, {{"agent", plan.agent}}).faults(), std::vector<std::string>{"/agent"});
}

}  // namespace
}  // namespace parley::http
