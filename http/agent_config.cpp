#include "http/agent_config.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "http/grammar.hpp"

namespace parley::http {
namespace {

constexpr std::size_t url_bytes_max = 4'096;
constexpr std::int64_t timeout_ms_max = 600'000;  ///< reliability 3.2
constexpr std::int64_t retries_max = 10;
constexpr std::size_t headers_max = 64;

/// One config under check.
struct Config {
  const json::Value& root;
  Findings& findings;

  [[nodiscard]] std::optional<json::Value> given(std::string_view key) const {
    const auto value = root.find(key);
    return value && !value->is(json::Kind::null) ? value : std::nullopt;
  }
  void fault(std::string_view key, std::string detail) const {
    findings.add("/config/" + std::string(key), std::move(detail));
  }
};

/// The text under a key; a missing or wrong one is a fault, the former only where the key is needed.
std::optional<std::string_view> text(const Config& config, std::string_view key, bool is_needed) {
  const auto value = config.given(key);
  if (!value) {
    if (is_needed) config.fault(key, "is required for an agent of this type");
    return std::nullopt;
  }
  if (!value->is(json::Kind::string) || (is_needed && value->string().empty())) {
    config.fault(key, is_needed ? "must be a string that is not empty" : "must be a string");
    return std::nullopt;
  }
  return value->string();
}

/// http or https, a host, no user information, nothing that could split a request (F34, reliability 5.3).
bool is_callable_url(std::string_view url) {
  std::size_t scheme = 0;
  if (same_ignoring_case(url.substr(0, 7), "http://")) scheme = 7;
  if (same_ignoring_case(url.substr(0, 8), "https://")) scheme = 8;
  if (scheme == 0 || url.size() > url_bytes_max) return false;
  if (std::any_of(url.begin(), url.end(),
                  [](char c) { return c <= 0x20 || c >= 0x7f || c == '\\' || c == '"'; })) {
    return false;
  }
  const std::string_view authority = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
  return !authority.empty() && authority.front() != ':' && authority.find('@') == std::string_view::npos;
}

void check_url(const Config& config, std::string_view key, bool is_needed) {
  const auto url = text(config, key, is_needed);
  if (url && !is_callable_url(*url)) {
    config.fault(key, "must be an http or https URL without user information, at most 4096 characters");
  }
}

void check_count(const Config& config, std::string_view key, std::int64_t least, std::int64_t most) {
  const auto value = config.given(key);
  if (!value) return;
  const auto count = value->is(json::Kind::number) ? value->integer() : std::nullopt;
  if (!count || *count < least || *count > most) {
    config.fault(key, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

void check_headers(const Config& config) {
  const auto headers = config.given("headers");
  if (!headers) return;
  if (!headers->is(json::Kind::object) || headers->size() > headers_max) {
    return config.fault("headers", "must be an object of at most 64 strings");
  }
  for (const json::Value& header : headers->children()) {
    const bool is_sendable =
        header.is(json::Kind::string) && is_field_text(header.string()) && is_token(header.key());
    if (!is_sendable) {
      config.fault("headers/" + json::pointer_token(header.key()),
                   "must be a header name with text without control characters");
    }
  }
}

void check_kind(const Config& config, std::string_view key, json::Kind kind, std::string_view words) {
  const auto value = config.given(key);
  if (value && !value->is(kind)) config.fault(key, std::string(words));
}

void check_github(const Config& config) {
  for (const std::string_view key : {"owner", "repo", "workflow", "ref"}) (void)text(config, key, true);
  check_url(config, "apiUrl", false);
}

}  // namespace

void check_agent_config(const Agent& agent, Findings& findings) {
  if (!is_agent_type(agent.type)) {
    return findings.add("/type", "must be one of \"\", EXTERNAL, LOCAL, GITHUB, HTTP, OPENAI, DEMO");
  }
  const auto document = json::parse(agent.config.text);
  if (!document.ok() || !document->root().is(json::Kind::object)) return;  // told by the description already
  const json::Value root = document->root();
  const Config config{root, findings};
  if (agent.type == "HTTP") {
    check_url(config, "url", true);
    check_headers(config);
    check_count(config, "timeoutMs", 1, timeout_ms_max);
    check_count(config, "retries", 0, retries_max);
  } else if (agent.type == "OPENAI") {
    check_url(config, "url", true);
    (void)text(config, "model", true);
    (void)text(config, "system", false);
    check_kind(config, "parameters", json::Kind::object, "must be an object");
    check_kind(config, "tools", json::Kind::array, "must be an array");
    check_count(config, "timeoutMs", 1, timeout_ms_max);
    check_count(config, "retries", 0, retries_max);
  } else if (agent.type == "GITHUB") {
    check_github(config);
  }
}

}  // namespace parley::http
