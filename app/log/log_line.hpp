#pragma once
/// Formats a log line as JSON (`--log-format json`). Pure functions; any thread.

#include <string>
#include <string_view>

#include "model/time.hpp"

namespace parley::app {

/// A log event is one text: plain words, then `key=value` fields. A value ends where the next field begins. A quoted
/// value ends at the last quote that is followed by a field or the end of the text, so no text inside it can become a
/// field. At most one value in a line is quoted.
struct LogEvent {
  Time time;
  std::string_view level;
  std::string_view text;
};

/// `{"time","level","event"}` and one member per field: a number if the value is a number with at most 15 digits,
/// otherwise a string. Values that callers choose (`id`, `request`, `trace`) are always strings. A second member with
/// the same name gets a suffix. For any text, the result is one line of valid JSON without its line feed.
[[nodiscard]] std::string json_line(const LogEvent& event);

}  // namespace parley::app
