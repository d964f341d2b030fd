#pragma once
/// Derives facts and cheaper stand-ins from the text of a regular expression, before any search. Pure;
/// any thread.

#include <string>
#include <string_view>

namespace parley {

/// True if the pattern certainly has no unbounded repetition. Its program then has no loop, so a match has at most as many bytes
/// as the program has instructions.
[[nodiscard]] bool is_bounded(std::string_view pattern);

/// The pattern with a group of 64 single bytes in place of each class with a Unicode class (`\pL`, `[^\pL.]`). Its size is the
/// most instructions of the original that can be active together: a Unicode class compiles to up to 1,300, of which only those
/// for the first byte of a character, or for a later one, are active together, 64 at most. Use only its size; it matches other texts.
[[nodiscard]] std::string with_narrow_classes(std::string_view pattern);

/// The pattern with any one to four bytes in place of each of those classes. It matches wherever the original does, with the same
/// beginning and end. If it has no unbounded repetition, no match of either has more bytes than it has instructions.
[[nodiscard]] std::string with_open_classes(std::string_view pattern);

/// A pattern that matches wherever this one does, and elsewhere: a large repetition (`.{0,60}`) becomes unbounded. Searching for
/// it costs much less, and it decides texts in which a part of the pattern does not appear. The pattern itself if it has no large
/// repetition.
[[nodiscard]] std::string with_open_gaps(std::string_view pattern);

}  // namespace parley
