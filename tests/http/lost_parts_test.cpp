// Lost parts of the data file, as seen by a client: a 500 and nothing else (I13).

#include <gtest/gtest.h>

#include "store/engine/row_keys.hpp"
#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

/// A stored result that ended with `entries` entries.
std::string ended_result(ResultWorld& world, std::int64_t entries) {
  ResultSpec spec;
  spec.head.status = ResultStatus::completed;
  spec.head.end_reason = EndReason::tester_ended;
  spec.head.entries = entries;
  for (std::int64_t i = 0; i < entries; ++i) spec.entries.push_back(world.message(Role::chatbot, "{}"));
  return world.result(std::move(spec));
}

/// Removes only the row, as damage does.
void lose(ResultWorld& world, store::TableId table, const std::string& key) {
  store::ChangeSet changes;
  changes.writes.push_back({table, key, store::any_revision, {}});
  EXPECT_TRUE(world.commit(changes).ok());
}

TEST(LostPart, is_a_500_and_never_an_emptier_answer_or_another_verdict_I13) {
  ResultWorld world;
  const std::string talk = ended_result(world, 3);
  const std::string unread = ended_result(world, 0);
  const std::string unscored = ended_result(world, 0);
  for (const std::string& id : {talk, unread, unscored})
    EXPECT_EQ(world.get("/test-results/" + id).status, 200);
  lose(world, store::TableId::entries, store::entry_key(*id_from_text(talk), 2));
  lose(world, store::TableId::result_cases, std::string(id_from_text(unread)->key()));
  lose(world, store::TableId::result_verdicts, std::string(id_from_text(unscored)->key()));
  for (const std::string& id : {talk, unread, unscored}) {
    const std::string path = "/test-results/" + id;
    EXPECT_EQ(world.get(path).status, 500) << id;
    EXPECT_EQ(world.post(path + "/rescore", {{"preview", false}}).status, 500) << id;
    EXPECT_EQ(world.post(path + "/review", {{"model", false}}).status, 500) << id;
  }
  EXPECT_TRUE(world.gateway->result_commands.empty()) << "nothing is stored";
  EXPECT_EQ(world.get("/test-results").status, 500);
  EXPECT_GE(world.store().usage().corrupt_reads, 9U);
}

TEST(LostPart, is_never_left_out_of_a_case_or_a_run_I13) {
  ResultWorld world;
  const Json body{{"scenario", world.scenario}, {"instruction", "say: hi"}};
  const std::string parent = world.made("/tests", body);
  const std::string variant = world.made("/tests", {{"scenario", world.scenario}, {"parentTest", parent}});
  lose(world, store::TableId::tests, std::string(id_from_text(parent)->key()));
  const Json run{{"scenario", world.scenario}, {"agent", world.agent}, {"status", "pending"}};
  EXPECT_EQ(world.post("/runs", run).status, 500);
  EXPECT_EQ(world.post("/test-results", {{"agent", world.agent}, {"test", variant}}).status, 500);
  EXPECT_TRUE(world.gateway->run_commands.empty());
  EXPECT_TRUE(world.gateway->previews.empty());
}

TEST(LostPart, of_the_record_itself_is_not_a_404_I13) {
  ResultWorld world;
  const std::string id = ended_result(world, 0);
  lose(world, store::TableId::result_heads, std::string(id_from_text(id)->key()));
  lose(world, store::TableId::scenarios, std::string(id_from_text(world.scenario)->key()));
  EXPECT_EQ(world.get("/test-results/" + id).status, 500);
  EXPECT_EQ(world.get("/test-results").status, 500);
  EXPECT_EQ(world.get("/scenarios/" + world.scenario).status, 500);
  EXPECT_EQ(world.get("/scenarios").status, 500);
  EXPECT_EQ(world.get("/scenarios/" + to_text(world.next_id())).status, 404);
}

}  // namespace
}  // namespace parley::http
