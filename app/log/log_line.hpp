#pragma once
/// A line of the log as JSON (`--log-format json`). Pure functions; any thread.

#include <string>
#include <string_view>

#include "model/time.hpp"

namespace parley::app {

/// What is logged is one text: an event of plain words, then `key=value` fields. A value ends where the next field begins;
/// one in quotes ends at the last quote that a field or the end follows, so no text inside it makes a field of its own
/// (at most one value of a line is in quotes).
struct LogEvent {
  Time time;
  std::string_view level;
  std::string_view text;
};

/// `{"time","level","event"}` and a member for each field: a number where the value is one of at most 15 digits, else a
/// string. What a caller chooses (`id`, `request`, `trace`) is always a string. A second member of a name gets a suffix.
/// Whatever the text is, the line is one line of valid JSON, without the line's end.
[[nodiscard]] std::string json_line(const LogEvent& event);

}  // namespace parley::app
