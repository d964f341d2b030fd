#include "convert/traces/otel.hpp"

#include <algorithm>
#include <map>

#include "convert/messages/rows.hpp"
#include "convert/traces/flat_attributes.hpp"
#include "convert/traces/genai.hpp"
#include "convert/traces/joined_log.hpp"
#include "convert/traces/nesting.hpp"
#include "convert/traces/times.hpp"

namespace parley::convert {
namespace {

bool is_log_record(const Node& node) {
  const std::string name = node.text_of("eventName") + node.text_of("event_name");
  if (node.has("body") && name.starts_with("gen_ai.")) return true;
  const std::vector<Node>& events = node.list_of("events");
  return !events.empty() && events.front().text_of("message").find("\"body\"") != std::string::npos;
}

/// Whether the node is a span of a list or line. OpenTelemetry SDKs and Phoenix put its ids into `context` or
/// `spanContext`.
bool is_span(const Node& node) {
  if (is_frame_row(node)) return true;
  const Node* context = node.first_of({"context", "spanContext"});
  const Node& ids = context != nullptr && context->is_map() ? *context : node;
  return ids.first_of({"trace_id", "traceId"}) != nullptr && ids.first_of({"span_id", "spanId"}) != nullptr &&
         node.find("attributes") != nullptr;
}

/// The key of the span among the spans of all traces.
std::string place_of(const Span& span) {
  return span.span_id.empty() ? std::string() : span.trace_id + "/" + span.span_id;
}

Nesting nesting_of(const std::vector<Span>& spans) {
  Nesting nesting;
  for (const Span& span : spans) {
    const std::string parent = span.parent_id.empty() ? std::string() : span.trace_id + "/" + span.parent_id;
    nesting.add(place_of(span), parent, is_tool(span));
  }
  return nesting;
}

void add_conversation(Conversion& conversion, const Source& source, const std::vector<const Trace*>& traces) {
  JoinedLog joined;
  for (const Trace* trace : traces) {
    LogDraft part;
    part.id = traces.front()->conversation;
    read_trace(conversion, source, *trace, part);
    joined.add(std::move(part));
  }
  const At at{source, traces.front()->place};
  joined.report(conversion, at, conversion.external_id(traces.front()->conversation));
  finish_trace(conversion, joined.take(), at,
               {"trace", "the spans have no messages; recording content is off"});
}

/// Adds what the span has in addition to messages: its error and the results of evaluations.
void take_unkept(const Span& span, Unkept& unkept) {
  if (!span.error.empty() && !is_tool(span))
    unkept.add(span.place, {.outcome = Outcome::not_mapped,
                            .source = "status",
                            .text = span.error,
                            .why = "only tool calls have an error in a log"});
  for (const SpanEvent& event : span.events) {
    if (event.name != "gen_ai.evaluation.result") continue;
    std::string text;
    for (const std::string key :
         {"gen_ai.evaluation.name", "gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"}) {
      const auto found = event.attributes.find(key);
      if (found != event.attributes.end()) text += (text.empty() ? "" : " ") + as_text(found->second);
    }
    unkept.add(span.place, {.outcome = Outcome::not_mapped,
                            .source = event.name,
                            .text = std::move(text),
                            .why = "a log has no place for the scores of a trace"});
  }
}

}  // namespace

std::vector<Trace> traces_of(const std::vector<Span>& spans) {
  std::vector<Trace> traces;
  std::map<std::string, std::size_t> places;
  const Nesting nesting = nesting_of(spans);
  for (const Span& span : spans) {
    if (!is_genai(span)) continue;
    const auto [place, is_new] = places.try_emplace(span.trace_id, traces.size());
    if (is_new) traces.push_back({span.trace_id, span.trace_id, span.begin, span.place, {}, {}});
    Trace* found = &traces[place->second];
    for (const std::string key : {"gen_ai.conversation.id", "session.id"}) {
      const std::string id = span.text_of(key);
      if (!id.empty() && found->conversation == found->id) found->conversation = id;
    }
    if (is_earlier(span.begin, found->begin)) found->begin = span.begin;
    found->spans.push_back(&span);
    if (nesting.is_in_tool(place_of(span))) found->in_tools.insert(&span);
  }
  std::stable_sort(traces.begin(), traces.end(),
                   [](const Trace& a, const Trace& b) { return is_earlier(a.begin, b.begin); });
  return traces;
}

void read_trace(Conversion& conversion, const Source& source, const Trace& trace, LogDraft& log) {
  std::vector<ModelCall> models;
  std::vector<ToolCall> tools;
  Unkept unkept;
  std::set<std::string> ids;
  for (const Span* span : trace.spans) ids.insert(span->span_id);
  for (const Span* span : trace.spans) {
    take_unkept(*span, unkept);
    if (auto tool = tool_call_of(*span)) {
      tools.push_back(std::move(*tool));
      continue;
    }
    const bool is_root = span->parent_id.empty() || !ids.contains(span->parent_id);
    models.push_back(model_call_of(*span, is_root));
    models.back().is_in_tool = trace.in_tools.contains(span);
  }
  unkept.report(conversion, source, conversion.external_id(log.id));
  fill_from_calls(conversion, source, log, models, tools);
}

void import_otel(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    std::vector<Span> spans;
    for_each_row(conversion, source, [&](const Node& row) {
      for (Span& span : spans_of(row)) spans.push_back(std::move(span));
    });
    if (!conversion.faults.empty()) return;
    spans = with_records_joined(std::move(spans));
    if (spans.empty()) {
      conversion.faults.add(
          source, {1, 1},
          "no spans: expected OTLP JSON (\"resourceSpans\", \"resourceLogs\"), an export of Tempo "
          "(\"batches\") or Jaeger (\"data\"), or a list of spans");
      return;
    }
    const std::vector<Trace> traces = traces_of(spans);
    std::vector<std::pair<std::string, std::vector<const Trace*>>> conversations;
    std::map<std::string, std::size_t> places;
    for (const Trace& trace : traces) {
      const auto [found, is_new] = places.try_emplace(trace.conversation, conversations.size());
      if (is_new) conversations.push_back({trace.conversation, {}});
      conversations[found->second].second.push_back(&trace);
    }
    for (const auto& [id, list] : conversations) add_conversation(conversion, source, list);
    if (conversations.empty()) {
      conversion.report.add(source, {1, 1},
                            {.outcome = Outcome::not_mapped,
                             .source = "trace",
                             .why = "no span describes a call of a model",
                             .count = spans.size()});
    }
  });
}

int looks_like_otel(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  const Node* trace = head->find("trace");
  if (trace != nullptr && trace->first_of({"resourceSpans", "resource_spans"}) != nullptr) return 95;
  if (head->first_of({"resourceSpans", "resource_spans", "resourceLogs", "resource_logs"}) != nullptr)
    return 80;
  const std::vector<Node>& batches = head->list_of("batches");
  if (!batches.empty() && batches.front().first_of({"scopeSpans", "instrumentationLibrarySpans"}) != nullptr)
    return 80;
  const std::vector<Node>& data = head->list_of("data");
  if (!data.empty() && data.front().find("spans") != nullptr) return 80;
  const Node& first = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  const std::vector<Node>& spans = head->list_of("spans");
  return is_log_record(first) || is_span(first) || (!spans.empty() && is_span(spans.front())) ? 80 : 0;
}

}  // namespace parley::convert
