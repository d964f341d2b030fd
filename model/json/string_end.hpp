#pragma once
/// Where a string of a JSON text ends, told without reading what stands in it. Pure; any thread.

#include <cstddef>
#include <string_view>

namespace parley::json {

/// Behind the string whose first quote stands at `begin`, or npos where nothing ends it: a quote does unless an odd number of
/// backslashes stands before that. Needs: a quote at `begin`. The searches are the library's.
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
