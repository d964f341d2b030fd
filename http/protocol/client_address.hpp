#pragma once
/// The client's address on a server that uses proxies (D106): the address that a trusted proxy reports in
/// X-Forwarded-For or Forwarded (RFC 7239). Immutable values and pure functions; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/protocol/request.hpp"
#include "store/audit/author.hpp"

namespace parley::http {

/// Addresses with a common prefix; IPv4 addresses in their mapped form.
struct Network {
  store::Address address{};
  unsigned prefix_bits = 128;

  [[nodiscard]] bool has(const store::Address& other) const;
};

/// `10.0.0.0/8`, `192.0.2.7`, `2001:db8::/32`; nullopt for any other text.
[[nodiscard]] std::optional<Network> network_from_text(std::string_view text);
/// Parses an address as proxies write it: bare, with a port, in brackets or quotes.
[[nodiscard]] std::optional<store::Address> address_from_text(std::string_view text);
/// `192.0.2.7` or `2001:db8::1`; empty if the address is unknown.
[[nodiscard]] std::string text_of(const store::Address& address);

class TrustedProxies {
 public:
  explicit TrustedProxies(std::vector<Network> networks) : networks_(std::move(networks)) {}

  /// The last address that does not belong to a trusted proxy, searched from the connection backwards along the
  /// field. A field that a client may have written is never trusted: an untrusted connection counts as the client
  /// itself, an entry that is not an address ends the search, and if both fields are present and disagree, the
  /// connection's address counts.
  [[nodiscard]] store::Address client_of(const Request& request) const;

 private:
  [[nodiscard]] bool trusts(const store::Address& address) const;
  [[nodiscard]] store::Address along(const store::Address& peer,
                                     const std::vector<std::string>& entries) const;

  std::vector<Network> networks_;
};

}  // namespace parley::http
