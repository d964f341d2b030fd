// A fault says what to do (D3): the keywords and fields that a list accepts, and how to archive records without DELETE.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Lists, name_the_fields_by_which_they_can_be_sorted_and_can_be_sorted_by_each_D3_D6) {
  const std::string begin = "must be one of id, createdAt, updatedAt, ";
  ApiWorld world;
  for (const std::string path : {"/scenarios", "/runs", "/test-results", "/api-keys", "/users", "/agents"}) {
    const std::string told = world.get(path + "?sortBy=nonsense").json()["errors"][0]["detail"];
    EXPECT_EQ(told.substr(0, begin.size()), begin) << path;
    std::istringstream names(told.substr(std::string("must be one of ").size()));
    for (std::string name; std::getline(names >> std::ws, name, ',');)
      EXPECT_EQ(world.get(path + "?sortBy=" + name).status, 200) << path << " " << name;
  }
}

TEST(Lists, name_the_keywords_of_a_filter_D3) {
  ApiWorld world;
  EXPECT_EQ(world.get("/test-results?status=done").json()["detail"],
            "status must be one of pending, running, completed, failed, canceled");
  EXPECT_EQ(world.get("/runs?status=done").json()["detail"],
            "status must be one of new, pending, running, completed, failed, canceled");
}

TEST(Bodies, that_are_not_JSON_get_the_position_and_the_text_there_D5) {
  ApiWorld world;
  const std::string rest = R"(,"description":")" + std::string(5'000, 'x') + "\"}";
  const Reading twice = world.call("POST", "/scenarios", R"({"name":"a","name":"b")" + rest);
  EXPECT_EQ(twice.slug(), "invalid-json");
  EXPECT_EQ(twice.json()["detail"], "not valid JSON at byte 12: duplicate key 'name'");
  const Reading raw = world.call("POST", "/scenarios", "{\"name\":\"line\nbreak\"}");
  EXPECT_EQ(raw.json()["detail"], "not valid JSON at byte 13: a control character in a string: write \\n");
}

TEST(Records, that_cannot_be_deleted_are_to_be_archived_D3) {
  ApiWorld world;
  const std::string scenario = "/scenarios/" + world.made("/scenarios", {{"name", "s"}});
  for (const std::string& path : {scenario, scenario + "/", std::string("/tests/x")}) {
    const Reading refused = world.call("DELETE", path);
    EXPECT_EQ(refused.status, 405) << path;
    EXPECT_NE(refused.text.find(R"(PATCH it with {\"isArchived\": true})"), std::string::npos)
        << refused.text;
  }
  EXPECT_EQ(world.patch(scenario, {{"isArchived", true}}).status, 200);
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
           {"PUT", scenario}, {"DELETE", "/scenarios"}, {"DELETE", "/test-results/x/conversation/y"}})
    EXPECT_EQ(world.call(method, path).text.find("isArchived"), std::string::npos) << method << " " << path;
}

}  // namespace
}  // namespace parley::http
