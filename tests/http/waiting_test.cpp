// Prefer: wait over HTTP (D47, D96): which requests wait, for what, and how the wait ends.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

using End = actors::Wait::End;

Headers wait_for(const std::string& seconds) {
  return {{"Prefer", "wait=" + seconds}};
}

void end_result(ResultWorld& world, const std::string& result) {
  const auto before = world.stored<ResultHead>(result);
  ResultHead after = before;
  after.status = ResultStatus::completed;
  store::ChangeSet changes;
  changes.replace(before, after);
  changes.put_part(before.stamp.id, ResultVerdict{});
  EXPECT_TRUE(world.commit(changes).ok());
}

TEST(Waiting, a_result_is_shown_when_it_is_terminal_D96) {
  ResultWorld world;
  const std::string path = "/test-results/" + world.result({});
  const auto kept = world.begin("GET", path, "", wait_for("99"));
  EXPECT_EQ(kept->answers, 0);
  ASSERT_EQ(world.gateway->waits.size(), 1u);
  const actors::Wait& wait = world.gateway->waits.front();
  EXPECT_EQ(wait.at_most, std::chrono::seconds(55)) << "before a proxy gives up";
  EXPECT_FALSE(wait.is_over(world.store().snapshot()));
  end_result(world, path.substr(14));
  EXPECT_TRUE(wait.is_over(world.store().snapshot()));
  wait.done(End::fulfilled);
  const Reading reading = world.read(*kept);
  EXPECT_EQ(reading.json()["status"], "completed");
  EXPECT_EQ(reading.headers.at("Preference-Applied"), "wait=60");
  EXPECT_TRUE(reading.headers.contains("ETag"));
}

TEST(Waiting, terminal_and_unknown_records_are_answered_immediately_D96) {
  ResultWorld world;
  const std::string path = "/test-results/" + world.result({});
  end_result(world, path.substr(14));
  EXPECT_EQ(world.get(path, wait_for("60")).headers.at("Preference-Applied"), "wait=60");
  EXPECT_EQ(world.get("/test-results/" + world.run, wait_for("60")).status, 404);
  EXPECT_EQ(world.get("/runs/nothing", wait_for("60")).status, 404);
  EXPECT_EQ(world.get("/runs/" + world.run).headers.count("Preference-Applied"), 0u);
  EXPECT_EQ(world.get("/runs/" + world.run, wait_for("soon")).headers.count("Preference-Applied"), 0u);
  EXPECT_TRUE(world.gateway->waits.empty());
}

TEST(Waiting, a_wait_that_is_cut_short_shows_the_state_as_it_is_D96) {
  ResultWorld world;
  const auto kept = world.begin("GET", "/runs/" + world.run, "", wait_for("5"));
  ASSERT_EQ(world.gateway->waits.size(), 1u);
  world.gateway->waits.front().done(End::cut_short);
  EXPECT_EQ(world.read(*kept).status, 200);
  EXPECT_EQ(world.read(*kept).json()["status"], "running");
}

TEST(Waiting, a_record_that_is_deleted_meanwhile_is_404) {
  ResultWorld world;
  const auto kept = world.begin("GET", "/runs/" + world.run, "", wait_for("5"));
  store::ChangeSet changes;
  changes.erase_run(world.stored<parley::Run>(world.run));
  EXPECT_TRUE(world.commit(changes).ok());
  ASSERT_EQ(world.gateway->waits.size(), 1u);
  EXPECT_TRUE(world.gateway->waits.front().is_over(world.store().snapshot()));
  world.gateway->waits.front().done(End::fulfilled);
  EXPECT_EQ(world.read(*kept).status, 404);
}

/// A tester that is still working: next-message is not ready.
struct SlowTester : ResultWorld {
  SlowTester() {
    id = result({});
    world_reply().head = stored<ResultHead>(id);
    world_reply().turn = actors::TesterReply{};
    world_reply().turn->ready = false;
  }
  actors::ResultReply& world_reply() { return gateway->result_reply; }
  std::shared_ptr<KeptAnswer> ask(const Headers& headers) {
    return begin("POST", "/test-results/" + id + "/next-message", "", headers);
  }
  std::string id;
};

TEST(Waiting, a_turn_that_comes_late_is_answered_when_the_result_has_moved_D47) {
  SlowTester world;
  const auto kept = world.ask(wait_for("9"));
  EXPECT_EQ(kept->answers, 0);
  ASSERT_EQ(world.gateway->waits.size(), 1u);
  const actors::Wait wait = world.gateway->waits.front();
  EXPECT_FALSE(wait.is_over(world.store().snapshot()));
  end_result(world, world.id);
  EXPECT_TRUE(wait.is_over(world.store().snapshot()));
  world.world_reply().turn = actors::TesterReply{"hello", std::nullopt, false, true, world.next_id()};
  wait.done(End::fulfilled);
  EXPECT_EQ(world.read(*kept).json()["message"], "hello");
  EXPECT_EQ(world.read(*kept).headers.at("Preference-Applied"), "wait=9");
  EXPECT_EQ(world.gateway->result_commands.size(), 2u) << "asked again";
}

TEST(Waiting, a_turn_that_does_not_come_is_not_ready_D47) {
  SlowTester world;
  const auto at_once = world.ask(wait_for("0"));
  EXPECT_EQ(world.read(*at_once).json()["ready"], false);
  EXPECT_TRUE(world.gateway->waits.empty());
  const auto usual = world.ask({});
  ASSERT_EQ(world.gateway->waits.size(), 1u);
  EXPECT_LE(world.gateway->waits.front().at_most, std::chrono::seconds(2));
  EXPECT_GT(world.gateway->waits.front().at_most, std::chrono::seconds(1));
  world.gateway->waits.front().done(End::cut_short);
  EXPECT_EQ(world.read(*usual).json()["ready"], false);
  EXPECT_EQ(world.read(*usual).headers.count("Preference-Applied"), 0u);
}

}  // namespace
}  // namespace parley::http
