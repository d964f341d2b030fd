// Idempotency-Key over HTTP (D9): valid keys, repeats, different bodies, requests in flight.

#include "http/exchange/idempotency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "http/routes.hpp"
#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

Headers with_key(const std::string& key) {
  return {{"Idempotency-Key", key}};
}

TEST(Idempotency, every_post_can_be_repeated_D9) {
  for (const Route& route : routes()) {
    // These operations change nothing, or a repeat has the same effect, or they return codes and sessions, which are
    // secrets that no record stores.
    constexpr std::array<std::string_view, 12> without{"checkAgent",
                                                       "checkNewAgent",
                                                       "scoreExternalConversationLog",
                                                       "createExternalConversationLogs",
                                                       "applyTag",
                                                       "createSignInCode",
                                                       "signIn",
                                                       "grepRun",
                                                       "validate",
                                                       "switchOver",
                                                       "testWebhook",
                                                       "exportTraces"};
    if (std::find(without.begin(), without.end(), route.operation) != without.end()) continue;
    EXPECT_EQ(std::holds_alternative<AnswerOnce>(route.handle), route.method == "POST") << route.operation;
  }
}

TEST(Idempotency, a_key_is_visible_ascii_of_1_to_255_characters_D9) {
  ApiWorld world;
  struct KeyText {
    std::string key;
    int status;
  };
  for (const KeyText& row : std::vector<KeyText>{{"k", 201},
                                                 {"!~\"{}=", 201},
                                                 {std::string(255, 'k'), 201},
                                                 {"", 400},
                                                 {std::string(256, 'k'), 400},
                                                 {"two words", 400},
                                                 {"caf\xc3\xa9", 400},
                                                 {std::string("a\x7f"), 400}}) {
    const Reading reading = world.post("/folders", {{"name", "f"}}, with_key(row.key));
    EXPECT_EQ(reading.status, row.status) << row.key;
    if (row.status != 400) continue;
    EXPECT_EQ(reading.faults(), std::vector<std::string>{"Idempotency-Key"});
  }
  const Headers twice{{"Idempotency-Key", "a"}, {"idempotency-key", "b"}};
  EXPECT_EQ(world.post("/folders", {{"name", "f"}}, twice).status, 400);
  EXPECT_EQ(world.get("/folders", with_key("")).status, 200) << "the key is ignored for other methods";
}

TEST(Idempotency, a_repeat_answers_the_record_as_it_is_now_D9) {
  ApiWorld world;
  const Reading first = world.post("/folders", {{"name", "old"}}, with_key("k"));
  const std::string id = first.json()["id"];
  EXPECT_EQ(first.headers.count("Idempotency-Replayed"), 0u);
  world.patch("/folders/" + id, {{"name", "new"}});
  const Reading again = world.post("/folders/", {{"name", "old"}}, with_key("k"));
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.headers.at("Idempotency-Replayed"), "true");
  EXPECT_EQ(again.headers.at("Location"), "/folders/" + id);
  EXPECT_EQ(again.json(), world.get("/folders/" + id).json());
  EXPECT_EQ(again.json()["name"], "new");
  EXPECT_EQ(world.get("/folders").json()["total"], 1);
}

TEST(Idempotency, another_body_is_422_and_another_path_or_user_another_request_D9) {
  ApiWorld world;
  EXPECT_EQ(world.post("/folders", {{"name", "a"}}, with_key("k")).status, 201);
  const Reading other = world.post("/folders", {{"name", "b"}}, with_key("k"));
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(other.slug(), "idempotency-key-reused");
  EXPECT_EQ(world.post("/tags", {{"name", "a"}}, with_key("k")).status, 201);
  const std::string user = world.made("/users", {{"name", "u"}, {"role", "member"}});
  world.key = world.post("/api-keys", {{"name", "n"}, {"user", user}}).json()["key"];
  EXPECT_EQ(world.post("/folders", {{"name", "b"}}, with_key("k")).status, 201);
  EXPECT_EQ(world.get("/folders").json()["total"], 2);
}

