// Bodies whose patterns are expensive to validate are checked on a thread that no other client waits for (F31, I65).

#include <gtest/gtest.h>

#include "http/exchange/pattern_weight.hpp"
#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

Json pattern(const std::string& text) {
  return {{"type", "regex"}, {"config", {{"pattern", text}}}};
}
Json patterns(int count, const std::string& text) {
  Json all = Json::array();
  for (int i = 0; i < count; ++i) all.push_back(pattern(text));
  return all;
}
bool is_costly(const std::string& body, const std::string& coding = "") {
  RequestContext call;
  call.body = body;
  call.content_encoding = coding;
  return may_hold_costly_patterns(call);
}

TEST(CostlyPatterns, are_seen_in_the_text_of_the_body_F31) {
  const std::vector<std::string> costly{
      R"({"a":"\\p{L}\\p{N}\\P{Z}"})",
      R"({"a":"x{10}y{20}z{30,}"})",
      R"({"a":"\u005cp{L}","b":"\u005Cp{L}\u005cP{L}"})",
      R"({"a":"x\u007b10}y\u007B20}z{3}"})",
      R"({"a":"\\\u0070{L}"})",
      R"({"type":"regex","config":{"pattern":")" + std::string(9'000, '.') + R"("}})",
      R"({"type":"r\u0065gex","config":{"pattern":")" + std::string(9'000, '.') + R"("}})",
      R"({"instruction":"if /)" + std::string(9'000, '.') + R"(/ say: x"})",
  };
  for (const std::string& body : costly) EXPECT_TRUE(is_costly(body)) << body;
  const std::vector<std::string> light{
      "",
      R"({"a":"u{\"})",
      R"({"a":{"b":{"c":[{"d":1},{"e":2}]}}})",
      R"({"a":"\\p{L}\\d{4}"})",
      R"({"type":"regex","config":{"pattern":"[a-z]+"}})",
      R"({"name":"\u00f6\u4e2d\u6587\ud83d\ude00 \"quoted\"\r\n\t https:\/\/example.com\/"})",
      R"({"a":"{"})",
      R"({"a":"\\)",
  };
  for (const std::string& body : light) EXPECT_FALSE(is_costly(body)) << body;
  EXPECT_TRUE(is_costly("", "gzip")) << "a compressed body cannot be read yet";
}

TEST(CostlyPatterns, with_escaped_keywords_wait_in_turn_I65) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const auto body_with = [&](const std::string& rest) {
    return R"({"scenario":")" + scenario + "\"," + rest + "}";
  };
  const std::string dots(1'900, '.');
  std::string rules;
  for (int i = 0; i < 5; ++i) {
    rules += rules.empty() ? "" : ",";
    rules += R"({"type":"r\u0065gex","config":{"p\u0061ttern":")" + dots + std::to_string(i) + R"("}})";
  }
  EXPECT_EQ(world.call("POST", "/tests", body_with(R"("assertions":[)" + rules + "]")).status, 201);
  EXPECT_EQ(world.gateway->turns.size(), 1U);
}

TEST(CostlyPatterns, are_checked_on_a_thread_for_that_I65) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const Json costly = patterns(20, R"(\p{L}{10})");
  const std::string test = world.made("/tests", {{"scenario", scenario}, {"assertions", costly}});
  EXPECT_EQ(world.gateway->turns.size(), 1U);
  EXPECT_EQ(
      world.call("PATCH", "/tests/" + test, Json{{"assertions", patterns(9, R"(\p{N}{10})")}}.dump()).status,
      200);
  EXPECT_EQ(world.gateway->turns.size(), 2U);
  const Json rule{{"field", "message"}, {"operator", "matches"}, {"value", R"(\p{L}{4}\p{N}{4})"}};
  static_cast<void>(
      world.call("POST", "/tags", Json{{"name", "t"}, {"isSmart", true}, {"rule", rule}}.dump()));
  EXPECT_EQ(world.gateway->turns.size(), 3U);
  EXPECT_EQ(
      world.call("PATCH", "/tests/" + test, Json{{"assertions", patterns(20, R"(\p{L)")}}.dump()).status,
      400);
  EXPECT_EQ(world.gateway->turns.size(), 4U);
  EXPECT_EQ(world.call("PATCH", "/tests/" + test, Json{{"name", "plain"}}.dump()).status, 200);
  EXPECT_EQ(world.gateway->turns.size(), 4U);
}

