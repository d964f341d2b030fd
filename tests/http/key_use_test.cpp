#include "http/auth/key_use.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

Json key_shown(ApiWorld& world) {
  return world.get("/api-keys").json().at("data").at(0);
}

TEST(KeyUse, is_noted_at_the_first_request_and_once_a_minute_after_it_D80) {
  ApiWorld world;
  const std::string first = key_shown(world).at("lastUsedAt");
  const std::string changed = key_shown(world).at("updatedAt");
  EXPECT_EQ(first, to_text(world.clock.now()));
  world.clock.advance(59'000);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), first);
  EXPECT_EQ(key_shown(world).at("updatedAt"), changed) << "no write for each request";
  world.clock.advance(1'000);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), to_text(world.clock.now()));
}

TEST(KeyUse, is_noted_where_the_head_alone_was_looked_at_D80) {
  ApiWorld world;
  const std::string first = key_shown(world).at("lastUsedAt");
  world.clock.advance(60'000);
  const std::string bearer = "Bearer " + world.admin_key;
  Request head;
  head.method = "POST";
  head.target = head.path = "/folders";
  head.fields = {{"Authorization", bearer}};
  EXPECT_EQ(world.api->preauthorize(head), BodyUse::keep);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), to_text(world.clock.now()));
  EXPECT_NE(key_shown(world).at("lastUsedAt"), first);
}

TEST(KeyUse, is_shown_before_it_is_stored_as_it_is_shown_after_D80) {
  ApiWorld world;
  world.gateway->drops_changes = true;
  const Json list = key_shown(world);
  EXPECT_EQ(list.at("lastUsedAt"), to_text(world.clock.now()));
  const std::string path = "/api-keys/" + list.at("id").get<std::string>();
  const Reading one = world.get(path);
  EXPECT_EQ(one.json(), list);
  EXPECT_EQ(world.get("/api-keys?sortBy=lastUsedAt").json()["data"][0], list);
  EXPECT_TRUE(world.stored<ApiKey>(list.at("id")).last_used_at == std::nullopt);
}

TEST(KeyUses, remember_the_newest_of_each_key_and_the_last_few_keys) {
  KeyUses uses;
  CountingIds ids;
  const Id first = ids.next({1});
  uses.remember(first, {5});
  uses.remember(first, {9});
  EXPECT_EQ(uses.find(first), Time{9});
  for (int i = 0; i < 63; ++i) uses.remember(ids.next({1}), {10});
  EXPECT_EQ(uses.find(first), Time{9});
  uses.remember(ids.next({1}), {10});
  EXPECT_EQ(uses.find(first), std::nullopt);
}

}  // namespace
}  // namespace parley::http
