#pragma once
/// Spans of OpenTelemetry in one form: from OTLP JSON, Jaeger exports and lists of spans. Log records that are events of a span,
/// as AWS Distro for OpenTelemetry sends them, become events of it. Plain values.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

using Attributes = std::map<std::string, Node>;

struct SpanEvent {
  std::string name;
  Attributes attributes;
  std::string time = {};  ///< of a log record
};

struct Span {
  std::string trace_id;
  std::string span_id;
  std::string parent_id;  ///< empty: it is the root
  std::string name;
  std::string begin;  ///< of `time_of`
  std::optional<double> milliseconds;
  bool has_error = false;
  Attributes attributes;
  std::vector<SpanEvent> events;
  Place place;
  bool is_record = false;  ///< made of a log record

  /// The attribute, or null.
  [[nodiscard]] const Node* find(const std::string& key) const;
  [[nodiscard]] std::string text_of(const std::string& key) const;
};

/// All spans and log records of the document; empty for other documents.
[[nodiscard]] std::vector<Span> spans_of(const Node& document);
/// Gives log records to the spans that they name. Records of a span that is not there become one span. The order stays.
[[nodiscard]] std::vector<Span> with_records_joined(std::vector<Span> spans);

}  // namespace parley::convert
