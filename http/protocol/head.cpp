#include "http/protocol/head.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/transport_limits.hpp"
#include "model/text/ascii.hpp"

namespace parley::http {
namespace {

FramingFault invalid_field(std::string detail) {
  return framing_fault(ProblemKind::invalid_field, std::move(detail));
}

std::optional<FramingFault> host_fault(const Request& head) {
  const auto* host = head.find("host");
  if (host == nullptr) {
    if (head.minor_version == 0) return {};
    return framing_fault(ProblemKind::invalid_host, "HTTP/1.1 requires a Host field.");
  }
  if (head.count("host") > 1) return framing_fault(ProblemKind::invalid_host, "Send one Host field only.");
  if (!is_authority(host->value))
    return framing_fault(ProblemKind::invalid_host, "The Host field is not a valid host.");
  return {};
}

/// A number that exceeds 64 bits is read as the largest 64-bit number, which exceeds every limit.
std::size_t saturating_number(std::string_view digits) {
  constexpr auto greatest = std::numeric_limits<std::size_t>::max();
  std::size_t number = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::size_t>(c - '0');
    if (number > (greatest - digit) / 10) return greatest;
    number = number * 10 + digit;
  }
  return number;
}

std::optional<FramingFault> length_fault(const Request& head, Framing& framing) {
  const auto* length = head.find("content-length");
  if (length == nullptr) return {};
  if (head.count("content-length") > 1 || !is_digits(length->value))
    return framing_fault(ProblemKind::invalid_content_length,
                         "Send one Content-Length field that is a decimal number.");
  framing.body = Framing::Body::length;
  framing.length = saturating_number(length->value);
  return {};
}

std::optional<FramingFault> encoding_fault(const Request& head, Framing& framing) {
  const auto invalid = [](std::string detail) {
    return framing_fault(ProblemKind::invalid_transfer_encoding, std::move(detail));
  };
  const auto* encoding = head.find("transfer-encoding");
  if (encoding == nullptr) return {};
  if (head.minor_version == 0) return invalid("HTTP/1.0 does not allow Transfer-Encoding.");
  if (head.find("content-length") != nullptr)
    return framing_fault(ProblemKind::invalid_content_length,
                         "Send either Content-Length or Transfer-Encoding.");
  if (head.count("transfer-encoding") > 1) return invalid("Send one Transfer-Encoding field only.");
  const auto codings = list_elements(encoding->value);
  if (!std::all_of(codings.begin(), codings.end(), is_token))
    return invalid("Transfer-Encoding must be chunked.");
  const auto chunked = std::count_if(codings.begin(), codings.end(), [](std::string_view each) {
    return same_ignoring_case(each, "chunked");
  });
  const bool is_last = same_ignoring_case(codings.back(), "chunked");
  if (chunked > 1 || (chunked == 1 && !is_last)) return invalid("chunked must be the last coding, once.");
  if (codings.size() > 1 || !is_last)
    return framing_fault(ProblemKind::unknown_transfer_encoding,
                         "The only supported transfer coding is chunked.");
  framing.body = Framing::Body::chunked;
  return {};
}

std::optional<FramingFault> expect_fault(const Request& head, Framing& framing) {
  for (const auto& field : head.fields) {
    if (!same_ignoring_case(field.name, "expect")) continue;
    if (!same_ignoring_case(field.value, "100-continue"))
      return framing_fault(ProblemKind::expectation_failed,
                           "The only supported expectation is 100-continue.");
    // RFC 9110 section 10.1.1: an HTTP/1.0 client does not understand 100.
    framing.expects_continue = head.minor_version == 1;
  }
  return {};
}

constexpr std::array<std::string_view, 7> methods{"GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"};

FramingFault invalid(std::string detail) {
  return framing_fault(ProblemKind::invalid_request_line, std::move(detail));
}

/// Visible ASCII; a request target never contains `#` (RFC 9112 section 3.2).
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

/// Reduces a target in any of its forms to path?query.
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
  if (text.empty()) return true;  // RFC 3986 section 3.2.3: the port after the colon may be empty
  if (!is_digits(text) || text.size() > digits_max) return false;
  int port = 0;
  for (const char c : text) port = port * 10 + (c - '0');
  return port <= 65'535;
}

}  // namespace

std::variant<Field, FramingFault> parse_field(std::string_view line) {
  if (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
    return invalid_field("A field must not be folded across lines.");
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return invalid_field("A field line has no colon.");
  const Field field{line.substr(0, colon), trimmed(line.substr(colon + 1))};
  if (!is_token(field.name))
    return invalid_field("A field name is empty or contains a space or another invalid character.");
  if (!is_field_text(field.value)) return invalid_field("A field value contains a control character.");
  return field;
}

std::variant<Framing, FramingFault> framing_of(const Request& head, std::size_t body_bytes_max) {
  Framing framing;
  if (auto fault = host_fault(head)) return *std::move(fault);
  if (auto fault = encoding_fault(head, framing)) return *std::move(fault);
  if (framing.body == Framing::Body::none) {
    if (auto fault = length_fault(head, framing)) return *std::move(fault);
  }
  if (head.count("authorization") > 1)
    return framing_fault(ProblemKind::repeated_authorization, "Send one Authorization field only.");
  if (auto fault = expect_fault(head, framing)) return *std::move(fault);
  if (framing.length > body_bytes_max)
    return framing_fault(ProblemKind::body_too_large,
                         "The body must have at most " + std::to_string(body_bytes_max) + " bytes.");
  // RFC 9112 section 9.3: an HTTP/1.0 client must request a persistent connection.
  const bool stays = head.minor_version == 1 || head.lists("connection", "keep-alive");
  framing.close = !stays || head.lists("connection", "close");
  return framing;
}

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
