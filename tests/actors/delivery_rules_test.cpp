#include "actors/webhooks/delivery_rules.hpp"

#include <gtest/gtest.h>

namespace parley::actors {
namespace {

constexpr std::int64_t give_up_ms = 100'000;
constexpr Time made_at{1'700'000'000'000};

Time later(std::int64_t ms) {
  return {made_at.ms + ms};
}

store::Delivery fresh() {
  store::Delivery delivery;
  delivery.key.id = make_id(made_at, {});
  delivery.next_attempt_at = made_at;
  return delivery;
}

Webhook enabled() {
  return {};
}

TEST(DeliveryRules, end_with_any_status_of_success) {
  for (const int status : {200, 204, 299}) {
    const store::Delivery after = after_attempt(fresh(), {later(5), status, {}}, 1'000, give_up_ms);
    EXPECT_EQ(after.status, store::DeliveryStatus::delivered);
    EXPECT_EQ(after.ended_at, later(5));
    EXPECT_EQ(after.next_attempt_at, std::nullopt);
    EXPECT_EQ(after.answer_status, status);
  }
}

TEST(DeliveryRules, try_again_after_the_pause) {
  for (const int status : {0, 199, 301, 404, 500}) {
    const store::Delivery after = after_attempt(fresh(), {later(5), status, "no answer"}, 1'000, give_up_ms);
    EXPECT_EQ(after.status, store::DeliveryStatus::pending);
    EXPECT_EQ(after.next_attempt_at, later(1'005));
    EXPECT_EQ(after.attempts, 1);
    EXPECT_NE(after.error, std::nullopt);
  }
}

TEST(DeliveryRules, give_up_a_delivery_that_is_too_old_or_refused) {
  EXPECT_EQ(after_attempt(fresh(), {later(give_up_ms), 500, {}}, 1'000, give_up_ms).status,
            store::DeliveryStatus::failed);
  EXPECT_EQ(after_attempt(fresh(), {later(1), 410, {}}, 1'000, give_up_ms).status,
            store::DeliveryStatus::failed);
}

TEST(DeliveryRules, disable_a_webhook_that_received_nothing) {
  const Webhook failing = after_attempt(enabled(), {later(60'000), 500, {}}, made_at, give_up_ms);
  EXPECT_TRUE(failing.is_enabled);
  EXPECT_EQ(failing.failing_since, made_at);
  const Webhook off = after_attempt(failing, {later(give_up_ms), 500, {}}, later(99'000), give_up_ms);
  EXPECT_FALSE(off.is_enabled);  // also after a restart, which forgets the first failures
  EXPECT_EQ(off.disabled_at, later(give_up_ms));
  EXPECT_NE(off.disabled_reason.value_or("").find("status 500"), std::string::npos);
  EXPECT_FALSE(after_attempt(enabled(), {later(1), 410, {}}, later(1), give_up_ms).is_enabled);
}

TEST(DeliveryRules, forget_failures_with_a_success_and_write_no_short_ones) {
  const Webhook short_one = after_attempt(enabled(), {later(500), 500, {}}, made_at, give_up_ms);
  EXPECT_EQ(short_one.failing_since, std::nullopt);
  Webhook failing = enabled();
  failing.failing_since = made_at;
  EXPECT_EQ(after_attempt(failing, {later(99'999), 200, {}}, made_at, give_up_ms).failing_since,
            std::nullopt);
}

}  // namespace
}  // namespace parley::actors
