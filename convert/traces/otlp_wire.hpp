#pragma once
/// Converts a protobuf ExportTraceServiceRequest (OTLP) to the OTLP JSON that the span reader accepts. Only the
/// messages of the trace service are known; fields with other numbers are skipped, as protobuf requires. Pure; any
/// thread. ADR 60 explains why this is not generated code.
///
///   message = *(tag value)             tag = varint (number << 3 | wire type)
///   value   = varint | 8 bytes | varint length, bytes | 4 bytes             ; wire types 0, 1, 2, 5

#include <optional>
#include <string>
#include <string_view>

namespace parley::convert {

/// Maximum bytes of the JSON for one request.
inline constexpr std::size_t otlp_json_bytes_max = 64UL * 1024 * 1024;

/// nullopt: not such a message, nested too deeply, a text that is not UTF-8, or JSON that is too large.
[[nodiscard]] std::optional<std::string> otlp_json(std::string_view protobuf);

}  // namespace parley::convert
