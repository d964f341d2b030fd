#pragma once
/// The body of POST /v1/traces (OTLP/HTTP 1.x), and its answers. Pure functions; any thread.

#include "convert/traces/pushed_traces.hpp"
#include "http/exchange/inputs.hpp"
#include "http/exchange/reply.hpp"

namespace parley::http {

/// Size after decompression. Exporters send some hundred KiB in one request.
inline constexpr std::size_t otlp_bytes_max = 8 * 1024 * 1024;

/// An input of a handler whose media type and coding are supported.
struct OtlpBody {
  bool is_protobuf = false;
  bool is_packed = false;  ///< compressed with gzip
};

[[nodiscard]] Expected<OtlpBody> look_at_otlp(const RequestContext& call);

/// Decompresses and parses the body; takes up to a second. Problem: 400, 413.
[[nodiscard]] Expected<convert::PushedTraces> read_otlp(const OtlpBody& body, std::string_view bytes);

/// ExportTraceServiceResponse, with a partial success if spans were refused or a message is given.
[[nodiscard]] Reply otlp_reply(const OtlpBody& body, std::size_t spans_refused, const std::string& message);

template <>
struct Input<OtlpBody> : BodyInput<OtlpBody> {
  static Expected<OtlpBody> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    return look_at_otlp(call);
  }
};

}  // namespace parley::http
