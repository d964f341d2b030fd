#pragma once
/// Looking for characters of a kind in long texts that have few of them: sixteen are looked at together, which the compiler does at
/// once where the kind is told without branches. Pure; any thread.

#include <cstddef>
#include <string_view>

namespace parley {

/// Where the first character from `at` on stands of which `is_sought` holds; the size of the text where there is none.
template <class IsSought>
[[nodiscard]] std::size_t find_where(std::string_view text, std::size_t at, IsSought is_sought) {
  constexpr std::size_t block = 16;
  for (; at + block <= text.size(); at += block) {
    unsigned char found = 0;
    for (std::size_t i = 0; i < block; ++i)
      found = static_cast<unsigned char>(found | static_cast<unsigned char>(is_sought(text[at + i])));
    if (found != 0) break;
  }
  while (at < text.size() && !is_sought(text[at])) ++at;
  return at;
}

}  // namespace parley
