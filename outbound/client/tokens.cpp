#include "outbound/client/tokens.hpp"

#include <algorithm>
#include <utility>

#include "model/text/header_field_text.hpp"
#include "model/text/uri_escaped.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/request.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t entries_max = 1'024;
constexpr std::int64_t unknown_life_s = 300;       ///< used if the answer gives no lifetime
constexpr std::int64_t life_s_max = 24 * 60 * 60;  ///< upper limit, whatever lifetime the endpoint reports
constexpr std::int64_t renewed_before_ms = 30'000;
constexpr std::int64_t token_timeout_ms = 30'000;

std::string key_of(const TokenGrant& grant) {
  return grant.url + '\n' + grant.client_id + '\n' + grant.scope + '\n' + grant.client_secret;
}

/// Encodes a form value (RFC 6749 appendix B).
std::string form_value(std::string_view text) {
  return uri_escaped(text);
}

/// Base64 of RFC 4648 section 4, as used in Basic credentials.
std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) {
      return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
    };
    const unsigned group = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (unsigned digit = 0; digit < 4; ++digit) {
      const bool is_padding = at + digit > bytes.size();
      out += is_padding ? '=' : digits[group >> (18U - 6U * digit) & 0x3fU];
    }
  }
  return out;
}

Failure no_token(std::string detail, bool was_sent) {
  return {FailureKind::no_token, "no token for the call: " + std::move(detail), was_sent};
}

std::int64_t life_ms_of(const json::Value& root) {
  const auto reported = json::given(root, "expires_in");
  const auto seconds = reported && reported->is(json::Kind::number) ? reported->integer() : std::nullopt;
  return std::clamp<std::int64_t>(seconds.value_or(unknown_life_s), 0, life_s_max) * 1'000;
}

bool refuses_credentials(int status) {
  return status == 400 || status == 401 || status == 403;
}

}  // namespace

std::optional<std::string> Tokens::find(const TokenGrant& grant, std::int64_t now_ms) const {
  const auto found = entries_.find(key_of(grant));
  if (found == entries_.end() || found->second.token.empty() || now_ms >= found->second.until_ms)
    return std::nullopt;
  return found->second.token;
}

bool Tokens::wait(const TokenGrant& grant, CallId id) {
  Entry& entry = entry_of(grant);
  entry.waiting.insert(id);
  return !std::exchange(entry.is_asked_for, true);
}

void Tokens::forget(const TokenGrant& grant, CallId id) {
  const auto found = entries_.find(key_of(grant));
  if (found != entries_.end()) found->second.waiting.erase(id);
}

HttpRequest Tokens::request(const TokenGrant& grant) const {
  const auto found = entries_.find(key_of(grant));
  const bool in_body = found != entries_.end() && found->second.in_body;
  HttpRequest request;
  request.url = grant.url;
  request.body = "grant_type=client_credentials";
  if (!grant.scope.empty()) request.body += "&scope=" + form_value(grant.scope);
  if (in_body) {
    request.body +=
        "&client_id=" + form_value(grant.client_id) + "&client_secret=" + form_value(grant.client_secret);
  } else {
    request.fields.emplace_back("Authorization", "Basic " + base64(form_value(grant.client_id) + ":" +
                                                                   form_value(grant.client_secret)));
  }
  request.fields.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  request.fields.emplace_back("Accept", "application/json");
  set_timeout(request, token_timeout_ms);
  return request;
}

Tokens::Outcome Tokens::take(const TokenGrant& grant, const HttpOutcome& outcome, std::int64_t now_ms) {
  Entry& entry = entry_of(grant);
  const auto end = [&entry](Taken taken, Failure failure = {}) {
    entry.is_asked_for = false;
    entry.was_refused = taken == Taken::token ? false : entry.was_refused;
    Outcome ended{taken, std::move(failure), {entry.waiting.begin(), entry.waiting.end()}};
    entry.waiting.clear();
    return ended;
  };
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    Failure reported = *failure;
    if (reported.kind != FailureKind::canceled) reported.detail = "no token for the call: " + reported.detail;
    reported.was_sent = false;  // the call itself was not sent
    return end(Taken::nothing, std::move(reported));
  }
  const auto& answer = std::get<HttpAnswer>(outcome);
  if (refuses_credentials(answer.status) && !std::exchange(entry.was_refused, true)) {
    entry.in_body = !entry.in_body;
    return {Taken::again, {}, {}};
  }
  entry.was_refused = false;
  const Secrets secrets{{"clientSecret", grant.client_secret}};
  const auto object = object_of(answer, {"The token endpoint", secrets});
  if (const auto* fault = std::get_if<CallFault>(&object))
    return end(Taken::nothing, no_token(fault->detail, false));
  const json::Value root = std::get<json::Document>(object).root();
  const auto token = json::given(root, "access_token");
  const bool is_good = token && token->is(json::Kind::string) && !token->string().empty() &&
                       is_field_text(token->string()) && token->string().size() < sent_field_bytes_max;
  if (!is_good)
    return end(Taken::nothing, no_token("the answer of the token endpoint has no access_token", false));
  const std::int64_t life_ms = life_ms_of(root);
  entry.token = token->string();
  entry.until_ms = now_ms + std::max<std::int64_t>(life_ms - renewed_before_ms,
                                                   std::max<std::int64_t>(life_ms / 2, 1'000));
  return end(Taken::token);
}

void Tokens::drop(const TokenGrant& grant, const std::string& token) {
  const auto found = entries_.find(key_of(grant));
  if (found != entries_.end() && found->second.token == token) found->second.token.clear();
}

Tokens::Entry& Tokens::entry_of(const TokenGrant& grant) {
  if (entries_.size() >= entries_max && !entries_.contains(key_of(grant))) {
    std::erase_if(entries_, [](const auto& each) { return !each.second.is_asked_for; });
  }
  return entries_[key_of(grant)];
}

}  // namespace parley::outbound
