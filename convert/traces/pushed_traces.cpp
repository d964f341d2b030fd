#include "convert/traces/pushed_traces.hpp"

#include <algorithm>

#include "convert/traces/otel.hpp"
#include "model/limits.hpp"

namespace parley::convert {
namespace {

bool is_separator(char c) {
  return c == ',' || c == '[' || c == '{';
}

void refuse(PushedTraces& pushed, const Trace& trace, std::string why) {
  pushed.spans_refused += trace.spans.size();
  if (pushed.refusal.empty()) pushed.refusal = std::move(why);
}

void take(PushedTraces& pushed, const Source& source, const Trace& trace) {
  if (trace.conversation.empty() || trace.conversation.size() > limits::name_chars_max)
    return refuse(pushed, trace, "an id of a conversation or trace must have 1 to 1024 characters");
  // Each trace gets its own conversion, so that traces of one conversation keep its id.
  Options options;
  options.format = "otel";
  options.paths = {source.path};
  Conversion reading(options);
  reading.begin_output(source.path, source.path);
  LogDraft log;
  log.id = trace.conversation;
  read_trace(reading, source, trace, log);
  if (log.entries.empty()) {
    pushed.without_content += trace.spans.size();
    return;
  }
  if (std::string misfit = misfit_of(log); !misfit.empty()) return refuse(pushed, trace, std::move(misfit));
  const LogNames names{trace.conversation, "otel", "OpenTelemetry trace"};
  pushed.logs.push_back({trace.conversation, trace.id, log_line(log, names), trace.spans.size()});
}

}  // namespace

PushedTraces read_pushed_traces(std::string json) {
  PushedTraces pushed;
  if (static_cast<std::size_t>(std::count_if(json.begin(), json.end(), is_separator)) > pushed_values_max) {
    pushed.fault = "has too many values; send fewer spans at once";
    return pushed;
  }
  Faults faults;
  const auto source = source_of("traces", std::move(json), faults);
  const auto document = source ? parse_json(*source, faults) : std::nullopt;
  const bool is_request =
      document && document->is_map() &&
      (document->items.empty() || document->has("resourceSpans") || document->has("resource_spans"));
  if (!is_request) {
    pushed.fault = "must be an ExportTraceServiceRequest of OTLP: JSON with `resourceSpans`, or protobuf";
    return pushed;
  }
  const std::vector<Span> spans = spans_of(*document);
  pushed.spans = spans.size();
  for (const Trace& trace : traces_of(spans)) take(pushed, *source, trace);
  return pushed;
}

}  // namespace parley::convert
