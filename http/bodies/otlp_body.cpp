#include "http/bodies/otlp_body.hpp"

#include "convert/traces/otlp_wire.hpp"
#include "http/protocol/field_grammar.hpp"
#include "http/protocol/gzip.hpp"

namespace parley::http {
namespace {

constexpr std::string_view protobuf_media_type = "application/x-protobuf";

/// Appends a protobuf field with a varint value.
void append_varint(std::string& out, char tag, std::uint64_t number) {
  out += tag;
  for (; number >= 0x80; number >>= 7U) out += static_cast<char>((number & 0x7fU) | 0x80U);
  out += static_cast<char>(number);
}

/// Appends a length-delimited protobuf field.
void append_field(std::string& out, char tag, std::string_view bytes) {
  append_varint(out, tag, bytes.size());
  out += bytes;
}

}  // namespace

Expected<OtlpBody> look_at_otlp(const RequestContext& call) {
  const std::string_view type =
      trimmed(std::string_view(call.content_type).substr(0, call.content_type.find(';')));
  OtlpBody body;
  body.is_protobuf = same_ignoring_case(type, protobuf_media_type);
  if (!body.is_protobuf && !is_json_media_type(call.content_type)) {
    return problem(ProblemKind::unsupported_media_type,
                   "send the traces with Content-Type: application/x-protobuf or application/json");
  }
  const std::string_view coding = trimmed(call.content_encoding);
  body.is_packed = same_ignoring_case(coding, "gzip");
  if (!body.is_packed && !coding.empty() && !same_ignoring_case(coding, "identity")) {
    return problem(ProblemKind::unsupported_media_type,
                   "send the traces with gzip or without Content-Encoding");
  }
  if (call.body.size() > otlp_bytes_max)
    return problem(ProblemKind::body_too_large, "send at most 8 MiB of traces at once");
  return body;
}

Expected<convert::PushedTraces> read_otlp(const OtlpBody& body, std::string_view bytes) {
  std::string text(bytes);
  if (body.is_packed) {
    auto unpacked = unzipped(bytes, otlp_bytes_max);
    if (!unpacked) return body_fault("", "must be one gzip member of at most 8 MiB of traces");
    text = std::move(*unpacked);
  }
  if (body.is_protobuf) {
    auto json = convert::otlp_json(text);
    if (!json) return body_fault("", "must be an ExportTraceServiceRequest of OTLP in protobuf");
    text = std::move(*json);
  }
  convert::PushedTraces pushed = convert::read_pushed_traces(std::move(text));
  if (!pushed.fault.empty()) return body_fault("", pushed.fault);
  return pushed;
}

Reply otlp_reply(const OtlpBody& body, std::size_t spans_refused, const std::string& message) {
  const bool is_partial = spans_refused > 0 || !message.empty();
  if (!body.is_protobuf) {
    json::Writer out;
    out.begin_object();
    if (is_partial) {
      out.key("partialSuccess").begin_object().member("rejectedSpans", std::to_string(spans_refused));
      out.member("errorMessage", message).end_object();
    }
    out.end_object();
    return json_reply(std::move(out).text());
  }
  Reply reply;
  reply.media_type = protobuf_media_type;
  if (is_partial) {  // ExportTraceServiceResponse.partial_success {rejected_spans = 1, error_message = 2}
    std::string partial;
    if (spans_refused > 0) append_varint(partial, 0x08, spans_refused);
    if (!message.empty()) append_field(partial, 0x12, message);
    append_field(reply.body, 0x0a, partial);
  }
  return reply;
}

}  // namespace parley::http
