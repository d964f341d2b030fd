#pragma once
/// What is said when nothing works any more: to standard error, past every log. Any thread; also where a signal is handled.

#include <string_view>

namespace parley {

/// Writes `text` to standard error, unless no reader takes it within 0.1 seconds: a full pipe must not keep a
/// process alive that has to end (F46).
void say_last_words(std::string_view text) noexcept;

}  // namespace parley
