#pragma once
/// gzip of answers (RFC 9110 section 12.5.3): what a client's Accept-Encoding allows, and the packing. Pure functions;
/// any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/protocol/response.hpp"

namespace parley::http {

/// A packed body saves less than its header field costs below this.
inline constexpr std::size_t gzip_bytes_min = 1024;
/// A worker packs about 100 MB a second and its other connections wait: at most some 40 ms.
inline constexpr std::size_t gzip_bytes_max = 4 * 1024 * 1024;

/// Whether gzip is acceptable and at least as welcome as the plain body. `accept_encoding`: all lines of the field as one.
[[nodiscard]] bool wants_gzip(std::string_view accept_encoding);

/// A gzip member of the text, at the fastest level.
[[nodiscard]] std::string gzipped(std::string_view text);

/// Packs the body where that is worth it and gives the answer its Content-Encoding and the entity tag of that form.
void encode(Response& response, bool client_wants_gzip);

/// The entity tag of the packed form, which must differ from that of the plain one (RFC 9110 section 8.8.3.3).
[[nodiscard]] std::string packed_tag(std::string_view tag);

}  // namespace parley::http
