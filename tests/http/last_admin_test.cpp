// At least one working admin key always remains (D80), no matter how it would be removed, even when two admins remove
// each other concurrently.

#include "http/auth/last_admin.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

/// The time `ms` after the start of a new world.
std::string in(std::int64_t ms) {
  return to_text(Time{1'700'000'000'000 + ms});
}

/// An admin and one key.
struct Admin {
  std::string user;
  std::string key_path;
  std::string key;
};
Admin another_admin(ApiWorld& world, const Json& key = Json::object()) {
  Admin made;
  made.user = world.made("/users", {{"name", "second"}, {"role", "admin"}});
  Json body{{"user", made.user}};
  body.update(key);
  const Json shown = world.post("/api-keys", body).json();
  made.key_path = "/api-keys/" + shown["id"].get<std::string>();
  made.key = shown["key"];
  return made;
}
/// Precondition: no other key exists yet.
Admin first_admin(ApiWorld& world) {
  const Json key = world.get("/api-keys").json()["data"][0];
  return {key["user"]["id"], "/api-keys/" + key["id"].get<std::string>(), world.admin_key};
}

/// A way to remove an admin.
struct Way {
  std::string name;
  std::function<Reading(ApiWorld&, const Admin&)> shut;
};
const std::vector<Way> ways{
    {"disabled",
     [](ApiWorld& w, const Admin& a) {
       return w.patch("/users/" + a.user, {{"isDisabled", true}});
     }},
    {"archived",
     [](ApiWorld& w, const Admin& a) {
       return w.patch("/users/" + a.user, {{"isArchived", true}});
     }},
    {"made a member",
     [](ApiWorld& w, const Admin& a) {
       return w.patch("/users/" + a.user, {{"role", "member"}});
     }},
    {"revoked", [](ApiWorld& w, const Admin& a) { return w.call("DELETE", a.key_path); }},
};

bool is_let_in(ApiWorld& world, const Admin& admin) {
  world.key = admin.key;
  const int status = world.get("/users").status;
  world.key.reset();
  return status == 200;
}

/// An admin must not lock themselves out by mistake, even if other admins could undo it.
TEST(Admins, cannot_demote_disable_or_archive_themselves_D80) {
  ApiWorld world;
  const Admin self = first_admin(world);
  const Admin other = another_admin(world);
  for (const Json& change :
       std::vector<Json>{{{"role", "member"}}, {{"isDisabled", true}}, {{"isArchived", true}}}) {
    const Reading refused = world.patch("/users/" + self.user, change);
    EXPECT_EQ(refused.status, 400) << change;
    EXPECT_EQ(refused.faults(), (std::vector<std::string>{"/" + change.begin().key()}));
  }
  EXPECT_EQ(
      world.patch("/users/" + self.user, {{"role", "admin"}, {"name", "n"}, {"isDisabled", false}}).status,
      200);
  EXPECT_EQ(world.patch("/users/" + other.user, {{"role", "member"}}).status, 200);
}

/// Each row is a second key, and the status of revoking the first key while the second exists.
TEST(LastAdmin, keeps_the_last_working_admin_key_D80) {
  struct Row {
    std::string what;
    std::string role;
    Json key;
    Json user_change;
    int status;
  };
  constexpr std::int64_t day = 24 * 60 * 60 * 1'000;
  const std::vector<Row> rows{
      {"none", "", {}, {}, 409},
      {"for writing", "admin", {{"scopes", {"read", "write"}}}, {}, 409},
      {"of a member", "member", Json::object(), {}, 409},
      {"of a disabled admin", "admin", Json::object(), {{"isDisabled", true}}, 409},
      {"of an archived admin", "admin", Json::object(), {{"isArchived", true}}, 409},
      {"expired", "admin", {{"expiresAt", in(10'000)}}, {}, 409},
      {"that expires later", "admin", {{"expiresAt", in(day)}}, {}, 204},
      {"of another admin", "admin", {{"scopes", {"admin"}}}, {}, 204},
  };
  for (const Row& row : rows) {
    ApiWorld world;
    const Json first = world.get("/api-keys").json()["data"][0];
    if (!row.role.empty()) {
      const std::string user = world.made("/users", {{"name", "u"}, {"role", row.role}});
      Json body{{"user", user}};
      body.update(row.key);
      (void)world.made("/api-keys", body);
      if (!row.user_change.is_null()) {
        EXPECT_EQ(world.patch("/users/" + user, row.user_change).status, 200) << row.what;
      }
    }
    world.clock.advance(60'000);
    const std::string path = "/api-keys/" + first["id"].get<std::string>();
    const Reading revoked = world.call("DELETE", path);
    EXPECT_EQ(revoked.status, row.status) << row.what << revoked.text;
    if (row.status != 409) continue;
    EXPECT_EQ(revoked.slug(), "conflict");
    EXPECT_EQ(world.get(path).status, 200) << "the first key still works";
  }
}

TEST(LastAdmin, lets_other_keys_be_revoked) {
  ApiWorld world;
  const std::string path = "/api-keys/" + world.made("/api-keys", {{"scopes", {"write"}}});
  EXPECT_EQ(world.call("DELETE", path).status, 204);
  const std::string second = "/api-keys/" + world.made("/api-keys", {{"name", "another admin's"}});
  EXPECT_EQ(world.call("DELETE", second).status, 204) << "the first key stays";
}

TEST(LastAdmin, remains_when_two_admins_remove_each_other_concurrently_D80) {
  for (const Way& one : ways) {
    for (const Way& other : ways) {
      SCOPED_TRACE(one.name + " and " + other.name);
      ApiWorld world;
      const Admin first = first_admin(world);
      const Admin second = another_admin(world);
      Reading inner;
      world.gateway->between = [&] {
        world.key = second.key;
        inner = other.shut(world, first);
        world.key.reset();
      };
      const Reading outer = one.shut(world, second);
      EXPECT_LT(inner.status, 300) << inner.text;
      EXPECT_EQ(outer.status, 409) << outer.text;
      EXPECT_EQ(outer.slug(), "conflict");
      EXPECT_FALSE(is_let_in(world, first));
      EXPECT_TRUE(is_let_in(world, second));
    }
  }
}

TEST(LastAdmin, remains_when_the_only_other_admin_key_has_expired) {
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    ApiWorld world;
    const Admin first = first_admin(world);
    const Admin passing = another_admin(world, {{"expiresAt", in(60'000)}});
    world.clock.advance(60'000);
    EXPECT_EQ(world.call("DELETE", first.key_path).status, 409);
    EXPECT_LT(way.shut(world, passing).status, 300) << "the first key stays";
    EXPECT_TRUE(is_let_in(world, first));
  }
}

TEST(LastAdmin, does_not_restrict_users_without_a_working_admin_key_or_other_changes) {
  ApiWorld world;
  const Admin first = first_admin(world);
  const std::string keyless = world.made("/users", {{"name", "keyless"}, {"role", "admin"}});
  const std::string member = world.made("/users", {{"name", "member"}, {"role", "member"}});
  (void)world.made("/api-keys", {{"user", member}});
  for (const std::string& user : {keyless, member})
    EXPECT_EQ(world.patch("/users/" + user, {{"isDisabled", true}}).status, 200);
  EXPECT_EQ(world.patch("/users/" + first.user, {{"name", "renamed"}}).status, 200);
}

}  // namespace
}  // namespace parley::http
