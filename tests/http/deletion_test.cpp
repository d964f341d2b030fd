// Permanent deletion (D25): what is removed, what stays, what is refused; the views are correct afterwards.

#include <gtest/gtest.h>

#include "store/views/recount.hpp"
#include "tests/http/support/results.hpp"

namespace parley::http {
namespace {

struct Stage {
  ApiWorld world;
  std::string scenario = world.made("/scenarios/", {{"name", "s"}});
  std::string agent = world.made("/agents/", {{"name", "a"}});

  [[nodiscard]] bool views_fit() { return store::recount(world.store().snapshot()).value().empty(); }
  [[nodiscard]] int remove(const std::string& path) { return world.call("DELETE", path).status; }
  void add_entry(const ResultHead& head, std::uint32_t ordinal) {
    store::StoredEntry entry;
    entry.id = world.next_id();
    entry.json = R"({"id":"x"})";
    store::ChangeSet changes;
    changes.append_entry(head.stamp, ordinal, entry);
    EXPECT_TRUE(world.commit(changes).ok());
  }
};

TEST(Deletion, removes_a_result_completely_D25) {
  Stage stage;
  auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::completed);
  const ResultHead gone = stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  const ResultHead kept = stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  stage.add_entry(gone, 0);
  stage.add_entry(gone, 1);
  const std::string path = "/test-results/" + to_text(gone.stamp.id);
  EXPECT_EQ(stage.remove(path), 204);
  EXPECT_EQ(stage.world.get(path).status, 404);
  EXPECT_EQ(stage.remove(path), 404);
  const store::Snapshot snapshot = stage.world.store().snapshot();
  EXPECT_EQ(snapshot.entry_count(gone.stamp.id), 0u);
  EXPECT_FALSE(snapshot.find<TestCase>(gone.stamp.id).value().has_value());
  EXPECT_EQ(stage.world.get("/runs/" + to_text(run.stamp.id)).json()["result"]["total"], 1);
  EXPECT_EQ(stage.world.get("/test-results/" + to_text(kept.stamp.id)).status, 200);
  EXPECT_TRUE(stage.views_fit());
}

TEST(Deletion, lets_a_run_expect_one_case_less_of_the_same_test_D44) {
  Stage stage;
  auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::running);
  const Id test = stage.world.next_id();
  const Id other = stage.world.next_id();
  auto expecting = run;
  expecting.expected = 3;
  store::ChangeSet changes;
  changes.replace(run, expecting);
  changes.put_run_cases(run.stamp.id, {{test, 2}, {other, 1}});
  ASSERT_TRUE(stage.world.commit(changes).ok());
  const ResultHead plain = stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  ResultHead gone = plain;
  gone.test = Ref<RecordKind::test>{test};
  store::ChangeSet names_test;
  gone.stamp.revision = names_test.replace(plain, gone);
  ASSERT_TRUE(stage.world.commit(names_test).ok());
  EXPECT_EQ(stage.remove("/test-results/" + to_text(gone.stamp.id)), 204);
  EXPECT_EQ(stage.world.stored<parley::Run>(to_text(run.stamp.id)).expected, 2);
  const std::vector<ExpectedCase> left{{test, 1}, {other, 1}};
  EXPECT_EQ(stage.world.store().snapshot().run_cases(run.stamp.id).value(), left);
  // A result without an expected case does not change the expectation.
  const ResultHead extra = stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::failed);
  EXPECT_EQ(stage.remove("/test-results/" + to_text(extra.stamp.id)), 204);
  EXPECT_EQ(stage.world.stored<parley::Run>(to_text(run.stamp.id)).expected, 2);
}

TEST(Deletion, removes_a_run_with_its_results_in_steps_D25) {
  Stage stage;
  const auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::canceled);
  const auto other = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::completed);
  for (int i = 0; i < 450; ++i) {
    stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::canceled);
  }
  stored_result(stage.world, stage.agent, other.stamp.id, ResultStatus::completed);
  EXPECT_EQ(stage.remove("/runs/" + to_text(run.stamp.id)), 204);
  EXPECT_EQ(stage.world.get("/runs/" + to_text(run.stamp.id)).status, 404);
  EXPECT_EQ(stage.world.get("/test-results/").json()["total"], 1);
  EXPECT_EQ(stage.world.get("/runs/").json()["total"], 1);
  EXPECT_TRUE(stage.views_fit());
}

