#pragma once
/// Decides which addresses may be called (D75). Pure: the addresses are already resolved. The socket checks the
/// connected address again, so that a name gains nothing by changing its address.

#include <optional>
#include <string>
#include <vector>

#include "outbound/guard/address.hpp"
#include "outbound/guard/url.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The private addresses that an operator allows.
struct Guard {
  /// All private addresses, and plain http: on loopback, or with --allow-private-agents.
  bool allows_private = false;
  std::vector<Cidr> allowed;  ///< these, also with plain http: --allow-private-agents=CIDR,...
};

/// The properties of a call that the guard checks.
struct Caller {
  Scheme scheme = Scheme::https;
  bool is_trusted = false;  ///< HttpRequest::is_trusted
};

/// The checks before resolving: plain http where it is never allowed, and a literal address that may not be called.
[[nodiscard]] std::optional<Failure> check_url(const Guard& guard, const Url& url, bool is_trusted);

/// Whether a connection to the address may be opened. Never true for link-local and metadata addresses.
[[nodiscard]] bool permits(const Guard& guard, const Address& address, Caller caller);

/// The failure of a call that permits() forbids. It names the host, not the address that the name resolves to.
[[nodiscard]] Failure refused(const Url& url);

}  // namespace parley::outbound
