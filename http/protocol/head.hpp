#pragma once
/// Parses the head of a request strictly (RFC 9112): its first line, its field lines, and what the fields imply for
/// the rest of the request (sections 3, 5, 6). Pure functions; called by the framer.

#include <cstddef>
#include <string_view>
#include <variant>

#include "http/protocol/framing_fault.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

/// Parses one field line without its CRLF. Problem: 400 `invalid-field`.
[[nodiscard]] std::variant<Field, FramingFault> parse_field(std::string_view line);

/// How the body is delimited, and what the client requests for the connection.
struct Framing {
  enum class Body { none, length, chunked };
  Body body = Body::none;
  std::size_t length = 0;         ///< only with Body::length
  bool expects_continue = false;  ///< the client waits for 100 before sending the body
  bool close = false;             ///< the connection ends with the answer
};

/// Checks a head whose method, version and fields are set. Order: Host, Transfer-Encoding and Content-Length,
/// Authorization, Expect, body size. Problem: 400, 413, 417 or 501 (D14).
[[nodiscard]] std::variant<Framing, FramingFault> framing_of(const Request& head, std::size_t body_bytes_max);

/// Views into the line. `target` is the path with its query, even if the line uses the absolute form.
struct RequestLine {
  std::string_view method;
  std::string_view target;
  int minor_version = 1;
  /// Set for an absolute form without a path: `target` is empty or only `?query`, and the character before it may be
  /// overwritten.
  bool path_missing = false;
};

/// Parses a line without its CRLF. Problem: 400, 414, 501 or 505, whichever applies first in the order of the checks:
/// separators, characters, length, version, method, form of the target.
[[nodiscard]] std::variant<RequestLine, FramingFault> parse_request_line(std::string_view line);

/// Whether the text is a host with an optional port, as in a Host field or an absolute target (RFC 3986 section
/// 3.2.2, no user information).
[[nodiscard]] bool is_authority(std::string_view text);

}  // namespace parley::http
