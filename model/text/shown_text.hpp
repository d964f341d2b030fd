#pragma once
/// Text from outside in the form that models are shown, without anything that a person would not see. Pure
/// functions.

#include <string>
#include <string_view>

namespace parley {

/// The text with control, bidirectional, zero-width and other invisible characters written as JSON escapes (`\u202e`),
/// except line ends and tabs. Inside the strings of a JSON text the escapes mean what they replace, so the JSON value
/// stays the same.
[[nodiscard]] std::string shown_text(std::string_view text);

/// The beginning of the text in at most `bytes_max` bytes, truncated between characters.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t bytes_max);

}  // namespace parley
