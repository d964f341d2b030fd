#include "outbound/webhooks/webhook_call.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::outbound {
namespace {

std::string field(const HttpRequest& request, std::string_view name) {
  const auto found = std::find_if(request.fields.begin(), request.fields.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == request.fields.end() ? std::string() : found->second;
}

WebhookMessage message(std::optional<std::string> secret) {
  return {"https://example.org/events", std::move(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek",
          R"({"test": 2432232314})", Time{1'614'265'330'000}};
}

// The example from the reference libraries of Standard Webhooks.
TEST(WebhookCall, signs_as_standard_webhooks_does) {
  const HttpRequest request = webhook_request(message("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  EXPECT_EQ(field(request, "webhook-id"), "msg_p5jXN8AQM9LWM0D4loKWxJek");
  EXPECT_EQ(field(request, "webhook-timestamp"), "1614265330");
  EXPECT_EQ(field(request, "webhook-signature"), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  EXPECT_EQ(request.body, R"({"test": 2432232314})");
  EXPECT_FALSE(request.is_trusted);
}

TEST(WebhookCall, signs_with_a_text_as_it_is) {
  const std::string plain = field(webhook_request(message("topsecret")), "webhook-signature");
  EXPECT_EQ(plain.substr(0, 3), "v1,");
  EXPECT_EQ(plain.size(), 3 + 44U);
  EXPECT_NE(plain, field(webhook_request(message("topsecreT")), "webhook-signature"));
}

TEST(WebhookCall, does_not_sign_without_a_secret) {
  EXPECT_EQ(field(webhook_request(message(std::nullopt)), "webhook-signature"), "");
}

TEST(WebhookCall, takes_keys_of_24_to_64_bytes_after_the_prefix) {
  EXPECT_EQ(fault_of_webhook_secret("anything"), "");
  EXPECT_EQ(fault_of_webhook_secret("whsec_" + std::string(32, 'A')), "");
  EXPECT_EQ(fault_of_webhook_secret("whsec_" + std::string(86, 'A')), "");  // 64 bytes without padding
  for (const std::string bad : {"whsec_", "whsec_AAAA", "whsec_not base64 of any number of bytes!",
                                "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}) {
    EXPECT_NE(fault_of_webhook_secret(bad), "") << bad;
  }
  EXPECT_NE(fault_of_webhook_secret("whsec_" + std::string(90, 'A')), "");
}

TEST(WebhookCall, pauses_twice_as_long_each_time_up_to_an_hour) {
  Id id;
  id.bytes.back() = 128;  // the middle value, which makes the pause neither longer nor shorter
  EXPECT_EQ(webhook_pause_ms(1, -1, id), 1'000);
  EXPECT_EQ(webhook_pause_ms(4, -1, id), 8'000);
  EXPECT_EQ(webhook_pause_ms(12, -1, id), 2'048'000);
  EXPECT_EQ(webhook_pause_ms(13, -1, id), 3'600'000);
  EXPECT_EQ(webhook_pause_ms(1'000'000, -1, id), 3'600'000);
  EXPECT_EQ(webhook_pause_ms(1, 30'000, id), 30'000);
  EXPECT_EQ(webhook_pause_ms(1, 86'400'000, id), 3'600'000);
  id.bytes.back() = 0;
  EXPECT_EQ(webhook_pause_ms(1, -1, id), 900);
}

}  // namespace
}  // namespace parley::outbound
