#pragma once
/// Url: the parts of an http or https URL. The grammar is so strict that two readers cannot interpret a URL
/// differently.
///
///   url    = ("http" | "https") "://" host [":" port] [target]
///   host   = label *("." label) ["."]   letters, digits, "-", "_"; ASCII only, so IDNA names in their xn-- form;
///                                           the dot at the end is dropped
///          | 4 decimal numbers 0-255 | "[" IPv6 "]"      no octal, hexadecimal or short IPv4, no zone
///   target = ("/" | "?") *printable         no space, control or non-ASCII byte; "#..." is cut off

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

enum class Scheme { http, https };

struct Url {
  Scheme scheme = Scheme::https;
  std::string host;  ///< lower case; an IPv6 address without its brackets
  std::uint16_t port = 443;
  std::string target = "/";
  bool operator==(const Url&) const = default;
};

/// Failure: `bad_url` with the reason. Rejects a user name in the URL.
[[nodiscard]] std::variant<Url, Failure> parse_url(std::string_view text);

/// `https://host:443`: identifies the slots and the circuit breaker of a call.
[[nodiscard]] std::string origin(const Url& url);
/// `host`, or `host:port` if the port is not the scheme's default, for messages.
[[nodiscard]] std::string name_of(const Url& url);
/// The URL in normal form.
[[nodiscard]] std::string to_text(const Url& url);

}  // namespace parley::outbound
