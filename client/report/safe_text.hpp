#pragma once
/// Text of agents and models for terminals, logs and documents: it cannot move a cursor, color a line, hide or
/// reorder what a person reads, or start a command of a CI system. Pure functions; any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::client {

/// One line: C0, C1, DEL, ESC, bidirectional and invisible characters are written as `\x1b` or `\u202e`, line ends as
/// `\n`, bytes that are not UTF-8 as U+FFFD.
[[nodiscard]] std::string one_line(std::string_view text);
/// The same with line ends kept; `\r\n` is a line end, a lone `\r` is `\x0d`.
[[nodiscard]] std::string several_lines(std::string_view text);
/// The columns that a terminal needs for the text. Needs: the output of one_line().
[[nodiscard]] std::size_t columns_of(std::string_view text);
/// At most this many columns, with `…` (or `...`) where text was cut. Needs: as columns_of.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns, bool is_utf8 = true);
/// Cut and padded with spaces to exactly this many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns, bool is_utf8 = true);
/// The text in ASCII: known symbols of the screen are replaced by substitutes, other characters by a question mark.
[[nodiscard]] std::string in_ascii(std::string_view text);

}  // namespace parley::client
