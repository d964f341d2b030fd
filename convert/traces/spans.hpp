#pragma once
/// OpenTelemetry spans in one form, read from OTLP JSON, Jaeger exports and lists of spans. Log records that are events
/// of a span, as AWS Distro for OpenTelemetry sends them, become events of that span. Plain values.

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
  std::string time = {};  ///< only for log records
};

struct Span {
  std::string trace_id;
  std::string span_id;
  std::string parent_id;  ///< empty: root
  std::string name;
  std::string begin;  ///< from `time_of`
  std::optional<double> milliseconds;
  std::string error;  ///< its description, or "error"; empty: no error
  Attributes attributes;
  std::vector<SpanEvent> events;
  Place place;
  bool is_record = false;  ///< created from a log record

  /// The attribute; null if it is missing or null.
  [[nodiscard]] const Node* find(const std::string& key) const;
  [[nodiscard]] std::string text_of(const std::string& key) const;
};

/// All spans and log records of the document; empty for other documents.
[[nodiscard]] std::vector<Span> spans_of(const Node& document);
/// Joins log records with the spans that they name. Records of a missing span become one span. The order is kept.
[[nodiscard]] std::vector<Span> with_records_joined(std::vector<Span> spans);

}  // namespace parley::convert
