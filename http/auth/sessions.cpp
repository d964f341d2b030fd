#include "http/auth/sessions.hpp"

#include <algorithm>

#include "http/auth/auth.hpp"
#include "model/text/header_field_text.hpp"

namespace parley::http {
namespace {

constexpr std::string_view page_field = "X-Parley-Page";
constexpr std::size_t half_bytes_max = 128;
constexpr std::size_t cookies_tried_max = 4;
constexpr std::size_t id_chars = 36;

/// The `https://host:port` part of a URL.
std::string origin_of(std::string_view url) {
  const auto mark = url.find("://");
  if (mark == std::string_view::npos) return {};
  return std::string(url.substr(0, url.find('/', mark + 3)));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Adds the values of the named cookie in one Cookie field (RFC 6265 section 4.2).
void add_cookies(std::string_view field, std::string_view name, std::vector<std::string_view>& found) {
  while (!field.empty() && found.size() < cookies_tried_max) {
    const auto end = std::min(field.find(';'), field.size());
    const std::string_view pair = trimmed(field.substr(0, end));
    const auto mark = std::min(pair.find('='), pair.size());
    if (pair.substr(0, mark) == name && mark + 1 < pair.size() && pair.size() - mark <= half_bytes_max)
      found.push_back(pair.substr(mark + 1));
    field.remove_prefix(std::min(end + 1, field.size()));
  }
}

}  // namespace

Sessions::Sessions(const Keys& keys, std::string_view public_url)
    : keys_(keys),
      public_origin_(origin_of(public_url)),
      is_secure_(public_url.starts_with("https://")),
      cookie_name_((is_secure_ ? "__Host-parley_" : "parley_") +
                   keys.hash_of("name of the cookie").substr(0, 8)) {}

std::vector<SessionHalves> Sessions::offered(const Request& request) const {
  std::vector<SessionHalves> offers;
  const Field* page = request.find(page_field);
  if (page == nullptr || page->value.empty() || page->value.size() > half_bytes_max) return offers;
  std::vector<std::string_view> cookies;
  for (const Field& field : request.fields) {
    if (same_ignoring_case(field.name, "Cookie")) add_cookies(field.value, cookie_name_, cookies);
  }
  for (const std::string_view cookie : cookies)
    offers.push_back({std::string(cookie), std::string(page->value)});
  return offers;
}

Expected<store::Session> Sessions::find(const SessionHalves& halves, const store::Snapshot& snapshot,
                                        Time now) const {
  const auto id = id_from_text(std::string_view(halves.cookie).substr(0, id_chars));
  if (!id) return no_valid_key();
  TRY(session, store::find_session(snapshot, *id));
  if (!session || session->ends_at() <= now) return no_valid_key();
  const bool has_cookie = Keys::same_hash(session->cookie, keys_.hash_of(halves.cookie));
  const bool has_page = Keys::same_hash(session->page, keys_.hash_of(halves.page));
  if (!has_cookie || !has_page) return no_valid_key();
  return std::move(*session);
}

SessionHalves Sessions::make_halves(store::Session& session) const {
  SessionHalves halves{to_text(session.id) + "." + Keys::random_secret(), Keys::random_secret()};
  session.cookie = keys_.hash_of(halves.cookie);
  session.page = keys_.hash_of(halves.page);
  return halves;
}

std::string Sessions::set_cookie(std::string_view value) const {
  std::string field = cookie_name_ + "=" + std::string(value) + "; Path=/; Max-Age=";
  field += std::to_string(value.empty() ? 0 : store::session_life_ms / 1'000);
  field += "; HttpOnly; SameSite=Strict";
  if (is_secure_) field += "; Secure";
  return field;
}

std::string Sessions::clear_cookie() const {
  return set_cookie("");
}

bool Sessions::is_own_origin(const Request& request) const {
  const Field* origin = request.find("Origin");
  if (origin == nullptr || request.count("Origin") > 1) return false;
  if (!public_origin_.empty() && same_ignoring_case(origin->value, public_origin_)) return true;
  const std::string host = request.text("Host");
  return !host.empty() && (same_ignoring_case(origin->value, "http://" + host) ||
                           same_ignoring_case(origin->value, "https://" + host));
}

Expected<Done> Sessions::check_write(const Request& request) const {
  if (request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS") return Done{};
  const Field* site = request.find("Sec-Fetch-Site");
  const bool is_same_site = site == nullptr || site->value == "same-origin";
  if (is_same_site && is_own_origin(request)) return Done{};
  return problem(ProblemKind::forbidden,
                 "a session can change something only from a page of this server: send its Origin, or use an "
                 "API key");
}

}  // namespace parley::http
