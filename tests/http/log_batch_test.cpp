// POST /external-conversation-logs/batch (D107): one outcome per line, independent of the other lines; and logs that
// are scored, saved, filtered and tagged on request.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

constexpr const char* logs = "/external-conversation-logs/";
constexpr const char* batch = "/external-conversation-logs/batch";

std::string line_of(const std::string& external_id, const std::string& content = "Where is my order?") {
  return Json{{"externalId", external_id}, {"conversation", {{{"role", "user"}, {"content", content}}}}}
             .dump() +
         "\n";
}

Reading upload(ApiWorld& world, const std::string& lines, const std::string& type = "application/jsonl") {
  return world.call("POST", batch, lines, {{"Content-Type", type}});
}

TEST(LogBatch, has_an_outcome_for_each_line) {
  ApiWorld world;
  ASSERT_EQ(world.call("POST", logs, line_of("known")).status, 201);
  const std::string known = world.get(logs).json()["data"][0]["id"];
  const Reading made = upload(world, "\xEF\xBB\xBF" + line_of("a") + "\n  \r\n" + "{\"externalId\": 1}\r\n" +
                                         "{nope\n" + "[]\n" + line_of("known") + line_of("a") + line_of("b"));
  ASSERT_EQ(made.status, 200) << made.text;
  const Json answer = made.json();
  EXPECT_EQ(answer["created"], 2);
  EXPECT_EQ(answer["failed"], 5);
  std::vector<std::pair<int, int>> outcomes;
  for (const Json& each : answer["outcomes"]) outcomes.emplace_back(each["line"], each["status"]);
  EXPECT_EQ(outcomes, (std::vector<std::pair<int, int>>{
                          {1, 201}, {4, 400}, {5, 400}, {6, 400}, {7, 409}, {8, 409}, {9, 201}}));
  EXPECT_EQ(answer["outcomes"][1]["problem"]["errors"][0]["pointer"], "/externalId");
  EXPECT_EQ(answer["outcomes"][4]["id"], known);
  EXPECT_EQ(answer["outcomes"][5]["id"], answer["outcomes"][0]["id"]);
  EXPECT_EQ(world.get(logs).json()["total"], 3);
  const std::string id = answer["outcomes"][6]["id"];
  const Json log = world.get(logs + id).json();
  EXPECT_EQ(log["externalId"], "b");
  EXPECT_EQ(log["conversation"][0]["content"], "Where is my order?");
  EXPECT_TRUE(log["timestamp"].is_string());
}

