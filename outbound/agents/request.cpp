#include "outbound/agents/request.hpp"

#include <algorithm>
#include <array>

#include "model/text/header_field_text.hpp"

namespace parley::outbound {
namespace {

constexpr std::array<std::string_view, 11> framing_fields{
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive",     "Proxy-Connection",
    "TE",   "Trailer",        "Upgrade",           "Expect",     "Accept-Encoding"};

}  // namespace

bool is_framing_field(std::string_view name) {
  return std::any_of(framing_fields.begin(), framing_fields.end(),
                     [&](std::string_view own) { return same_ignoring_case(own, name); });
}

bool is_own_field(std::string_view name) {
  return is_framing_field(name) || same_ignoring_case(name, "Idempotency-Key");
}

bool has_field(const Fields& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return same_ignoring_case(field.first, name); });
}

std::optional<CallFault> add_bearer(Fields& fields, std::string_view name, std::string_view secret) {
  if (secret.empty() || !is_field_text(secret)) {
    return CallFault{"invalid_secret", "The secret '" + std::string(name) +
                                           "' is empty or has control characters (a line end at its end?)."};
  }
  fields.emplace_back("Authorization", "Bearer " + std::string(secret));
  return std::nullopt;
}

std::variant<std::shared_ptr<const TokenGrant>, CallFault> grant_of(const std::optional<OAuthConfig>& oauth,
                                                                    const Secrets& secrets) {
  if (!oauth) return std::shared_ptr<const TokenGrant>();
  const auto secret = secrets.find(std::string(client_secret_name));
  if (secret == secrets.end() || secret->second.empty()) {
    return CallFault{"invalid_secret", "An agent with config.oauth needs the secret 'clientSecret'."};
  }
  return std::make_shared<const TokenGrant>(
      TokenGrant{oauth->token_url, oauth->client_id, secret->second, oauth->scope.value_or("")});
}

RetryRules agent_retries(std::int64_t retries) {
  RetryRules rules;
  rules.attempts = static_cast<int>(retries) + 1;
  rules.repeats_after_send = retries > 0;
  rules.waits_when_throttled = true;
  return rules;
}

void set_timeout(HttpRequest& request, std::int64_t timeout_ms) {
  request.connect_ms = std::min(request.connect_ms, timeout_ms);
  request.first_byte_ms = timeout_ms;
  request.total_ms = timeout_ms;
}

}  // namespace parley::outbound
