#include "http/auth/key_use.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

Json key_shown(ApiWorld& world) {
  return world.get("/api-keys").json().at("data").at(0);
}

TEST(KeyUse, is_recorded_at_the_first_request_and_at_most_once_a_minute_D80) {
  ApiWorld world;
  (void)key_shown(world);
  const Time begun = world.clock.now();
  const Json first = key_shown(world);
  EXPECT_EQ(first.at("lastUsedAt"), to_text(begun));
  world.clock.advance(59'000);
  (void)key_shown(world);
  EXPECT_EQ(key_shown(world), first) << "no write for each request";
  world.clock.advance(1'000);
  (void)key_shown(world);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), to_text(world.clock.now()));
}

TEST(KeyUse, is_recorded_when_only_the_request_head_was_read_D80) {
  ApiWorld world;
  (void)key_shown(world);
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

TEST(KeyUse, is_shown_as_it_is_stored_D80) {
  ApiWorld world;
  world.gateway->drops_changes = true;
  const Json list = key_shown(world);
  EXPECT_TRUE(list.at("lastUsedAt").is_null());
  EXPECT_EQ(world.get("/api-keys/" + list.at("id").get<std::string>()).json(), list);
  EXPECT_TRUE(world.stored<ApiKey>(list.at("id")).last_used_at == std::nullopt);
}

}  // namespace
}  // namespace parley::http