/// Detection changes the results one after the other; a deletion that waited until none of them changes would end with
/// 503.
TEST(Deletion, of_a_run_ends_its_detection_first_D25) {
  Stage stage;
  const auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::canceled);
  const auto detecting = [&](RunStatus status) {
    auto one = stored_run(stage.world, stage.scenario, stage.agent, status);
    auto after = one;
    after.hallucination_status = DetectionStatus::running;
    after.detection = 3;
    store::ChangeSet changes;
    after.stamp.revision = changes.replace(one, after);
    EXPECT_TRUE(stage.world.commit(changes).ok());
    return to_text(after.stamp.id);
  };
  const std::string over = detecting(RunStatus::canceled);
  EXPECT_EQ(stage.remove("/runs/" + over), 204);
  ASSERT_EQ(stage.world.gateway->run_commands.size(), 1U);
  const auto* told = std::get_if<actors::MoveDetection>(&stage.world.gateway->run_commands[0]);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->detection, 3);
  EXPECT_EQ(told->to, DetectionStatus::failed);
  EXPECT_EQ(stage.world.get("/runs/" + over).status, 404);

  EXPECT_EQ(stage.remove("/runs/" + detecting(RunStatus::running)), 409);
  EXPECT_EQ(stage.remove("/runs/" + to_text(run.stamp.id)), 204);
  EXPECT_EQ(stage.world.gateway->run_commands.size(), 1U)
      << "without a deletion it continues, and one that has ended stays ended";
}

TEST(Deletion, refuses_live_records_D25) {
  Stage stage;
  const auto live = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::running);
  const ResultHead ended = stored_result(stage.world, stage.agent, live.stamp.id, ResultStatus::completed);
  const ResultHead pending = stored_result(stage.world, stage.agent, std::nullopt);
  const ResultHead running = stored_result(stage.world, stage.agent, std::nullopt, ResultStatus::running);
  const ResultHead going_on = stored_result(stage.world, stage.agent, live.stamp.id, ResultStatus::running);
  EXPECT_EQ(stage.remove("/runs/" + to_text(live.stamp.id)), 409);
  for (const ResultHead& head : {ended, pending, running}) {
    EXPECT_EQ(stage.remove("/test-results/" + to_text(head.stamp.id)), is_terminal(head.status) ? 204 : 409);
  }
  EXPECT_EQ(stage.world.get("/test-results/").json()["total"], 3);
  EXPECT_EQ(stage.world.get("/test-results/" + to_text(going_on.stamp.id)).status, 200);
}

TEST(Deletion, takes_a_run_whose_last_result_has_just_ended_D44) {
  Stage stage;
  const auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::running);
  stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  EXPECT_EQ(stage.remove("/runs/" + to_text(run.stamp.id)), 204) << "its own record follows one commit later";
  EXPECT_TRUE(stage.views_fit());
}

TEST(Deletion, of_a_log_frees_its_externalId_D25) {
  Stage stage;
  const std::string logs = "/external-conversation-logs/";
  const std::string id = stage.world.made(logs, {{"externalId", "x"}});
  EXPECT_EQ(stage.remove(logs + id), 204);
  EXPECT_EQ(stage.remove(logs + id), 404);
  EXPECT_EQ(stage.world.post(logs, {{"externalId", "x"}}).status, 201);
  EXPECT_TRUE(stage.views_fit());
}

TEST(Deletion, is_for_admins_D25) {
  Stage stage;
  const std::string log = stage.world.made("/external-conversation-logs/", {{"externalId", "x"}});
  const std::string user = stage.world.made("/users/", {{"name", "u"}});
  stage.world.key = stage.world.post("/api-keys/", {{"name", "k"}, {"user", user}}).json()["key"];
  for (const std::string& path :
       {"/external-conversation-logs/" + log, "/runs/" + log, "/test-results/" + log}) {
    EXPECT_EQ(stage.remove(path), 403) << path;
  }
}

TEST(Deletion, is_412_if_the_record_has_changed_since_it_was_read_D12) {
  Stage stage;
  const auto run = stored_run(stage.world, stage.scenario, stage.agent, RunStatus::completed);
  const ResultHead result = stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  for (int i = 0; i < 3; ++i) stored_result(stage.world, stage.agent, run.stamp.id, ResultStatus::completed);
  const std::string log =
      stage.world.made("/external-conversation-logs", {{"externalId", "1"}, {"conversation", Json::array()}});
  for (const std::string& path : {"/test-results/" + to_text(result.stamp.id),
                                  "/runs/" + to_text(run.stamp.id), "/external-conversation-logs/" + log}) {
    const Reading read = stage.world.get(path);
    EXPECT_EQ(stage.world.call("DELETE", path, "", {{"If-Match", "\"other\""}}).status, 412) << path;
    EXPECT_EQ(stage.world.get(path).json(), read.json()) << "nothing of it is removed";
    EXPECT_EQ(stage.world.call("DELETE", path, "", {{"If-Match", read.headers.at("ETag")}}).status, 204)
        << path;
    EXPECT_EQ(stage.world.call("DELETE", path, "", {{"If-Match", "*"}}).status, 404) << path;
  }
}

}  // namespace
}  // namespace parley::http
