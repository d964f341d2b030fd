#include "outbound/guard/address_guard.hpp"

#include <algorithm>

namespace parley::outbound {
namespace {

Failure blocked(std::string detail) {
  return {FailureKind::blocked_address, std::move(detail), false};
}

}  // namespace

std::optional<Failure> check_url(const Guard& guard, const Url& url, bool is_trusted) {
  if (url.scheme == Scheme::http && !is_trusted && !guard.allows_private && guard.allowed.empty())
    return blocked(
        "plain http is not allowed here: use https, or start the server with --allow-private-agents");
  const auto address = address_from_text(url.host);
  if (address && !permits(guard, *address, {url.scheme, is_trusted})) return refused(url);
  return std::nullopt;
}

Failure refused(const Url& url) {
  return blocked("the address of " + name_of(url) +
                 " may not be called: it is private, link-local or reserved (see --allow-private-agents)");
}

bool permits(const Guard& guard, const Address& address, Caller caller) {
  const auto kind = reach(address);
  if (kind == Reach::never) return false;
  if (caller.is_trusted || guard.allows_private) return true;
  if (kind == Reach::everywhere && caller.scheme == Scheme::https) return true;
  return std::any_of(guard.allowed.begin(), guard.allowed.end(),
                     [&](const Cidr& range) { return contains(range, address); });
}

}  // namespace parley::outbound
