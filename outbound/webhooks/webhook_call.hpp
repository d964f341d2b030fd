#pragma once
/// One attempt to deliver an event to a webhook, in the form of Standard Webhooks 1.0:
///
///   webhook-id         the id of the delivery, the same in every attempt
///   webhook-timestamp  seconds since 1970, of this attempt
///   webhook-signature  "v1," base64(HMAC-SHA256(key, id "." timestamp "." body)); only with a secret
///
/// The key is the part of the secret after `whsec_`, decoded from base64. A secret of another form is the key
/// itself. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

#include "model/id.hpp"
#include "model/time.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

struct WebhookMessage {
  std::string url;
  std::optional<std::string> secret;
  std::string id;
  std::string body;
  Time now;
};

[[nodiscard]] HttpRequest webhook_request(const WebhookMessage& message);

/// The fault of a URL, as the end of a sentence about it; empty if the URL has no fault.
[[nodiscard]] std::string fault_of_webhook_url(std::string_view url);
/// As above, for a secret: `whsec_` must be followed by base64 of 24 to 64 bytes.
[[nodiscard]] std::string fault_of_webhook_secret(std::string_view secret);

/// The pause after failed attempt number `attempts`, counted from 1: a second, doubled each time up to an hour,
/// varied by up to a tenth, derived from `delivery`; or the time that the receiver requested (`retry_after_ms`,
/// -1: none), up to an hour.
[[nodiscard]] std::int64_t webhook_pause_ms(std::int64_t attempts, std::int64_t retry_after_ms,
                                            const Id& delivery);

}  // namespace parley::outbound