TEST(LogBatch, refuses_bodies_that_are_not_a_batch) {
  ApiWorld world;
  EXPECT_EQ(upload(world, line_of("a"), "text/plain").status, 415);
  EXPECT_EQ(upload(world, "\n\n").status, 400);
  EXPECT_EQ(upload(world, "").status, 400);
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += "{}\n";
  EXPECT_EQ(upload(world, many).status, 413);
  EXPECT_EQ(upload(world, many.substr(3)).json()["failed"], 10'000);
  EXPECT_EQ(world.get(logs).json()["total"], 0);
}

TEST(LogBatch, spans_change_sets_and_leaves_the_views_right) {
  ApiWorld world;
  std::string many;
  for (int i = 0; i < 2'500; ++i) many += line_of("log " + std::to_string(i));
  EXPECT_EQ(upload(world, many, "application/x-ndjson").json()["created"], 2'500);
  EXPECT_EQ(upload(world, many).json()["failed"], 2'500);
  EXPECT_EQ(world.get(logs).json()["total"], 2'500);
  EXPECT_EQ(world.get(std::string(logs) + "?externalId=log+2499").json()["total"], 1);
}

TEST(LogBatch, decides_again_when_another_request_comes_between) {
  ApiWorld world;
  world.gateway->between = [&] { ASSERT_EQ(world.call("POST", logs, line_of("a")).status, 201); };
  const Json answer = upload(world, line_of("a") + line_of("b")).json();
  EXPECT_EQ(answer["outcomes"][0]["status"], 409);
  EXPECT_EQ(answer["outcomes"][1]["status"], 201);
}

TEST(LogBatch, assigns_smart_tags) {
  ApiWorld world;
  const Json rule{{"conditions", {{{"field", "content"}, {"op", "contains"}, {"value", "refund"}}}}};
  const std::string tag =
      world.post("/tags/", {{"name", "money"}, {"isSmart", true}, {"rule", rule}}).json()["id"];
  upload(world, line_of("a", "I want a refund") + line_of("b", "hello"));
  const Json found = world.get(std::string(logs) + "?tag=" + tag).json();
  ASSERT_EQ(found["total"], 1);
  EXPECT_EQ(found["data"][0]["externalId"], "a");
}

TEST(SmartTags, are_put_on_stored_logs_on_request) {
  ApiWorld world;
  std::string many;
  for (int i = 0; i < 600; ++i) many += line_of(std::to_string(i), i % 3 == 0 ? "a refund" : "hello");
  upload(world, many);
  const Json rule{{"conditions", {{{"field", "content"}, {"op", "contains"}, {"value", "refund"}}}}};
  const std::string tag =
      world.post("/tags/", {{"name", "money"}, {"isSmart", true}, {"rule", rule}}).json()["id"];
  EXPECT_EQ(world.get(std::string(logs) + "?tag=" + tag).json()["total"], 0);
  const Reading applied = world.call("POST", "/tags/" + tag + "/apply", "");
  EXPECT_EQ(applied.json(), (Json{{"checked", 600}, {"tagged", 200}})) << applied.text;
  EXPECT_EQ(world.get(std::string(logs) + "?tag=" + tag).json()["total"], 200);
  EXPECT_EQ(world.call("POST", "/tags/" + tag + "/apply", "").json()["tagged"], 0);
  const std::string plain = world.post("/tags/", {{"name", "plain"}}).json()["id"];
  EXPECT_EQ(world.call("POST", "/tags/" + plain + "/apply", "").status, 409);
}

struct Scored {
  ApiWorld world;
  std::string id;

  Scored() {
    upload(world, line_of("a"));
    id = world.get(logs).json()["data"][0]["id"];
  }
  Reading score(Json body) { return world.post(logs + id + "/score", body); }
  [[nodiscard]] Json log() { return world.get(logs + id).json(); }
  int listed(const std::string& query) { return world.get(std::string(logs) + query).json()["total"]; }
};

const Json fails{{"type", "min-turns"}, {"severity", "BLOCKER"}, {"config", {{"value", 5}}}};
const Json judged{{"criteria", "is polite"}, {"severity", "BLOCKER"}};

TEST(LogScore, stores_the_verdict_on_request_and_lists_filter_by_it) {
  Scored scored;
  EXPECT_TRUE(scored.log()["score"].is_null());
  EXPECT_EQ(scored.score({{"assertions", {fails}}}).status, 200);
  EXPECT_TRUE(scored.log()["score"].is_null()) << "nothing is stored unless it is asked for";
  const Reading made = scored.score({{"assertions", {fails}}, {"save", true}});
  ASSERT_EQ(made.status, 200) << made.text;
  const Json log = scored.log();
  EXPECT_EQ(log["score"], made.json()["score"]);
  EXPECT_EQ(log["overallPassed"], false);
  EXPECT_EQ(log["decided"], true);
  EXPECT_EQ(log["assertionResults"], made.json()["assertionResults"]);
  EXPECT_EQ(scored.listed("?overallPassed=false"), 1);
  EXPECT_EQ(scored.listed("?overallPassed=true"), 0);
  EXPECT_EQ(scored.listed("?maxScore=0"), 1);
  EXPECT_EQ(scored.listed("?minScore=1"), 0);
  EXPECT_EQ(scored.world.get(std::string(logs) + "?minScore=x").status, 400);
  // A different conversation gets a different verdict.
  ASSERT_EQ(scored.world.patch(logs + scored.id, {{"description", "d"}}).status, 200);
  EXPECT_EQ(scored.log()["overallPassed"], false);
  ASSERT_EQ(scored.world.patch(logs + scored.id, {{"conversation", Json::array()}}).status, 200);
  EXPECT_TRUE(scored.log()["overallPassed"].is_null());
}

TEST(LogScore, refuses_to_store_the_verdict_of_another_conversation) {
  Scored scored;
  scored.world.gateway->between = [&] {
    ASSERT_EQ(scored.world.patch(logs + scored.id, {{"conversation", Json::array()}}).status, 200);
  };
  EXPECT_EQ(scored.score({{"assertions", {fails}}, {"save", true}}).status, 409);
  EXPECT_TRUE(scored.log()["score"].is_null());
}

TEST(LogScore, asks_the_judge_only_if_requested_and_configured) {
  Scored scored;
  EXPECT_EQ(scored.score({{"assertions", {judged}}}).json()["assertionResults"][0]["reason"],
            "The judge was not asked: send judge: true.");
  EXPECT_EQ(scored.score({{"assertions", {judged}}, {"judge", true}}).json()["assertionResults"][0]["status"],
            "skipped")
      << "no judge is configured";
  EXPECT_TRUE(scored.world.gateway->judged_logs.empty());
}

}  // namespace
}  // namespace parley::http
