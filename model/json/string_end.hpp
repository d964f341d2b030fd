#pragma once
/// Finds the end of a string in a JSON text without reading its content. Pure; any thread.

#include <cstddef>
#include <string_view>

namespace parley::json {

/// The position after the string whose first quote is at `begin`, or npos if it does not end: a quote ends it
/// unless an odd number of backslashes precedes the quote. Needs: a quote at `begin`. The searches are the
/// library's.
[[nodiscard]] inline std::size_t string_end(std::string_view text, std::size_t begin) {
  for (std::size_t quote = begin; true;) {
    quote = text.find('"', quote + 1);
    if (quote == std::string_view::npos) return quote;
    std::size_t backslashes = 0;
    while (text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
  }
}

}  // namespace parley::json
