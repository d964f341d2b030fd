#pragma once
/// What the text of a regular expression tells about its search before anybody searches: others like it that are cheaper to
/// make or to search for. Pure; any thread.

#include <string>
#include <string_view>

namespace parley {

/// True for a pattern that surely repeats nothing without an end. Its program has no way back then, so that no match is longer
/// than it has instructions.
[[nodiscard]] bool is_bounded(std::string_view pattern);

/// The pattern with a group of 64 single bytes in place of each class that holds a Unicode class (`\pL`, `[^\pL.]`): as many
/// instructions of its program as may be at work at once. Such a class is up to 1,300 instructions, of which only those for the
/// first byte of a character, or for a later one, are at work at a time: 64 at most. It is for its size; it finds something else.
[[nodiscard]] std::string with_narrow_classes(std::string_view pattern);

/// The pattern with any one to four bytes in place of each of those: wherever this one is found, it is found, too, with the same
/// beginning and end. So where it repeats nothing without an end no match of either has more bytes than it has instructions.
[[nodiscard]] std::string with_open_classes(std::string_view pattern);

/// A pattern that is found wherever this one is, and elsewhere: what may be repeated often (`.{0,60}`) may be repeated without
/// an end. That takes much less to search for, and decides where a part of the pattern stands nowhere. The pattern itself where
/// it repeats nothing so often.
[[nodiscard]] std::string with_open_gaps(std::string_view pattern);

}  // namespace parley
