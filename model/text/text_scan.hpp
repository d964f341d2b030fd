#pragma once
/// Searches long texts for rare characters: one instruction compares sixteen at a time. A vector type
/// requests this from the compiler, because automatic vectorization depends on what is inlined. Pure; any
/// thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace parley {

/// Characters that are compared together (an extension of GCC and Clang); a comparison yields all ones or all
/// zeros for each.
using CharacterBlock [[gnu::vector_size(16)]] = unsigned char;

/// The position of the first character from `at` on for which `is_sought` holds; the size of the text if
/// there is no such character. `is_sought` is called with an unsigned char and with a block of them:
/// comparisons, joined by `|` and `&`.
template <class IsSought>
[[nodiscard]] std::size_t find_where(std::string_view text, std::size_t at, IsSought is_sought) {
  constexpr std::size_t block = sizeof(CharacterBlock);
  for (; at + block <= text.size(); at += block) {
    CharacterBlock characters;
    std::memcpy(&characters, text.data() + at, block);
    const auto sought = is_sought(characters);
    static_assert(sizeof(sought) == block);
    std::array<std::uint64_t, 2> found{};
    std::memcpy(found.data(), &sought, block);
    if ((found[0] | found[1]) != 0) break;
  }
  while (at < text.size() && !is_sought(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

}  // namespace parley
