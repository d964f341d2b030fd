#include "outbound/guard/address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "model/check.hpp"

namespace parley::outbound {
namespace {

constexpr int bits_of_v4 = 96;  // length of the prefix ::ffff:0:0/96

struct Row {
  std::string_view range;
  Reach reach;
};

// The first row that contains an address decides. Sources: IANA's special-purpose registries, the providers' documents.
constexpr Row rows[] = {
    {"169.254.0.0/16", Reach::never},      // link-local, and the metadata service of most clouds
    {"fe80::/10", Reach::never},           // link-local
    {"100.100.100.200/32", Reach::never},  // metadata: Alibaba
    {"168.63.129.16/32", Reach::never},    // metadata: Azure
    {"192.0.0.192/32", Reach::never},      // metadata: Oracle
    {"fd00:ec2::254/128", Reach::never},   // metadata: AWS
    {"fd20:ce::254/128", Reach::never},    // metadata: Google
    {"0.0.0.0/8", Reach::inside},          // this host
    {"10.0.0.0/8", Reach::inside},
    {"100.64.0.0/10", Reach::inside},  // shared by carriers
    {"127.0.0.0/8", Reach::inside},
    {"172.16.0.0/12", Reach::inside},
    {"192.0.0.0/24", Reach::inside},
    {"192.0.2.0/24", Reach::inside},  // documentation, like the next two
    {"198.51.100.0/24", Reach::inside},
    {"203.0.113.0/24", Reach::inside},
    {"192.88.99.0/24", Reach::inside},  // 6to4 relays
    {"192.168.0.0/16", Reach::inside},
    {"198.18.0.0/15", Reach::inside},  // benchmarks
    {"224.0.0.0/4", Reach::inside},    // multicast
    {"240.0.0.0/4", Reach::inside},    // reserved, broadcast
    {"::ffff:0:0/96", Reach::everywhere},
    {"64:ff9b:1::/48", Reach::inside},  // local NAT64
    {"2001::/23", Reach::inside},       // protocol assignments, Teredo
    {"2001:db8::/32", Reach::inside},
    {"2000::/3", Reach::everywhere},
    {"::/0", Reach::inside},  // loopback, ULA, multicast, compatible, and unassigned ranges
};

struct Range {
  Cidr cidr;
  Reach reach;
};

const std::array<Range, std::size(rows)>& ranges() {
  static const auto all = [] {
    std::array<Range, std::size(rows)> read{};
    for (std::size_t i = 0; i < read.size(); ++i) {
      const auto cidr = cidr_from_text(rows[i].range);
      CHECK(cidr.has_value());
      read[i] = {*cidr, rows[i].reach};
    }
    return read;
  }();
  return all;
}

Reach listed(const Address& address) {
  for (const auto& [cidr, reach] : ranges())
    if (contains(cidr, address)) return reach;
  return Reach::inside;
}

Address v4(const std::uint8_t* bytes) {
  Address address;
  address.bytes[10] = address.bytes[11] = 0xff;
  std::copy_n(bytes, 4, address.bytes.begin() + 12);
  return address;
}

// The IPv4 address inside an IPv6 address that a gateway may translate: NAT64, 6to4, IPv4-compatible.
std::optional<Address> wrapped(const Address& address) {
  constexpr std::array<std::uint8_t, 12> nat64{0, 0x64, 0xff, 0x9b};
  constexpr std::array<std::uint8_t, 12> compatible{};
  const auto& bytes = address.bytes;
  if (std::equal(nat64.begin(), nat64.end(), bytes.begin())) return v4(&bytes[12]);
  if (std::equal(compatible.begin(), compatible.end(), bytes.begin())) return v4(&bytes[12]);
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return v4(&bytes[2]);
  return std::nullopt;
}

bool is_v4(const Address& address) {
  static const Cidr mapped = *cidr_from_text("::ffff:0:0/96");
  return contains(mapped, address);
}

}  // namespace

Reach reach(const Address& address) {
  const auto inner = wrapped(address);
  // An embedded address is never public: it is used to evade a list like this.
  if (inner) return listed(*inner) == Reach::never ? Reach::never : Reach::inside;
  return listed(address);
}

std::optional<Address> address_from_text(std::string_view text) {
  if (text.size() >= INET6_ADDRSTRLEN) return std::nullopt;
  const std::string terminated(text);
  std::array<std::uint8_t, 4> four{};
  if (::inet_pton(AF_INET, terminated.c_str(), four.data()) == 1) return v4(four.data());
  Address address;
  if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::optional<Address> address_from(const sockaddr& socket_address) {
  // Copied, because the caller's bytes have another type.
  if (socket_address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &socket_address, sizeof in);
    std::array<std::uint8_t, 4> four{};
    std::memcpy(four.data(), &in.sin_addr, four.size());
    return v4(four.data());
  }
  if (socket_address.sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &socket_address, sizeof in);
    Address address;
    std::memcpy(address.bytes.data(), &in.sin6_addr, address.bytes.size());
    return address;
  }
  return std::nullopt;
}

std::string to_text(const Address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_v4(address))
    ::inet_ntop(AF_INET, &address.bytes[12], text.data(), text.size());
  else
    ::inet_ntop(AF_INET6, address.bytes.data(), text.data(), text.size());
  return text.data();
}

std::optional<Cidr> cidr_from_text(std::string_view text) {
  const auto slash = text.find('/');
  const auto head = text.substr(0, slash);
  const auto network = address_from_text(head);
  if (!network) return std::nullopt;
  const int offset = head.find(':') == std::string_view::npos ? bits_of_v4 : 0;
  int bits = 128 - offset;
  if (slash != std::string_view::npos) {
    const auto tail = text.substr(slash + 1);
    int given = -1;
    const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), given);
    if (error != std::errc() || end != tail.data() + tail.size() || given < 0 || given > bits)
      return std::nullopt;
    bits = given;
  }
  const Cidr range{*network, bits + offset};
  for (int bit = range.bits; bit < 128; ++bit)
    if (network->bytes[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8) & 1) return std::nullopt;
  return range;
}

bool contains(const Cidr& range, const Address& address) {
  const auto whole = static_cast<std::size_t>(range.bits / 8);
  if (!std::equal(address.bytes.begin(), address.bytes.begin() + range.bits / 8, range.network.bytes.begin()))
    return false;
  const int rest = range.bits % 8;
  return rest == 0 || (address.bytes[whole] ^ range.network.bytes[whole]) >> (8 - rest) == 0;
}

}  // namespace parley::outbound
