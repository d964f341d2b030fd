#pragma once
/// Server-sent events (WHATWG HTML 9.2) of a complete answer.
///
///   stream = *( *field blank-line )      field = ("data" | "event" | other) [":" [" "] value] line-end
///
/// The data lines of one event are joined with line ends. Comments and other fields are skipped. An event
/// without data is ignored, `[DONE]` ends the stream, and an event truncated by the end of the answer counts.
/// Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace parley::outbound {

struct StreamEvent {
  std::string name;  ///< from `event:`; empty without such a line
  std::string data;
  bool operator==(const StreamEvent&) const = default;
};

struct EventStream {
  std::vector<StreamEvent> events;
  bool is_done = false;  ///< `[DONE]` was received
};

[[nodiscard]] EventStream events_of(std::string_view body);
/// Whether the type is `text/event-stream`, with any parameters.
[[nodiscard]] bool is_event_stream(std::string_view content_type);

}  // namespace parley::outbound
