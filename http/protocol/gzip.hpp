#pragma once
/// gzip compression of answers (RFC 9110 section 12.5.3): what the client's Accept-Encoding allows, and the
/// compression itself. Pure functions; any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/protocol/response.hpp"

namespace parley::http {

/// Compressing a smaller body saves less than the header field costs.
inline constexpr std::size_t gzip_bytes_min = 1024;
/// A worker compresses about 100 MB/s while its other connections wait: some 40 ms at most.
inline constexpr std::size_t gzip_bytes_max = 4 * 1024 * 1024;

/// Whether gzip is acceptable and at least as preferred as the plain body. `accept_encoding`: all lines of the field
/// joined into one.
[[nodiscard]] bool wants_gzip(std::string_view accept_encoding);

/// The text as a gzip member, at the fastest level.
[[nodiscard]] std::string gzipped(std::string_view text);

/// The content of a gzip member; nullopt if the input is not one or expands to more than `most` bytes.
[[nodiscard]] std::optional<std::string> unzipped(std::string_view packed, std::size_t most);

/// Compresses the body if that pays off, and then sets Content-Encoding and the entity tag of the compressed form.
void encode(Response& response, bool client_wants_gzip);

/// The entity tag of the compressed form, which must differ from the plain tag (RFC 9110 section 8.8.3.3).
[[nodiscard]] std::string packed_tag(std::string_view tag);

}  // namespace parley::http
