#pragma once
/// What is said when nothing works any more: to standard error, past every log. Any thread; also where a signal is handled.

#include <string_view>

namespace parley {

/// Writes `text` to standard error, unless nobody takes it within a tenth of a second: a pipe that is full must not keep a
/// process alive that has to end (F46).
void say_last_words(std::string_view text) noexcept;

}  // namespace parley
