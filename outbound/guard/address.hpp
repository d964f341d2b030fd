#pragma once
/// Address: an IP address and the kind of network that it is in. Pure values.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace parley::outbound {

/// 16 bytes; IPv4 as ::ffff:a.b.c.d.
struct Address {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const Address&) const = default;
};

enum class Reach {
  everywhere,  ///< the public internet
  inside,      ///< loopback, private, shared, reserved, multicast, and addresses that embed one of these
  never,       ///< link-local and cloud metadata, embedded or not
};

[[nodiscard]] Reach reach(const Address& address);

/// Parses dotted IPv4 or IPv6 text without brackets and zone; nullopt for anything else.
[[nodiscard]] std::optional<Address> address_from_text(std::string_view text);
/// nullopt for a family that is neither IPv4 nor IPv6.
[[nodiscard]] std::optional<Address> address_from(const sockaddr& socket_address);
[[nodiscard]] std::string to_text(const Address& address);

/// A range of addresses, such as `10.0.0.0/8` or `fd00::/8`.
struct Cidr {
  Address network;
  int bits = 128;  ///< of all 128 bits, so an IPv4 /8 is 104
  bool operator==(const Cidr&) const = default;
};

/// Parses `ADDRESS/BITS` or a single address; nullopt if malformed, or if bits beyond the prefix are set.
[[nodiscard]] std::optional<Cidr> cidr_from_text(std::string_view text);
[[nodiscard]] bool contains(const Cidr& range, const Address& address);

}  // namespace parley::outbound
