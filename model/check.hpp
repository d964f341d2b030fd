#pragma once
/// CHECK: the assertion that stays on in release builds. It guards what only a bug in parley can break, never
/// input.

#include <source_location>
#include <string_view>

namespace parley {

/// Prints the broken condition with its location to stderr and aborts; the data on disk is untouched (I1).
[[noreturn]] void check_failed(const char* condition, std::source_location where);

/// Writes `text` to standard error unless no reader accepts it within 0.1 seconds: a full pipe must not delay a
/// process that has to end (F46).
void write_crash_message(std::string_view text) noexcept;

}  // namespace parley

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) ::parley::check_failed(#condition, std::source_location::current()); \
  } while (false)
