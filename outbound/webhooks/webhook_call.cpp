#include "outbound/webhooks/webhook_call.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>

#include "model/check.hpp"
#include "outbound/guard/url.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view encoded_prefix = "whsec_";
constexpr std::size_t key_bytes_min = 24;  ///< from Standard Webhooks, like the next one
constexpr std::size_t key_bytes_max = 64;
constexpr std::int64_t pause_ms_first = 1'000;
constexpr std::int64_t pause_ms_max = 3'600'000;
constexpr std::int64_t attempts_to_longest = 12;  ///< 2^12 seconds are more than an hour
constexpr std::int64_t webhook_timeout_ms = 15'000;
constexpr std::size_t answer_bytes_max = 64 * 1024;  ///< the body of the answer is discarded

const unsigned char* octets_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), octets_of(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// Decodes base64 with or without padding; nullopt for other text.
std::optional<std::string> from_base64(std::string text) {
  while (text.ends_with('=')) text.pop_back();
  const bool is_digits = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  });
  if (!is_digits || text.size() % 4 == 1) return std::nullopt;
  const std::size_t bytes = text.size() * 3 / 4;
  while (text.size() % 4 != 0) text += '=';
  std::string decoded(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()), octets_of(text),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  decoded.resize(bytes);
  return decoded;
}

/// Needs: fault_of_webhook_secret finds nothing.
std::string key_of(const std::string& secret) {
  if (!secret.starts_with(encoded_prefix)) return secret;
  return from_base64(secret.substr(encoded_prefix.size())).value_or(secret);
}

std::string signature_of(const std::string& secret, const std::string& signed_text) {
  const std::string key = key_of(secret);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), octets_of(signed_text),
             signed_text.size(), digest.data(), &size) != nullptr);
  return "v1," + base64({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace

HttpRequest webhook_request(const WebhookMessage& message) {
  HttpRequest request;
  request.url = message.url;
  request.body = message.body;
  request.total_ms = webhook_timeout_ms;
  request.first_byte_ms = webhook_timeout_ms;
  request.body_bytes_max = answer_bytes_max;
  const std::string seconds = std::to_string(message.now.ms / 1'000);
  request.fields = {{"Content-Type", "application/json"},
                    {"User-Agent", "parley"},
                    {"webhook-id", message.id},
                    {"webhook-timestamp", seconds}};
  if (message.secret) {
    const std::string signed_text = message.id + "." + seconds + "." + message.body;
    request.fields.emplace_back("webhook-signature", signature_of(*message.secret, signed_text));
  }
  return request;
}

std::string fault_of_webhook_url(std::string_view url) {
  const auto parsed = parse_url(url);
  const auto* failure = std::get_if<Failure>(&parsed);
  return failure == nullptr ? std::string() : "must be a URL that can be called: " + failure->detail;
}

std::string fault_of_webhook_secret(std::string_view secret) {
  if (!secret.starts_with(encoded_prefix)) return {};
  const auto key = from_base64(std::string(secret.substr(encoded_prefix.size())));
  if (key && key->size() >= key_bytes_min && key->size() <= key_bytes_max) return {};
  return "must have base64 of 24 to 64 bytes after whsec_";
}

std::int64_t webhook_pause_ms(std::int64_t attempts, std::int64_t retry_after_ms, const Id& delivery) {
  const std::int64_t doublings = std::clamp<std::int64_t>(attempts - 1, 0, attempts_to_longest);
  const std::int64_t pause = std::min(pause_ms_first << doublings, pause_ms_max);
  const std::int64_t jitter = pause / 10 * (delivery.bytes.back() - 128) / 128;
  return std::max(pause + jitter, std::min(retry_after_ms, pause_ms_max));
}

}  // namespace parley::outbound