TEST(Idempotency, recognizes_a_request_in_any_spelling_of_path_and_empty_body_D5_D9) {
  ApiWorld world;
  const Reading first = world.call("POST", "/%74ags/", "", with_key("k"));
  ASSERT_EQ(first.status, 201);
  const std::string id = first.json()["id"];
  EXPECT_EQ(first.headers.at("Location"), "/tags/" + id);
  for (const std::string path : {"/tags", "/tags/", "/ta%67s"}) {
    const Reading again = world.call("POST", path, "{}", with_key("k"));
    EXPECT_EQ(again.status, 201) << path;
    EXPECT_EQ(again.headers.count("Idempotency-Replayed"), 1U) << path;
    EXPECT_EQ(again.headers.at("Location"), "/tags/" + id) << path;
  }
  EXPECT_EQ(world.get("/tags").json()["total"], 1);
}

TEST(Idempotency, a_refused_request_is_not_recorded_D9) {
  ApiWorld world;
  const std::string path = "/external-conversation-logs";
  const Json log{{"externalId", "1"}, {"conversation", Json::array()}};
  EXPECT_EQ(world.post(path, Json::object(), with_key("k")).status, 400);
  EXPECT_EQ(world.post(path, log, with_key("k")).status, 201);
  EXPECT_EQ(world.post(path, log, with_key("l")).status, 409);
  EXPECT_EQ(world.post(path, log, with_key("l")).status, 409) << "decided again";
}

TEST(Idempotency, the_text_of_an_api_key_is_shown_once_D9_D80) {
  ApiWorld world;
  const Reading first = world.post("/api-keys", {{"name", "n"}}, with_key("k"));
  EXPECT_TRUE(first.json().contains("key"));
  const Reading again = world.post("/api-keys", {{"name", "n"}}, with_key("k"));
  EXPECT_EQ(again.status, 201);
  EXPECT_FALSE(again.json().contains("key"));
  EXPECT_EQ(again.json()["id"], first.json()["id"]);
  EXPECT_EQ(again.headers.at("Location"), first.headers.at("Location"));
  const std::string id = first.json()["id"];
  EXPECT_EQ(world.call("DELETE", "/api-keys/" + id).status, 204);
  EXPECT_EQ(world.post("/api-keys", {{"name", "n"}}, with_key("k")).status, 404) << "it is revoked";
}

TEST(Idempotency, is_recorded_for_24_hours_D9) {
  ApiWorld world;
  world.post("/folders", {{"name", "a"}}, with_key("k"));
  world.clock.advance(24 * 3'600'000 - 1);
  EXPECT_EQ(world.post("/folders", {{"name", "a"}}, with_key("k")).headers.count("Idempotency-Replayed"), 1u);
  world.clock.advance(1);
  EXPECT_EQ(world.post("/folders", {{"name", "a"}}, with_key("k")).headers.count("Idempotency-Replayed"), 0u);
  EXPECT_EQ(world.get("/folders").json()["total"], 2);
}

/// The path of a command that stays in flight.
std::string held_command(ResultWorld& world) {
  world.gateway->holds = true;
  world.gateway->run_reply.run = world.stored<parley::Run>(world.run);
  return "/runs/" + world.run + "/cancel";
}

TEST(Idempotency, a_repeat_of_an_unanswered_request_is_409_D9) {
  ResultWorld world;
  const std::string path = held_command(world);
  const auto first = world.begin("POST", path, "", with_key("k"));
  const Reading early = world.call("POST", path, "", with_key("k"));
  EXPECT_EQ(early.status, 409);
  EXPECT_EQ(early.slug(), "idempotency-key-in-progress");
  EXPECT_EQ(early.headers.at("Retry-After"), "1");
  EXPECT_EQ(first->answers, 0);
  ASSERT_EQ(world.gateway->held.size(), 1u) << "the repeat reached no actor";
  world.gateway->held.front()();
  EXPECT_EQ(world.read(*first).status, 200);
  world.gateway->holds = false;
  EXPECT_EQ(world.call("POST", path, "", with_key("k")).status, 200) << "the key is released";
}

