#include "http/protocol/request_line.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/transport_limits.hpp"
#include "model/text/ascii.hpp"

namespace parley::http {
namespace {

constexpr std::array<std::string_view, 7> methods{"GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"};

FramingFault invalid(std::string detail) {
  return framing_fault(ProblemKind::invalid_request_line, std::move(detail));
}

/// Visible ASCII; `#` belongs to no request target (RFC 9112 section 3.2).
bool is_target_text(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F && c != '#'; });
}

std::optional<FramingFault> version_fault(std::string_view version) {
  const bool well_formed = version.size() == 8 && version.substr(0, 5) == "HTTP/" &&
                           ascii::is_digit(version[5]) && version[6] == '.' && ascii::is_digit(version[7]);
  if (!well_formed) return invalid("The request line must end with HTTP/1.1.");
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return {};
  return framing_fault(ProblemKind::unsupported_version, "Use HTTP/1.1.");
}

/// Reduces the target to path?query, from any of its forms.
std::optional<FramingFault> reduce_target(RequestLine& line) {
  if (line.target.front() == '/') return {};
  if (line.target == "*" && line.method == "OPTIONS") return {};
  const auto scheme_end = line.target.find("://");
  const auto scheme = line.target.substr(0, scheme_end);
  if (scheme_end == std::string_view::npos ||
      !(same_ignoring_case(scheme, "http") || same_ignoring_case(scheme, "https")))
    return invalid("The request target must be a path that begins with a slash.");
  const auto rest = line.target.substr(scheme_end + 3);
  const auto authority = rest.substr(0, rest.find_first_of("/?"));
  if (!is_authority(authority)) return invalid("The request target does not name a valid host.");
  line.target = rest.substr(authority.size());
  line.path_missing = line.target.empty() || line.target.front() == '?';
  return {};
}

bool is_name_char(char c) {
  return ascii::is_digit(c) || ascii::is_letter(c) ||
         std::string_view("-._~!$&'()*+,;=").find(c) != std::string_view::npos;
}

bool is_host_name(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      if (text.size() - at < 3 || !ascii::is_hex(text[at + 1]) || !ascii::is_hex(text[at + 2])) return false;
      at += 2;
    } else if (!is_name_char(text[at])) {
      return false;
    }
  }
  return !text.empty();
}

bool is_ip_literal(std::string_view text) {
  return std::count(text.begin(), text.end(), ':') >= 2 && std::all_of(text.begin(), text.end(), [](char c) {
           return ascii::is_hex(c) || c == ':' || c == '.';
         });
}

bool is_port(std::string_view text) {
  constexpr std::size_t digits_max = 5;
  if (text.empty()) return true;  // RFC 3986 section 3.2.3: the colon may stand alone
  if (!is_digits(text) || text.size() > digits_max) return false;
  int port = 0;
  for (const char c : text) port = port * 10 + (c - '0');
  return port <= 65'535;
}

}  // namespace

std::variant<RequestLine, FramingFault> parse_request_line(std::string_view line) {
  const auto first_space = line.find(' ');
  const auto last_space = line.rfind(' ');
  if (first_space == std::string_view::npos || first_space == last_space)
    return invalid("The request line must be: method, space, target, space, version.");
  RequestLine parsed;
  parsed.method = line.substr(0, first_space);
  parsed.target = line.substr(first_space + 1, last_space - first_space - 1);
  const auto version = line.substr(last_space + 1);
  if (!is_token(parsed.method)) return invalid("The method contains an invalid character.");
  if (!is_target_text(parsed.target))
    return invalid(
        "The request target must contain only visible ASCII characters; percent-encode the others.");
  if (parsed.target.size() > bounds::target_bytes_max)
    return framing_fault(ProblemKind::target_too_long, "The request target must have at most 4096 bytes.");
  if (auto fault = version_fault(version)) return *std::move(fault);
  parsed.minor_version = version.back() - '0';
  if (std::find(methods.begin(), methods.end(), parsed.method) == methods.end())
    return framing_fault(ProblemKind::unknown_method, "Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.");
  if (auto fault = reduce_target(parsed)) return *std::move(fault);
  return parsed;
}

bool is_authority(std::string_view text) {
  if (!text.empty() && text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos || !is_ip_literal(text.substr(1, end - 1))) return false;
    const auto rest = text.substr(end + 1);
    return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
  }
  const auto colon = text.find(':');
  if (!is_host_name(text.substr(0, colon))) return false;
  return colon == std::string_view::npos || is_port(text.substr(colon + 1));
}

}  // namespace parley::http
