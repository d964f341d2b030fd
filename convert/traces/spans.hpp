#pragma once
/// Spans of OpenTelemetry in one form: from OTLP JSON, Jaeger exports and lists of spans. Plain values.

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
};

struct Span {
  std::string trace_id;
  std::string name;
  std::string begin;  ///< as the file spells it; compares within one file
  std::optional<double> milliseconds;
  bool has_error = false;
  Attributes attributes;
  std::vector<SpanEvent> events;
  Place place;

  /// The attribute, or null.
  [[nodiscard]] const Node* find(const std::string& key) const;
  [[nodiscard]] std::string text_of(const std::string& key) const;
};

/// All spans of the document; empty for other documents.
[[nodiscard]] std::vector<Span> spans_of(const Node& document);

}  // namespace parley::convert
