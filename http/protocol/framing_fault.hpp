#pragma once
/// FramingFault: why a request cannot be read or answered by the transport (D14). The product renders it.

#include <string>
#include <string_view>
#include <utility>

namespace parley::http {

/// The kinds, by slug:
///
///   slug                       status   what is wrong
///   invalid-request-line       400      method, target, version or their separators
///   target-too-long            414      request line over 8 KiB or target over 4 KiB
///   unknown-method             501      not one of GET HEAD POST PUT PATCH DELETE OPTIONS
///   unsupported-version        505      neither HTTP/1.0 nor HTTP/1.1
///   invalid-field              400      syntax of a field line, of its end, or of a trailer
///   fields-too-large           431      a line over 8 KiB, all over 16 KiB, more than 64 fields
///   invalid-host               400      missing, repeated or no host at all
///   invalid-content-length     400      repeated, no number, beside Transfer-Encoding
///   invalid-transfer-encoding  400      chunked not last or not once, or on HTTP/1.0
///   unknown-transfer-encoding  501      a coding other than chunked
///   repeated-authorization     400      two Authorization fields (D14)
///   invalid-chunk              400      size, extension or end of a chunk
///   body-too-large             413      announced or received
///   expectation-failed         417      an Expect other than 100-continue
///   request-timeout            408      head or body too slow
///   internal                   500      the handler failed, or its answer cannot be sent
///   busy                       503      too many connections, or bytes of bodies or answers that are under way
///   draining                   503      the server stops before the answer came
struct FramingFault {
  int status = 400;
  std::string_view slug;        ///< a literal of the table
  std::string detail;           ///< a sentence that says what to do
  std::string request_id = {};  ///< the X-Request-Id that came before the fault; empty: none
  bool operator==(const FramingFault&) const = default;
};

/// The status belongs to the slug, so call sites name only the slug.
[[nodiscard]] FramingFault framing_fault(std::string_view slug, std::string detail);

}  // namespace parley::http
