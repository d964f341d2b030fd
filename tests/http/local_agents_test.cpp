// Runners of LOCAL agents (D73, I61): registration, leases, the order of work.

#include <gtest/gtest.h>

#include "store/views/recount.hpp"
#include "tests/http/support/results.hpp"

namespace parley::http {
namespace {

Json beat(ApiWorld& world, const std::string& who = "r1") {
  const Reading reading = world.post("/agents/local", {{"name", "runner"}, {"unique_identifier", who}});
  EXPECT_EQ(reading.status, 200) << reading.text;
  return reading.json();
}

/// A registered runner.
struct Runner {
  explicit Runner(ApiWorld& world_in) : world(world_in), agent(beat(world)["agent_id"]) {}
  Id run(RunStatus status = RunStatus::running) {
    return stored_run(world, scenario, agent, status).stamp.id;
  }
  std::vector<std::string> offered() {
    return beat(world).value("test_result_ids", std::vector<std::string>{});
  }

  ApiWorld& world;
  std::string agent;
  std::string scenario = world.made("/scenarios/", {{"name", "s"}});
};

std::vector<std::string> texts(const std::vector<ResultHead>& heads) {
  std::vector<std::string> all;
  for (const ResultHead& head : heads) all.push_back(to_text(head.stamp.id));
  return all;
}

TEST(LocalAgents, are_one_for_each_owner_and_identifier_D73) {
  ApiWorld world;
  const std::string first = beat(world)["agent_id"];
  const Reading again = world.post("/agents/local", {{"name", "renamed"}, {"unique_identifier", "r1"}});
  EXPECT_EQ(again.json(), (Json{{"agent_id", first}}));
  EXPECT_NE(beat(world, "r2")["agent_id"], first);
  EXPECT_NE(beat(world, std::string(1'024, 'r'))["agent_id"], first);
  const Json agent = world.get("/agents/" + first).json();
  EXPECT_EQ(agent["name"], "renamed");
  EXPECT_EQ(agent["type"], "LOCAL");
  EXPECT_EQ(agent["uniqueIdentifier"], "r1");
  EXPECT_EQ(agent["lastSeenAt"], agent["createdAt"]);
  EXPECT_EQ(world.get("/agents/?type=LOCAL").json()["total"], 3);
  const std::string user = world.made("/users/", {{"name", "u"}});
  world.key = world.post("/api-keys/", {{"name", "k"}, {"user", user}}).json()["key"];
  EXPECT_NE(beat(world)["agent_id"], first) << "another owner's runner of the same name is another agent";
}

TEST(LocalAgents, are_those_of_suite_files_for_a_runner_with_their_project_and_key) {
  ApiWorld world;
  const Json agents = {{{"key", "bot"}, {"name", "Bot"}, {"type", "LOCAL"}},
                       {{"key", "shop"}, {"name", "Shop"}, {"type", "DEMO"}}};
  EXPECT_EQ(world.post("/apply", {{"project", "coffee"}, {"agents", agents}}).status, 200);
  const std::string user = world.made("/users/", {{"name", "u"}});
  world.key = world.post("/api-keys/", {{"name", "k"}, {"user", user}}).json()["key"];
  const std::string bot = beat(world, "coffee/bot")["agent_id"];
  const Json agent = world.get("/agents/" + bot).json();
  EXPECT_EQ(agent["key"], "bot");
  EXPECT_EQ(agent["name"], "Bot") << "the files own the name";
  EXPECT_TRUE(agent.contains("lastSeenAt"));
  EXPECT_EQ(world.get("/agents/").json()["total"], 2);
  for (const char* other : {"coffee/shop", "coffee/none", "tea/bot", "coffee", "/"})
    EXPECT_NE(beat(world, other)["agent_id"], bot) << other;
}

TEST(LocalAgents, name_every_fault_of_a_heartbeat_D3) {
  ApiWorld world;
  EXPECT_EQ(world.post("/agents/local").faults(), (std::vector<std::string>{"/name", "/unique_identifier"}));
  EXPECT_EQ(world.post("/agents/local", {{"name", 1}, {"unique_identifier", ""}}).faults(),
            (std::vector<std::string>{"/name", "/unique_identifier"}));
}

TEST(LocalAgents, get_the_oldest_run_with_work_first_and_nothing_twice_D73_I61) {
  ApiWorld world;
  Runner runner(world);
  const Id older = runner.run();
  const Id newer = runner.run();
  const auto of_newer = std::vector{stored_result(world, runner.agent, newer)};
  const auto alone = std::vector{stored_result(world, runner.agent, std::nullopt)};
  const auto of_older =
      std::vector{stored_result(world, runner.agent, older), stored_result(world, runner.agent, older)};
  stored_result(world, runner.agent, older, ResultStatus::running);
  const Json first = beat(world);
  EXPECT_EQ(first["run_id"], to_text(older));
  EXPECT_EQ(first["test_result_ids"], Json(texts(of_older)));
  const Json second = beat(world);
  EXPECT_EQ(second["run_id"], to_text(newer));
  EXPECT_EQ(second["test_result_ids"], Json(texts(of_newer)));
  const Json third = beat(world);
  EXPECT_FALSE(third.contains("run_id"));
  EXPECT_EQ(third["test_result_ids"], Json(texts(alone)));
  EXPECT_EQ(beat(world), (Json{{"agent_id", runner.agent}})) << "without work both fields are omitted";
  EXPECT_TRUE(store::recount(world.store().snapshot()).value().empty());
}

TEST(LocalAgents, get_the_work_of_an_archived_run_too_D73) {
  ApiWorld world;
  Runner runner(world);
  const auto run_of = [&](bool is_archived) {
    parley::Run run;
    run.stamp = {world.next_id(), world.clock.now(), 1};
    run.scenario.id = id_of(runner.scenario);
    run.agent.id = id_of(runner.agent);
    run.status = RunStatus::running;
    run.is_archived = is_archived;
    store::ChangeSet changes;
    changes.create(run);
    EXPECT_TRUE(world.commit(changes).ok());
    return run.stamp.id;
  };
  std::vector<std::string> wanted;
  for (const bool is_archived : {false, true, false}) {
    const Id run = run_of(is_archived);
    stored_result(world, runner.agent, run);
    wanted.push_back(to_text(run));
  }
  std::vector<std::string> offered;
  for (int i = 0; i < 3; ++i) offered.push_back(beat(world).value("run_id", ""));
  EXPECT_EQ(offered, wanted) << "the oldest first, whether it is listed or not";
}

TEST(LocalAgents, keep_a_lease_by_heartbeats_and_lose_it_without_I61) {
  ApiWorld world;
  Runner runner(world);
  ResultHead first = stored_result(world, runner.agent, runner.run());
  EXPECT_EQ(runner.offered().size(), 1u);
  for (int i = 0; i < 3; ++i) {
    world.clock.advance(59'999);
    EXPECT_TRUE(runner.offered().empty()) << "renewed";
  }
  world.clock.advance(60'000);
  EXPECT_EQ(runner.offered(), texts({first})) << "offered again";
  move_to(world, first, ResultStatus::running);
  world.clock.advance(60'000);
  EXPECT_TRUE(runner.offered().empty()) << "a running result is never offered again";
}

TEST(LocalAgents, get_at_most_100_results_a_heartbeat_D73) {
  ApiWorld world;
  Runner runner(world);
  const Id run = runner.run();
  for (int i = 0; i < 150; ++i) stored_result(world, runner.agent, run);
  EXPECT_EQ(runner.offered().size(), 100u);
  EXPECT_EQ(runner.offered().size(), 50u);
  EXPECT_EQ(runner.offered().size(), 0u);
}

TEST(LocalAgents, get_no_manual_results) {
  ApiWorld world;
  Runner runner(world);
  ResultHead manual;
  manual.stamp = {world.next_id(), world.clock.now(), 1};
  manual.agent.id = id_of(runner.agent);
  manual.is_manual = true;
  store::ChangeSet changes;
  changes.create(manual);
  ASSERT_TRUE(world.commit(changes).ok());
  EXPECT_TRUE(runner.offered().empty());
}

/// The agent accepts no new results, so the waiting ones are earlier results or retries: both continue
/// (docs/agents.md).
TEST(LocalAgents, get_their_current_work_again_while_disabled_or_archived_D73) {
  for (const char* off : {"isEnabled", "isArchived"}) {
    ApiWorld world;
    Runner runner(world);
    const Id run = runner.run();
    const auto of_run = stored_result(world, runner.agent, run);
    const auto alone = stored_result(world, runner.agent, std::nullopt);
    world.patch("/agents/" + runner.agent, {{off, std::string(off) == "isArchived"}});
    Json beaten = beat(world);
    EXPECT_EQ(beaten["run_id"], to_text(run)) << off;
    EXPECT_EQ(beaten["test_result_ids"], Json(texts({of_run}))) << off;
    EXPECT_EQ(runner.offered(), texts({alone})) << off;
  }
}

TEST(LocalAgents, keep_their_leases_while_disabled_D73) {
  ApiWorld world;
  Runner runner(world);
  stored_result(world, runner.agent, std::nullopt);
  EXPECT_EQ(runner.offered().size(), 1u);
  world.patch("/agents/" + runner.agent, {{"isEnabled", false}});
  for (int i = 0; i < 4; ++i) {
    world.clock.advance(40'000);
    EXPECT_TRUE(runner.offered().empty()) << "renewed, so it is not offered again";
  }
  world.clock.advance(70'000);
  EXPECT_EQ(runner.offered().size(), 1u) << "not renewed in time";
}

}  // namespace
}  // namespace parley::http
