#include "convert/traces/spans.hpp"

#include <algorithm>
#include <array>

#include "convert/traces/flat_attributes.hpp"
#include "convert/traces/times.hpp"

namespace parley::convert {
namespace {

/// Converts a value of OTLP, `{"stringValue": "x"}`, to a plain value. Protobuf's JSON in Python uses `string_value`.
Node plain_value(const Node& value) {
  if (!value.is_map() || value.items.size() != 1) return value;
  const Node& inner = value.items.front();
  if (inner.key == "arrayValue" || inner.key == "array_value") {
    Node list = holder_node(Node::Kind::list, "", value.place);
    for (const Node& each : inner.list_of("values")) list.items.push_back(plain_value(each));
    return list;
  }
  if (inner.key == "kvlistValue" || inner.key == "kvlist_value") {
    Node map = holder_node(Node::Kind::map, "", value.place);
    for (const Node& each : inner.list_of("values")) {
      const Node* member = each.find("value");
      if (member != nullptr) map.items.push_back(renamed(plain_value(*member), each.text_of("key")));
    }
    return map;
  }
  constexpr std::array<std::string_view, 8> scalars{"stringValue",  "intValue",     "doubleValue",
                                                    "boolValue",    "string_value", "int_value",
                                                    "double_value", "bool_value"};
  if (std::find(scalars.begin(), scalars.end(), inner.key) == scalars.end()) return value;
  Node out = renamed(inner, "");
  const bool is_integer = inner.key == "intValue" || inner.key == "int_value";
  if (is_integer && out.is_text()) out.kind = Node::Kind::number;
  return out;
}

/// Reads a map of attributes, or a list of `{key, value}`.
Attributes attributes_of(const Node* attributes) {
  Attributes out;
  if (attributes == nullptr) return out;
  for (const Node& each : attributes->items) {
    if (attributes->is_map()) {
      add_flat(out, each.key, each);
    } else if (const Node* value = each.find("value")) {
      out[each.text_of("key")] = plain_value(*value);
    }
  }
  return out;
}

std::string first_text(const Node& node, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (std::string text = node.text_of(key); !text.empty()) return text;
  }
  return {};
}

/// The first of these members that is a time.
std::string first_time(const Node& node, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Node* found = node.find(key);
    if (found == nullptr) continue;
    if (std::string time = time_of(*found); !time.empty()) return time;
  }
  return {};
}

/// The id of the parent span; Jaeger stores it in a list of references.
std::string parent_of(const Node& node) {
  std::string parent =
      first_text(node, {"parent_id", "parentSpanId", "parent_span_id", "parentId", "parentSpanID"});
  for (const Node& each : node.list_of("references")) {
    if (parent.empty() && each.text_of("refType") == "CHILD_OF") parent = each.text_of("spanID");
  }
  return parent;
}

void take_events(const Node& node, Span& span) {
  for (const std::string_view key : {"events", "span_events"}) {
    for (const Node& each : node.list_of(key)) {
      SpanEvent event{first_text(each, {"name", "event_name"}), attributes_of(each.find("attributes"))};
      if (const Node* body = each.find("body")) event.attributes["body"] = plain_value(*body);
      span.events.push_back(std::move(event));
    }
  }
  for (const Node& log : node.list_of("logs")) {  // Jaeger
    SpanEvent event{{}, attributes_of(log.find("fields"))};
    const auto name = event.attributes.find("event");
    if (name != event.attributes.end()) event.name = as_text(name->second);
    span.events.push_back(std::move(event));
  }
}

/// The description of the error, or "error"; empty: the span has none. Jaeger writes the status as tags.
std::string error_of(const Node& node, const Span& span) {
  const Node* status = node.find("status");
  const Node& holder = status != nullptr && status->is_map() ? *status : node;
  std::string code = first_text(holder, {"code", "status_code", "statusCode"});
  if (code.empty()) code = span.text_of("otel.status_code");
  const bool has_error = code == "ERROR" || code == "Error" || code == "STATUS_CODE_ERROR" ||
                         code == "StatusCode.ERROR" || code == "2" || span.text_of("error") == "true";
  if (!has_error) return {};
  std::string text = first_text(holder, {"message", "description", "status_message"});
  if (text.empty()) text = span.text_of("otel.status_description");
  return text.empty() ? "error" : text;
}

Span span_of(const Node& node) {
  Span span;
  span.place = node.place;
  span.trace_id = first_text(node, {"trace_id", "traceId", "traceID", "context.trace_id"});
  span.span_id = first_text(node, {"span_id", "spanId", "spanID", "context.span_id"});
  if (const Node* context = node.first_of({"context", "spanContext"})) {
    if (span.trace_id.empty()) span.trace_id = first_text(*context, {"trace_id", "traceId"});
    if (span.span_id.empty()) span.span_id = first_text(*context, {"span_id", "spanId"});
  }
  span.parent_id = parent_of(node);
  span.name = first_text(node, {"name", "operationName"});
  span.begin = first_time(node, {"start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime"});
  span.milliseconds = milliseconds_between(
      span.begin, first_time(node, {"end_time", "endTimeUnixNano", "end_time_unix_nano", "endTime"}));
  if (const Node* duration = node.find("duration"); duration != nullptr && duration->number())
    span.milliseconds = *duration->number() / 1000;  // Jaeger: microseconds
  span.attributes =
      is_frame_row(node) ? attributes_of_row(node) : attributes_of(node.first_of({"attributes", "tags"}));
  span.error = error_of(node, span);
  take_events(node, span);
  return span;
}

