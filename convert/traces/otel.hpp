#pragma once
/// OpenTelemetry traces with the GenAI conventions of all four generations, from files and from requests. One thread.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "convert/records/conversion.hpp"
#include "convert/traces/spans.hpp"

namespace parley::convert {

void import_otel(Conversion& conversion);
[[nodiscard]] int looks_like_otel(const std::string& path, std::string_view text, const Node* head);

/// The spans of one trace that describe models, agents and tools.
struct Trace {
  std::string id;
  std::string conversation;  ///< gen_ai.conversation.id or session.id, else the trace id
  std::string begin;
  Place place;
  std::vector<const Span*> spans;
  std::set<const Span*> in_tools;  ///< the spans that are inside a tool call
};

/// The traces in order of their start. Valid as long as `spans`.
[[nodiscard]] std::vector<Trace> traces_of(const std::vector<Span>& spans);
/// Adds the conversation of the trace to the log.
void read_trace(Conversion& conversion, const Source& source, const Trace& trace, LogDraft& log);

}  // namespace parley::convert
