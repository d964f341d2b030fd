#include "outbound/agents/callback_url.hpp"

#include <algorithm>

#include "outbound/guard/address.hpp"
#include "outbound/guard/url.hpp"

namespace parley::outbound {
namespace {

/// Loopback, or the address that means all addresses of a machine (0.0.0.0, ::).
bool is_own(const Address& address) {
  static const auto own = {*cidr_from_text("127.0.0.0/8"), *cidr_from_text("0.0.0.0"), *cidr_from_text("::1"),
                           *cidr_from_text("::")};
  return std::any_of(own.begin(), own.end(), [&](const Cidr& range) { return contains(range, address); });
}

bool is_on_this_machine(const std::string& url) {
  const auto parsed = parse_url(url);
  const auto* good = std::get_if<Url>(&parsed);
  if (good == nullptr) return false;
  const auto address = address_from_text(good->host);
  return address ? is_own(*address) : good->host == "localhost" || good->host.ends_with(".localhost");
}

/// parse_url rejects port 0: a server may listen on it, but it cannot be called.
bool has_port_0(std::string_view url) {
  const auto begin = url.find("://");
  if (begin == std::string_view::npos) return false;
  url.remove_prefix(begin + 3);
  return url.substr(0, url.find('/')).ends_with(":0");
}

}  // namespace

std::optional<std::string> fault_of_callback(const std::string& base_url, const GithubConfig& config) {
  if (is_on_this_machine(config.api_url)) return std::nullopt;
  if (!is_on_this_machine(base_url) && !has_port_0(base_url)) return std::nullopt;
  return "The workflow would call the service at " + base_url +
         " (its input base_url), which other machines cannot reach: start the server with "
         "--public-url and the "
         "URL at which workflows reach it.";
}

}  // namespace parley::outbound
