#include "http/auth/auth.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Keys, have_the_form_of_D80) {
  const Keys keys(store::Key256{7});
  const NewKey key = keys.make();
  EXPECT_EQ(key.text.size(), 7u + 8 + 1 + 43);
  EXPECT_EQ(key.text.substr(0, 7), "parley_");
  EXPECT_EQ(key.prefix, key.text.substr(0, 15));
  EXPECT_EQ(key.hash, keys.hash_of(key.text));
  EXPECT_NE(key.hash, Keys(store::Key256{8}).hash_of(key.text)) << "the pepper counts";
  EXPECT_NE(keys.make().text, key.text);
}

TEST(Keys, of_any_other_form_are_found_by_a_hash) {
  const Keys keys(store::Key256{7});
  const std::string prefix = keys.prefix_of("an operator's own secret");
  EXPECT_EQ(prefix.size(), 15u);
  EXPECT_EQ(prefix.find("operator"), std::string::npos);
}

TEST(Auth, gives_the_same_401_for_every_path_without_a_key_I69) {
  ApiWorld world;
  world.key = "";
  const std::vector<std::pair<std::string, std::string>> requests{
      {"GET", "/runs"},    {"GET", "/nope"},     {"DELETE", "/runs"}, {"POST", "/test-results/x/finish"},
      {"GET", "/nothing"}, {"OPTIONS", "/runs"}, {"PATCH", "*"},      {"POST", "/healthz"},
      {"GET", "/metrics"}};
  for (const auto& [method, target] : requests) {
    const Reading reading = world.call(method, target, "{broken", {{"X-Request-Id", "r1"}});
    EXPECT_EQ(reading.status, 401) << target;
    EXPECT_EQ(reading.headers.at("WWW-Authenticate"), "Bearer");
    EXPECT_EQ(reading.text, world.get("/runs", {{"X-Request-Id", "r1"}}).text) << target;
  }
}

/// How the server treats a body that has not arrived yet, by caller and path.
TEST(Auth, keeps_a_body_only_for_a_known_key_I69) {
  ApiWorld world;
  const std::string known = "Bearer " + world.admin_key;
  const auto use = [&](std::string_view method, std::string_view path, std::string_view key) {
    Request head;
    head.method = method;
    head.target = head.path = path;
    if (!key.empty()) head.fields.push_back({"Authorization", key});
    return world.api->preauthorize(head);
  };
  EXPECT_EQ(use("POST", "/runs", known), BodyUse::keep);
  for (const char* path : {"/runs", "/nope", "/healthz"}) {
    EXPECT_EQ(use("POST", path, ""), BodyUse::refuse) << path;
    EXPECT_EQ(use("POST", path, "Bearer parley_nobody"), BodyUse::refuse) << path;
  }
  EXPECT_EQ(use("POST", "/nope", known), BodyUse::drop) << "no operation reads it";
  EXPECT_EQ(use("GET", "/healthz", ""), BodyUse::drop);
}

/// The body was discarded, so the request cannot be carried out even if the key has become valid meanwhile.
TEST(Auth, asks_to_repeat_a_request_whose_key_became_valid_meanwhile_I69) {
  ApiWorld world;
  const std::string known = "Bearer " + world.admin_key;
  Request refused;
  refused.method = "POST";
  refused.target = refused.path = "/folders";
  refused.fields = {{"Authorization", known}, {"X-Request-Id", "r1"}};
  refused.is_refused = true;
  const auto kept = std::make_shared<KeptAnswer>();
  world.api->handle(refused, Responder(kept, 1, 1));
  const Reading reading = ApiWorld::read(*kept);
  EXPECT_EQ(reading.status, 503);
  EXPECT_NE(reading.text.find("send the request again"), std::string::npos);
}

TEST(Auth, leaves_the_open_paths_open_D82) {
  ApiWorld world;
  world.key = "";
  for (const char* path : {"/healthz", "/readyz", "/version", "/openapi.json"}) {
    EXPECT_EQ(world.get(path).status, 200) << path;
  }
}

TEST(Auth, opens_metrics_if_the_operator_allows_it_D82) {
  ApiOptions options;
  options.metrics_public = true;
  ApiWorld world(options);
  world.key = "";
  EXPECT_EQ(world.get("/metrics").status, 200);
  EXPECT_EQ(world.get("/runs").status, 401);
}

