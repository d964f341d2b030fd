#include "http/key_use.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

Json key_shown(ApiWorld& world) {
  return world.get("/api-keys").json().at("data").at(0);
}

TEST(KeyUse, is_noted_at_the_first_request_and_once_a_minute_after_it_D80) {
  ApiWorld world;
  key_shown(world);  // answered from before it was noted: nobody waits for the note
  const std::string first = key_shown(world).at("lastUsedAt");
  const std::string changed = key_shown(world).at("updatedAt");
  EXPECT_EQ(first, to_text(world.clock.now()));
  world.clock.advance(59'000);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), first);
  EXPECT_EQ(key_shown(world).at("updatedAt"), changed) << "no write for each request";
  world.clock.advance(1'000);
  key_shown(world);
  EXPECT_EQ(key_shown(world).at("lastUsedAt"), to_text(world.clock.now()));
}

}  // namespace
}  // namespace parley::http
