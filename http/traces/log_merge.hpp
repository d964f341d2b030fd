#pragma once
/// Determines what a trace adds to the log of its conversation. Exporters send the spans of a trace in any number of
/// requests, and repeat a request whose answer was lost. Each model span repeats the history. Pure functions; any
/// thread.
///
///   metadata.traces = [{id, from, entries}]           ; the part of the conversation that each trace contains

#include <string>
#include <vector>

#include "model/records/external_log.hpp"

namespace parley::http {

/// The range of conversation entries that one trace contains.
struct TracePart {
  std::string id;
  std::size_t from = 0;
  std::size_t entries = 0;
  bool operator==(const TracePart&) const = default;
};

/// The limit for one log; beyond it, the oldest parts are forgotten.
inline constexpr std::size_t trace_parts_max = 500;

struct TracedLog {
  std::vector<LogMessage> messages;
  std::vector<TracePart> parts;
};

/// Adds the entries of the trace. Returns false if the log already has them.
bool merge_trace(TracedLog& log, const std::string& trace, const std::vector<LogMessage>& said);

/// The parts in the metadata of a log, and the metadata with these parts.
[[nodiscard]] std::vector<TracePart> trace_parts(const json::Text& metadata);
[[nodiscard]] json::Text with_trace_parts(const json::Text& metadata, const std::vector<TracePart>& parts);

/// The messages of a stored log, in the form that they have in a body.
[[nodiscard]] std::vector<LogMessage> messages_of(const ExternalLog& log);

}  // namespace parley::http