TEST(Auth, reads_the_scheme_in_any_case_and_the_spaces_after_it) {
  ApiWorld world;
  const std::string good = world.admin_key;
  world.key = "";
  const std::vector<std::pair<std::string, int>> rows{{"Bearer " + good, 200},
                                                      {"bearer " + good, 200},
                                                      {"BEARER " + good, 200},
                                                      {"Bearer  " + good, 200},
                                                      {"Bearer    ", 401},
                                                      {"Bearer\t" + good, 401},
                                                      {"Basic " + good, 401},
                                                      {good, 401},
                                                      {"Bearer", 401},
                                                      {"Bearer " + good + "x", 401},
                                                      {"Bearer " + good + " x", 401},
                                                      {"Bearer " + good.substr(1), 401}};
  for (const auto& [value, status] : rows) {
    EXPECT_EQ(world.get("/runs", {{"Authorization", value}}).status, status) << value;
  }
}

TEST(Auth, ends_with_revocation_expiry_and_a_disabled_user) {
  ApiWorld world;
  const std::string user = world.made("/users", {{"name", "m"}, {"role", "member"}});
  const auto key_of = [&](const Json& extra) {
    Json body{{"name", "k"}, {"user", user}};
    body.update(extra);
    const Reading made = world.post("/api-keys", body);
    EXPECT_EQ(made.status, 201) << made.text;
    return made.json();
  };
  const Json revoked = key_of(Json::object());
  const Json expiring = key_of({{"expiresAt", "2023-11-14T22:13:30.000Z"}});
  const Json normal = key_of(Json::object());
  const auto status_with = [&](const Json& key) {
    world.key = key["key"].get<std::string>();
    const int status = world.get("/runs").status;
    world.key = std::nullopt;
    return status;
  };
  EXPECT_EQ(status_with(revoked), 200);
  EXPECT_EQ(world.call("DELETE", "/api-keys/" + revoked["id"].get<std::string>()).status, 204);
  EXPECT_EQ(status_with(revoked), 401);
  EXPECT_EQ(world.call("DELETE", "/api-keys/" + revoked["id"].get<std::string>()).status, 404) << "again";
  EXPECT_EQ(world.get("/api-keys/" + revoked["id"].get<std::string>()).status, 404);
  const Json past = world.get("/api-keys/?archived=true").json()["data"];
  EXPECT_EQ(
      std::count_if(past.begin(), past.end(), [&](const Json& row) { return row["id"] == revoked["id"]; }),
      1);
  EXPECT_EQ(status_with(expiring), 200);
  world.clock.advance(60'000);
  EXPECT_EQ(status_with(expiring), 401);
  EXPECT_EQ(status_with(normal), 200);
  EXPECT_EQ(world.patch("/users/" + user, {{"isDisabled", true}}).status, 200);
  EXPECT_EQ(status_with(normal), 401);
}

/// The rights of each key, by role and scopes: one row per key, statuses of GET, POST and an admin's list.
TEST(Auth, allows_what_both_role_and_scopes_allow_D80) {
  struct Row {
    std::string role;
    Json scopes;
    int get, post, users;
  };
  const std::vector<Row> rows{
      {"viewer", {"read"}, 200, 403, 403},          {"member", {"read"}, 200, 403, 403},
      {"member", {"read", "write"}, 200, 201, 403}, {"admin", {"read"}, 200, 403, 403},
      {"admin", {"write"}, 200, 201, 403},          {"admin", {"read", "write", "admin"}, 200, 201, 200}};
  ApiWorld world;
  for (const Row& row : rows) {
    world.key = std::nullopt;
    const std::string user = world.made("/users", {{"name", "u"}, {"role", row.role}});
    const Json key = world.post("/api-keys", {{"user", user}, {"scopes", row.scopes}}).json();
    world.key = key["key"].get<std::string>();
    const std::string what = row.role + row.scopes.dump();
    EXPECT_EQ(world.get("/scenarios").status, row.get) << what;
    EXPECT_EQ(world.post("/scenarios", {{"name", "s"}}).status, row.post) << what;
    EXPECT_EQ(world.get("/users").status, row.users) << what;
  }
}

TEST(Auth, reports_a_missing_right_before_a_missing_record_D3) {
  ApiWorld world;
  const std::string user = world.made("/users", {{"name", "v"}, {"role", "viewer"}});
  const Json key = world.post("/api-keys", {{"user", user}}).json();
  EXPECT_EQ(key["scopes"], Json({"read"}));
  world.key = key["key"].get<std::string>();
  EXPECT_EQ(world.patch("/runs/nope", Json::object()).status, 403);
}

TEST(ApiKeys, show_their_text_once_and_never_their_hash) {
  ApiWorld world;
  const Json made = world.post("/api-keys", {{"name", "ci"}}).json();
  EXPECT_EQ(made["prefix"], made["key"].get<std::string>().substr(0, 15));
  const std::string read = world.get("/api-keys/" + made["id"].get<std::string>()).text;
  EXPECT_EQ(read.find(made["key"].get<std::string>()), std::string::npos);
  EXPECT_EQ(read.find("hash"), std::string::npos);
}

TEST(ApiKeys, of_other_users_are_visible_to_admins_only) {
  ApiWorld world;
  const std::string user = world.made("/users", {{"name", "m"}, {"role", "member"}});
  const Json own = world.post("/api-keys", {{"user", user}, {"scopes", {"read", "write"}}}).json();
  const Json other = world.post("/api-keys", {{"name", "of the admin"}}).json();
  const std::string admin = other["user"]["id"];
  world.key = own["key"].get<std::string>();
  EXPECT_EQ(world.get("/api-keys").json()["total"], 1);
  EXPECT_EQ(world.get("/api-keys?user=" + admin).json()["total"], 0);
  EXPECT_EQ(world.get("/api-keys/" + other["id"].get<std::string>()).status, 404);
  EXPECT_EQ(world.call("DELETE", "/api-keys/" + other["id"].get<std::string>()).status, 404);
  EXPECT_EQ(world.post("/api-keys", {{"user", admin}}).status, 403);
  EXPECT_EQ(world.post("/api-keys", {{"user", admin}, {"name", 5}}).status, 403)
      << "the right comes before the body (D3)";
  EXPECT_EQ(world.post("/api-keys", {{"scopes", {"admin"}}, {"name", 5}}).faults(),
            (std::vector<std::string>{"/name", "/scopes"}));
  EXPECT_EQ(world.post("/api-keys", {{"scopes", {"admin"}}}).status, 400);
}

TEST(ApiKeys, cannot_make_a_key_that_may_do_more) {
  ApiWorld world;
  const Json weak = world.post("/api-keys", {{"scopes", {"write"}}}).json();
  world.key = weak["key"].get<std::string>();
  EXPECT_EQ(world.post("/api-keys", {{"scopes", {"admin"}}}).status, 403);
  EXPECT_EQ(world.post("/api-keys").json()["scopes"], Json({"read", "write"}));
}

TEST(ApiKeys, have_all_rights_only_without_given_scopes_D80) {
  ApiWorld world;
  const Reading none = world.post("/api-keys", {{"scopes", Json::array()}});
  EXPECT_EQ(none.status, 400);
  EXPECT_EQ(none.faults(), std::vector<std::string>{"/scopes"});
  const Json all{"read", "write", "admin"};
  EXPECT_EQ(world.post("/api-keys", {{"scopes", nullptr}}).json()["scopes"], all);
  EXPECT_EQ(world.post("/api-keys").json()["scopes"], all);
  EXPECT_EQ(world.post("/api-keys", {{"scopes", {"write", "read", "write"}}}).json()["scopes"],
            Json({"write", "read"}))
      << "duplicates are removed";
}

TEST(ApiKeys, are_revoked_under_the_tag_they_were_read_with_D12) {
  ApiWorld world;
  const std::string path = "/api-keys/" + world.made("/api-keys", {{"name", "k"}});
  EXPECT_EQ(world.call("DELETE", path, "", {{"If-Match", "\"other\""}}).status, 412);
  const std::string tag = world.get(path).headers.at("ETag");
  EXPECT_EQ(world.call("DELETE", path, "", {{"If-Match", tag}}).status, 204);
}

TEST(Bootstrap, creates_another_admin_on_request) {
  ApiWorld world;
  const Bootstrap again{"/nowhere", "another-key-for-tests-only", world.clock.now(), true};
  const auto commit = [&](const store::ChangeSet& changes) { return world.commit(changes); };
  const auto made = bootstrap(world.store(), world.keys, again, world.ids, commit);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(world.get("/users").json()["total"], 2);
  world.key = made.value().value_or("");
  EXPECT_EQ(world.get("/users").json()["total"], 2) << "it is an admin's key";
  EXPECT_FALSE(bootstrap(world.store(), world.keys, again, world.ids, commit).ok()) << "that key is in use";
}

TEST(Bootstrap, makes_one_admin_once_D81) {
  ApiWorld world;
  EXPECT_EQ(world.admin_key, "bootstrap-key-for-tests-only");
  EXPECT_EQ(world.get("/users").json()["total"], 1);
  const auto again = bootstrap(world.store(), world.keys, {"/nowhere", std::nullopt, world.clock.now()},
                               world.ids, [](const store::ChangeSet&) -> Expected<Done> {
                                 ADD_FAILURE() << "must not commit";
                                 return Done{};
                               });
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again.value().has_value());
}

}  // namespace
}  // namespace parley::http
