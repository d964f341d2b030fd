#include "http/auth/principal_cache.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

constexpr Time now{1'000'000};

TEST(PrincipalCache, knows_a_key_for_half_a_second) {
  PrincipalCache cache;
  auto first = cache.snapshot();
  const auto digest = first.digest_of("key");
  EXPECT_FALSE(first.find(digest, now).has_value());
  first.remember(digest, {}, now);
  EXPECT_TRUE(cache.snapshot().find(digest, Time{now.ms + 500}).has_value());
  EXPECT_FALSE(cache.snapshot().find(digest, Time{now.ms + 501}).has_value());
  EXPECT_FALSE(cache.snapshot().find(digest, Time{now.ms - 1}).has_value()) << "a clock that was set back";
}

TEST(PrincipalCache, remembers_nothing_that_was_read_before_a_revocation_I63) {
  PrincipalCache cache;
  auto before = cache.snapshot();
  const auto digest = before.digest_of("key");
  cache.forget_all();
  before.remember(digest, {}, now);
  EXPECT_FALSE(cache.snapshot().find(digest, now).has_value());
}

}  // namespace
}  // namespace parley::http
