#pragma once
/// Escapes text of agents and models for terminals, logs and documents, so that it cannot move the cursor, color a
/// line, hide or reorder what a person reads, or start a command of a CI system. Pure functions; any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::client {

/// Escapes to one line. C0, C1, DEL, ESC, bidirectional and invisible characters become `\x1b` or `\u202e`, line ends
/// `\n`, tabs a space, bytes that are not UTF-8 U+FFFD, and commands lose their form as in without_log_commands().
[[nodiscard]] std::string one_line(std::string_view text);
/// Escapes in the same way but keeps line ends. `\r\n` is a line end, and a lone `\r` becomes `\x0d`.
[[nodiscard]] std::string several_lines(std::string_view text);
/// Writes the second `#` of `##[`, `##vso[` and the like as `\x23`. GitHub and Azure Pipelines execute such
/// commands wherever they are in a line of a log.
[[nodiscard]] std::string without_log_commands(std::string_view text);
/// Returns the number of terminal columns of the text. Needs: the output of one_line().
[[nodiscard]] std::size_t columns_of(std::string_view text);
/// Truncates the text to at most this many columns and marks the cut with `…` (or `...`). Needs: as columns_of.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns, bool is_utf8 = true);
/// Truncates or pads with spaces to exactly this many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns, bool is_utf8 = true);
/// Converts to ASCII: known symbols of the screen get substitutes, other characters become question marks.
[[nodiscard]] std::string in_ascii(std::string_view text);

}  // namespace parley::client