/// Converts a log record to a span with one event. Its name is a member, or an attribute in older versions.
Span span_of_record(const Node& record) {
  Span span;
  span.is_record = true;
  span.place = record.place;
  span.trace_id = first_text(record, {"traceId", "trace_id"});
  span.span_id = first_text(record, {"spanId", "span_id"});
  span.begin = first_time(record, {"timeUnixNano", "time_unix_nano", "timestamp", "observedTimeUnixNano",
                                   "observed_time_unix_nano", "observed_timestamp"});
  span.attributes = attributes_of(record.find("attributes"));
  SpanEvent event{first_text(record, {"eventName", "event_name"}), span.attributes, span.begin};
  if (event.name.empty()) event.name = span.text_of("event.name");
  if (const Node* body = record.find("body")) event.attributes["body"] = plain_value(*body);
  span.events.push_back(std::move(event));
  return span;
}

/// Whether the node is a single record, as CloudWatch and console exporters write one in each line.
bool is_record(const Node& node) {
  return node.is_map() && node.has("body") &&
         node.first_of({"attributes", "event_name", "eventName"}) != nullptr && node.find("spans") == nullptr;
}

void collect(std::vector<Span>& out, const Node& node) {
  if (is_record(node)) {
    out.push_back(span_of_record(node));
    return;
  }
  for (const std::string_view key : {"resourceLogs", "resource_logs"}) {
    for (const Node& resource : node.list_of(key)) {
      for (const std::string_view inner : {"scopeLogs", "scope_logs"}) {
        for (const Node& scope : resource.list_of(inner)) {
          for (const std::string_view records : {"logRecords", "log_records"}) {
            for (const Node& record : scope.list_of(records)) out.push_back(span_of_record(record));
          }
        }
      }
    }
  }
  if (const Node* trace = node.find("trace"); trace != nullptr && trace->is_map())
    collect(out, *trace);                                                              // Tempo, version 2
  for (const std::string_view key : {"resourceSpans", "resource_spans", "batches"}) {  // batches: Tempo
    for (const Node& resource : node.list_of(key)) {
      for (const std::string_view inner : {"scopeSpans", "scope_spans", "instrumentationLibrarySpans"}) {
        for (const Node& scope : resource.list_of(inner)) {
          for (const Node& span : scope.list_of("spans")) out.push_back(span_of(span));
        }
      }
    }
  }
  const bool has_ids = node.first_of({"trace_id", "traceId", "traceID", "context", "spanContext"}) != nullptr;
  if (!has_ids) {
    for (const Node& event :
         node.list_of("events")) {  // CloudWatch: each message is the JSON text of a record
      const Node* message = event.find("message");
      if (message == nullptr || !message->is_text()) continue;
      if (const Node record = opened(*message); is_record(record)) out.push_back(span_of_record(record));
    }
  }
  for (const Node& trace : node.list_of("data")) {
    for (const Node& span : trace.list_of("spans")) out.push_back(span_of(span));
  }
  for (const Node& span : node.list_of("spans")) out.push_back(span_of(span));
  const bool is_whole = has_ids && node.first_of({"attributes", "tags"}) != nullptr;
  if (is_whole || is_frame_row(node)) out.push_back(span_of(node));
  if (!node.is_list()) return;
  for (const Node& each : node.items) collect(out, each);
}

}  // namespace

const Node* Span::find(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() || found->second.is_null() ? nullptr : &found->second;
}

std::string Span::text_of(const std::string& key) const {
  const Node* found = find(key);
  return found == nullptr ? std::string() : as_text(*found);
}

std::vector<Span> with_records_joined(std::vector<Span> spans) {
  std::map<std::pair<std::string, std::string>, std::size_t> places;  // positions of spans, then of records
  std::vector<Span> out;
  const auto key_of = [](const Span& span) { return std::pair(span.trace_id, span.span_id); };
  for (Span& span : spans) {
    if (span.is_record) continue;
    places.try_emplace(key_of(span), out.size());
    out.push_back(std::move(span));
  }
  for (Span& span : spans) {
    if (!span.is_record) continue;
    const auto [found, is_new] = places.try_emplace(key_of(span), out.size());
    if (is_new) {
      out.push_back(std::move(span));
      continue;
    }
    Span& joined = out[found->second];
    // For records without a span id, the first record after an answer begins a new call.
    const bool is_answered = span.span_id.empty() && joined.events.back().name == "gen_ai.choice" &&
                             span.events.front().name != "gen_ai.choice";
    if (is_answered) {
      found->second = out.size();
      out.push_back(std::move(span));
      continue;
    }
    joined.attributes.insert(span.attributes.begin(), span.attributes.end());
    joined.events.push_back(std::move(span.events.front()));
  }
  for (Span& span : out) {
    std::stable_sort(span.events.begin(), span.events.end(), [](const SpanEvent& a, const SpanEvent& b) {
      return !a.time.empty() && !b.time.empty() && is_earlier(a.time, b.time);
    });
  }
  return out;
}

std::vector<Span> spans_of(const Node& document) {
  std::vector<Span> spans;
  collect(spans, document);
  return spans;
}

}  // namespace parley::convert