TEST(Idempotency, a_recorded_request_is_answered_even_while_another_repeat_holds_the_key_D9) {
  ResultWorld world;
  const std::string path = held_command(world);
  const auto first = world.begin("POST", path, "", with_key("k"));
  ASSERT_EQ(world.gateway->keeps.size(), 1u);
  store::ChangeSet effect;
  store::remember(effect, *world.gateway->keeps.front(), std::vector{*id_from_text(world.run)});
  ASSERT_TRUE(world.commit(effect).ok());
  const Reading again = world.call("POST", path, "", with_key("k"));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.headers.at("Idempotency-Replayed"), "true");
  EXPECT_EQ(world.call("POST", path, "{}", with_key("k")).status, 200) << "an empty body is {}";
  EXPECT_EQ(first->answers, 0) << "it is still in flight";
}

TEST(Idempotency, a_lost_request_releases_its_key_D9) {
  ResultWorld world;
  world.gateway->holds = true;
  const std::string path = "/runs/" + world.run + "/cancel";
  world.begin("POST", path, "", with_key("k"));
  world.gateway->held.clear();
  world.begin("POST", path, "", with_key("k"));
  EXPECT_EQ(world.gateway->held.size(), 1u);
}

TEST(Idempotency, a_command_carries_no_body_along_D9) {
  ResultWorld world;
  const std::string id = world.result({});
  world.gateway->result_reply.entry = world.message(Role::chatbot, "{}");
  world.post("/test-results/" + id + "/conversation", {{"content", "a secret"}}, with_key("k"));
  ASSERT_TRUE(world.gateway->keeps.back());
  const store::NewIdempotencyRecord& keep = *world.gateway->keeps.back();
  EXPECT_EQ(keep.status, 201);
  EXPECT_EQ(keep.body.size(), 64u);
  EXPECT_EQ((keep.key + keep.body).find("secret"), std::string::npos);
  world.call("POST", "/test-results/" + id + "/finish");
  EXPECT_FALSE(world.gateway->keeps.back()) << "without a key nothing is recorded";
}

std::string completed_in_the_run(ResultWorld& world) {
  ResultSpec spec;
  spec.head.status = ResultStatus::completed;
  spec.head.end_reason = EndReason::tester_ended;
  spec.head.run = Ref<RecordKind::run>{*id_from_text(world.run)};
  spec.verdict.emplace();
  return world.result(std::move(spec));
}

/// The ids of the assertions that the last command saves.
std::vector<std::string> saved_ids(const ResultWorld& world) {
  std::vector<std::string> ids;
  const auto& saved = std::get<actors::Rescore>(world.gateway->result_commands.back());
  for (const Json& row : Json::parse(saved.assertion_results.text)) ids.push_back(row["id"]);
  return ids;
}

/// The key is recorded only after the whole page, and these requests end earlier.
TEST(Idempotency, of_an_interrupted_page_rescore_gives_new_assertions_the_same_ids_I4) {
  ResultWorld world;
  completed_in_the_run(world);
  world.gateway->drops_changes = true;
  const auto ids_of = [&](const std::string& key, const std::string& value) {
    const Json assertion{{"type", "contains"}, {"config", {{"value", value}}}};
    const Json body{{"preview", false}, {"assertions", {assertion, assertion}}};
    const Headers headers = key.empty() ? Headers{} : Headers{{"Idempotency-Key", key}};
    world.begin("POST", "/runs/" + world.run + "/rescore", body.dump(), headers);
    return saved_ids(world);
  };
  const auto first = ids_of("k", "x");
  ASSERT_EQ(first.size(), 2U);
  EXPECT_NE(first[0], first[1]);
  EXPECT_TRUE(id_from_text(first[0]).has_value());
  EXPECT_EQ(ids_of("k", "x"), first);
  EXPECT_NE(ids_of("l", "x"), first) << "another key is another request";
  EXPECT_NE(ids_of("k", "y"), first) << "so is another body";
  EXPECT_NE(ids_of("", "x"), ids_of("", "x"));
}

TEST(RequestsInFlight, are_held_once_and_released_once) {
  RequestsInFlight keys;
  auto first = keys.take("k");
  ASSERT_TRUE(first);
  EXPECT_FALSE(keys.take("k"));
  first->release();
  auto second = keys.take("k");
  ASSERT_TRUE(second);
  first->release();
  first.reset();
  EXPECT_FALSE(keys.take("k")) << "the second holder still holds it";
}

}  // namespace
}  // namespace parley::http