TEST(CostlyPatterns, are_never_checked_on_the_thread_of_a_connection_I65_I66) {
  for (const ProblemKind kind : {ProblemKind::busy, ProblemKind::draining}) {
    ApiWorld world;
    const std::string scenario = world.made("/scenarios", {{"name", "s"}});
    world.gateway->background_problem = problem(kind, "later");
    const Reading told =
        world.post("/tests", {{"scenario", scenario}, {"assertions", patterns(20, R"(\p{L}{10})")}});
    EXPECT_EQ(told.status, 503);
    EXPECT_EQ(told.slug(), std::string(row_of(kind).slug));
    EXPECT_EQ(told.headers.count("Retry-After"), 1U);
  }
}

TEST(CostlyPatterns, wait_in_turn_by_user_across_keys_I65) {
  ApiWorld world;
  const Json body{{"scenario", world.made("/scenarios", {{"name", "s"}})},
                  {"assertions", patterns(20, R"(\p{L}{10})")}};
  const std::string user = world.made("/users", {{"name", "u"}, {"role", "member"}});
  const Json key =
      world.post("/api-keys", {{"name", "k"}, {"user", user}, {"scopes", {"read", "write"}}}).json();
  static_cast<void>(world.made("/tests", body));
  world.key = key["key"];
  static_cast<void>(world.made("/tests", body));
  world.key = world.post("/api-keys", {{"name", "another"}}).json()["key"];
  static_cast<void>(world.made("/tests", body));
  const auto& turns = world.gateway->turns;
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_NE(to_text(turns[0].first), user);
  EXPECT_EQ(to_text(turns[1].first), user);
  EXPECT_EQ(to_text(turns[2].first), user);
  EXPECT_EQ(turns[1].second, body.dump().size());
}

/// Sends a request with a member's key, lets an admin act while its body waits for validation, and returns the status
/// that the member receives.
int status_after(
    const std::function<void(ApiWorld&, const std::string& user, const std::string& key)>& change) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const std::string user = world.made("/users", {{"name", "u"}, {"role", "member"}});
  const Json key =
      world.post("/api-keys", {{"name", "k"}, {"user", user}, {"scopes", {"read", "write"}}}).json();
  world.key = key["key"];
  world.gateway->meanwhile = [&] {
    world.key.reset();
    change(world, user, key["id"]);
  };
  const Reading told =
      world.post("/tests", {{"scenario", scenario}, {"assertions", patterns(20, R"(\p{L}{10})")}});
  EXPECT_EQ(world.gateway->turns.size(), 1U);
  world.key.reset();
  const Json page = world.get("/tests?scenario=" + scenario).json();
  EXPECT_EQ(page["data"].empty(), told.status != 201) << page.dump();
  return told.status;
}

TEST(CostlyPatterns, of_a_key_that_is_revoked_while_they_wait_are_refused_D80_I69) {
  EXPECT_EQ(status_after([](ApiWorld&, const std::string&, const std::string&) {}), 201);
  EXPECT_EQ(status_after([](ApiWorld& world, const std::string&, const std::string& key) {
              EXPECT_EQ(world.call("DELETE", "/api-keys/" + key).status, 204);
            }),
            401);
  EXPECT_EQ(status_after([](ApiWorld& world, const std::string& user, const std::string&) {
              EXPECT_EQ(world.patch("/users/" + user, {{"isDisabled", true}}).status, 200);
            }),
            401);
  EXPECT_EQ(status_after([](ApiWorld& world, const std::string& user, const std::string&) {
              EXPECT_EQ(world.patch("/users/" + user, {{"role", "viewer"}}).status, 200);
            }),
            403);
}

TEST(CostlyPatterns, keep_their_idempotency_key_D9) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const std::string body = Json{{"scenario", scenario}, {"assertions", patterns(20, R"(\p{L}{10})")}}.dump();
  const Reading first = world.call("POST", "/tests", body, {{"Idempotency-Key", "k"}});
  const Reading again = world.call("POST", "/tests", body, {{"Idempotency-Key", "k"}});
  EXPECT_EQ(first.status, 201) << first.text;
  EXPECT_EQ(again.headers.at("Idempotency-Replayed"), "true");
  EXPECT_EQ(again.json()["id"], first.json()["id"]);
}

}  // namespace
}  // namespace parley::http
