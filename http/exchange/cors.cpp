#include "http/exchange/cors.hpp"

#include <algorithm>

namespace parley::http {
namespace {

constexpr std::string_view fields_taken =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, "
    "traceparent";
constexpr std::string_view fields_shown =
    "Allow, ETag, Idempotency-Replayed, Link, Location, Parley-Ignored, Parley-Warnings, Preference-Applied, "
    "Retry-After, WWW-Authenticate, "
    "X-Request-Id";
/// Browsers repeat a preflight after ten minutes, so a changed list of origins takes effect within that time.
constexpr std::string_view preflight_age_s = "600";

}  // namespace

Cors::Cors(std::vector<std::string> origins)
    : origins_(std::move(origins)),
      is_for_all_(std::find(origins_.begin(), origins_.end(), "*") != origins_.end()) {}

std::string Cors::allowed(const Request& request) const {
  const Field* origin = request.find("Origin");
  return origin == nullptr ? std::string() : allowed(origin->value);
}

std::string Cors::allowed(std::string_view origin) const {
  if (origins_.empty() || origin.empty()) return {};
  if (is_for_all_) return "*";
  const bool is_listed = std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
  return is_listed ? std::string(origin) : std::string();
}

bool Cors::is_preflight(const Request& request) {
  return request.method == "OPTIONS" && request.find("Access-Control-Request-Method") != nullptr;
}

void Cors::expose(Response& response, std::string_view allowed_origin) {
  response.fields.emplace_back("Access-Control-Allow-Origin", allowed_origin);
  response.fields.emplace_back("Access-Control-Expose-Headers", fields_shown);
}

std::vector<std::pair<std::string, std::string>> Cors::permissions(std::string_view methods) {
  return {{"Access-Control-Allow-Methods", std::string(methods)},
          {"Access-Control-Allow-Headers", std::string(fields_taken)},
          {"Access-Control-Max-Age", std::string(preflight_age_s)}};
}

std::string fault_of_origin(std::string_view text) {
  if (text == "*") return {};
  const auto host = text.starts_with("https://") ? 8U : text.starts_with("http://") ? 7U : 0U;
  const bool is_good =
      host != 0 && text.size() > host && std::all_of(text.begin() + host, text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view(".-:[]_").find(c) != std::string_view::npos;
      });
  return is_good
             ? ""
             : "must be * or a list of origins such as https://app.example, in lower case, without a path";
}

}  // namespace parley::http
