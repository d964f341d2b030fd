#pragma once
/// What a trace adds to the log of its conversation. Exporters send the spans of a trace in any number of requests and repeat a
/// request whose answer was lost, and each span of a model repeats the history. Pure functions; any thread.
///
///   metadata.traces = [{id, from, entries}]           ; the part of the conversation that each trace contains

#include <string>
#include <vector>

#include "model/records/external_log.hpp"

namespace parley::http {

/// The entries of a conversation that one trace contains.
struct TracePart {
  std::string id;
  std::size_t from = 0;
  std::size_t entries = 0;
  bool operator==(const TracePart&) const = default;
};

/// Of one log; the oldest are forgotten beyond it.
inline constexpr std::size_t trace_parts_max = 500;

struct TracedLog {
  std::vector<LogMessage> messages;
  std::vector<TracePart> parts;
};

/// Adds the trace's entries; false if the log has them already.
bool merge_trace(TracedLog& log, const std::string& trace, const std::vector<LogMessage>& said);

/// The parts in the metadata of a log, and the metadata with these parts.
[[nodiscard]] std::vector<TracePart> trace_parts(const json::Text& metadata);
[[nodiscard]] json::Text with_trace_parts(const json::Text& metadata, const std::vector<TracePart>& parts);

/// The messages of a stored log in the form of a body.
[[nodiscard]] std::vector<LogMessage> messages_of(const ExternalLog& log);

}  // namespace parley::http
