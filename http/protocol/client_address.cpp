#include "http/protocol/client_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

constexpr std::array<std::uint8_t, 12> v4_mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool is_v4(const store::Address& address) {
  return std::equal(v4_mapped.begin(), v4_mapped.end(), address.begin());
}

/// Parses an address without port, brackets or quotes.
std::optional<store::Address> bare_address(const std::string& text) {
  store::Address address{};
  if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
  std::copy(v4_mapped.begin(), v4_mapped.end(), address.begin());
  if (inet_pton(AF_INET, text.c_str(), address.data() + v4_mapped.size()) == 1) return address;
  return std::nullopt;
}

/// Splits at commas (or semicolons) outside quotes.
std::vector<std::string> pieces_of(std::string_view text, char separator) {
  std::vector<std::string> pieces(1);
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == separator && !is_quoted) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

/// The `for` parameter of each element of Forwarded; empty for an element without one.
std::vector<std::string> forwarded_for(const std::string& field) {
  std::vector<std::string> entries;
  for (const std::string& element : pieces_of(field, ',')) {
    std::string entry;
    for (const std::string& pair : pieces_of(element, ';')) {
      const std::string_view text = trimmed(pair);
      const auto equals = text.find('=');
      if (equals == std::string_view::npos || !same_ignoring_case(text.substr(0, equals), "for")) continue;
      entry = text.substr(equals + 1);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

bool Network::has(const store::Address& other) const {
  for (unsigned bit = 0; bit < prefix_bits; bit += 8) {
    const unsigned left = std::min(8U, prefix_bits - bit);
    const unsigned mask = (0xffU << (8 - left)) & 0xffU;
    if ((address.at(bit / 8) & mask) != (other.at(bit / 8) & mask)) return false;
  }
  return true;
}

std::optional<Network> network_from_text(std::string_view text) {
  text = trimmed(text);
  const auto slash = text.find('/');
  const auto address = bare_address(std::string(text.substr(0, slash)));
  if (!address) return std::nullopt;
  const unsigned most = is_v4(*address) && text.find(':') == std::string_view::npos ? 32 : 128;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const std::string_view given = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), bits);
    if (error != std::errc{} || end != given.data() + given.size() || bits > most) return std::nullopt;
  }
  return Network{*address, bits + 128 - most};
}

std::optional<store::Address> address_from_text(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (!text.empty() && text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    return bare_address(std::string(text.substr(1, end - 1)));
  }
  const bool has_port = std::count(text.begin(), text.end(), ':') == 1;
  return bare_address(std::string(has_port ? text.substr(0, text.find(':')) : text));
}

std::string text_of(const store::Address& address) {
  if (address == store::Address{}) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool is_short = is_v4(address);
  const void* bytes = is_short ? address.data() + v4_mapped.size() : address.data();
  if (inet_ntop(is_short ? AF_INET : AF_INET6, bytes, text.data(), text.size()) == nullptr) return {};
  return text.data();
}

bool TrustedProxies::trusts(const store::Address& address) const {
  return std::any_of(networks_.begin(), networks_.end(),
                     [&](const Network& each) { return each.has(address); });
}

store::Address TrustedProxies::along(const store::Address& peer,
                                     const std::vector<std::string>& entries) const {
  store::Address client = peer;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto address = address_from_text(*entry);
    if (!address) break;
    client = *address;
    if (!trusts(client)) break;
  }
  return client;
}

store::Address TrustedProxies::client_of(const Request& request) const {
  if (networks_.empty() || !trusts(request.peer)) return request.peer;
  const std::string listed = request.joined("X-Forwarded-For");
  const std::string forwarded = request.joined("Forwarded");
  if (listed.empty() && forwarded.empty()) return request.peer;
  const store::Address by_list = along(request.peer, pieces_of(listed, ','));
  const store::Address by_forwarded = along(request.peer, forwarded_for(forwarded));
  if (listed.empty()) return by_forwarded;
  if (forwarded.empty()) return by_list;
  return by_list == by_forwarded ? by_list : request.peer;
}

}  // namespace parley::http
