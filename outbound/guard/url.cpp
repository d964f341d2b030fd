#include "outbound/guard/url.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/text/ascii.hpp"
#include "outbound/guard/address.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t whole_url_bytes_max = 4 * 1024;  // limit of common servers for the request target
constexpr std::size_t host_bytes_max = 253;            // RFC 1035
constexpr std::size_t label_bytes_max = 63;

Failure bad(std::string detail) {
  return {FailureKind::bad_url, std::move(detail), false};
}

bool is_of_label(char c) {
  return ascii::is_digit(c) || ascii::is_lower(c) || c == '-' || c == '_';
}

// A last label that other parsers read as (part of) a number makes the host an IPv4 address in an unusual form.
bool is_numeric(std::string_view label) {
  if (label.substr(0, 2) == "0x") return true;
  return !label.empty() && std::all_of(label.begin(), label.end(), ascii::is_digit);
}

bool is_name(std::string_view host) {
  if (host.empty() || host.size() > host_bytes_max) return false;
  std::string_view last;
  while (!host.empty()) {
    const auto dot = std::min(host.find('.'), host.size());
    last = host.substr(0, dot);
    if (last.empty() || last.size() > label_bytes_max || !std::all_of(last.begin(), last.end(), is_of_label))
      return false;
    host.remove_prefix(std::min(dot + 1, host.size()));
  }
  return !is_numeric(last);
}

std::optional<Failure> read_port(Url& url, std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0 || port > 65'535)
    return bad("the URL's port is not a number from 1 to 65535");
  url.port = static_cast<std::uint16_t>(port);
  return std::nullopt;
}

std::optional<Failure> read_authority(Url& url, std::string_view text) {
  if (text.find('@') != std::string_view::npos)
    return bad("a user name or password in the URL is not supported; use a header");
  const bool is_bracketed = !text.empty() && text.front() == '[';
  const auto host_end = is_bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (host_end == std::string_view::npos) return bad("the URL's IPv6 address has no closing bracket");
  url.host = ascii::lower(is_bracketed ? text.substr(1, host_end - 1) : text.substr(0, host_end));
  if (!url.host.empty() && url.host.back() == '.') url.host.pop_back();
  const auto rest = text.substr(std::min(host_end + (is_bracketed ? 1 : 0), text.size()));
  if (is_bracketed) {
    if (url.host.find(':') == std::string::npos || !address_from_text(url.host))
      return bad("the URL's host in brackets is not an IPv6 address");
  } else if (!is_name(url.host) && !address_from_text(url.host)) {
    return bad(
        "the URL's host is neither a name (letters, digits, '-', '.'; others in their xn-- form) nor an "
        "address");
  }
  if (rest.empty()) return std::nullopt;
  if (rest.front() != ':') return bad("the URL has something other than a port after its host");
  return read_port(url, rest.substr(1));
}

std::uint16_t own_port(Scheme scheme) {
  return scheme == Scheme::https ? 443 : 80;
}

std::string host_text(const Url& url) {
  return url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
}

std::string_view scheme_text(Scheme scheme) {
  return scheme == Scheme::https ? "https://" : "http://";
}

}  // namespace

std::variant<Url, Failure> parse_url(std::string_view text) {
  if (text.size() > whole_url_bytes_max) return bad("the URL is longer than 4096 bytes");
  for (const char c : text)
    if (c <= ' ' || c >= 0x7f) return bad("the URL has a byte that must be percent-encoded");
  const auto colon = text.find("://");
  const auto scheme = ascii::lower(text.substr(0, std::min(colon, text.size())));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https"))
    return bad("the URL does not begin with http:// or https://");
  Url url;
  url.scheme = scheme == "https" ? Scheme::https : Scheme::http;
  url.port = own_port(url.scheme);
  text.remove_prefix(colon + 3);
  const auto authority_end = std::min(text.find_first_of("/?#\\"), text.size());
  if (auto failure = read_authority(url, text.substr(0, authority_end))) return *std::move(failure);
  const auto target = text.substr(authority_end, text.find('#') - authority_end);
  if (target.find('\\') != std::string_view::npos) return bad("the URL has a backslash");
  url.target = (target.empty() || target.front() != '/' ? "/" : "") + std::string(target);
  return url;
}

std::string origin(const Url& url) {
  return std::string(scheme_text(url.scheme)) + host_text(url) + ":" + std::to_string(url.port);
}

std::string name_of(const Url& url) {
  return host_text(url) + (url.port == own_port(url.scheme) ? "" : ":" + std::to_string(url.port));
}

std::string to_text(const Url& url) {
  return std::string(scheme_text(url.scheme)) + name_of(url) + url.target;
}

}  // namespace parley::outbound
