#pragma once
/// Which addresses may be called (D75). Pure: the addresses were resolved before, and the connected address is
/// checked again at the socket, so that a name that changes its address gains nothing.

#include <optional>
#include <string>
#include <vector>

#include "outbound/guard/address.hpp"
#include "outbound/guard/url.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// What an operator allows of private addresses.
struct Guard {
  bool allows_private =
      false;  ///< all private addresses and plain http: on loopback, or --allow-private-agents
  std::vector<Cidr> allowed;  ///< these, with plain http to them: --allow-private-agents=CIDR,...
};

/// What the guard must know about one call.
struct Caller {
  Scheme scheme = Scheme::https;
  bool is_trusted = false;  ///< HttpRequest::is_trusted
};

/// The checks before resolving: plain http where it is never allowed, a literal address that may not be called.
[[nodiscard]] std::optional<Failure> check_url(const Guard& guard, const Url& url, bool is_trusted);

/// Whether a connection to the address may be opened. Link-local and metadata addresses: never.
[[nodiscard]] bool permits(const Guard& guard, const Address& address, Caller caller);

/// The failure of a call that permits() forbids. It names the host, not the address that the name resolves
/// to.
[[nodiscard]] Failure refused(const Url& url);

}  // namespace parley::outbound
