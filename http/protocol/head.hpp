#pragma once
/// Field lines, and what the fields of a complete head imply for the rest of the request (RFC 9112 sections
/// 3.2, 5, 6). Pure functions; called by the framer.

#include <cstddef>
#include <string_view>
#include <variant>

#include "http/protocol/framing_fault.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

/// Reads one field line without its CRLF. Problem: 400 `invalid-field`.
[[nodiscard]] std::variant<Field, FramingFault> parse_field(std::string_view line);

/// How the body is delimited, and what the client wants of the connection.
struct Framing {
  enum class Body { none, length, chunked };
  Body body = Body::none;
  std::size_t length = 0;         ///< with Body::length
  bool expects_continue = false;  ///< the client waits for 100 before sending the body
  bool close = false;             ///< the connection ends with the answer
};

/// Checks a head whose method, version and fields are set, in this order: Host, Transfer-Encoding and
/// Content-Length, Authorization, Expect, body size. Problem: 400, 413, 417 or 501 (D14).
[[nodiscard]] std::variant<Framing, FramingFault> framing_of(const Request& head, std::size_t body_bytes_max);

}  // namespace parley::http
