#include "http/protocol/head.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/request_line.hpp"

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

/// A number above 64 bits reads as the largest one, which exceeds every limit.
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
  framing.close = head.minor_version == 0 || head.lists("connection", "close");
  return framing;
}

}  // namespace parley::http
