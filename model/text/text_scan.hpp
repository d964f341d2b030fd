#pragma once
/// Looking for characters of a kind in long texts that have few of them: sixteen are looked at with one instruction each. The compiler
/// is told so by a vector type and not left to find it out, for whether it does hangs on what it inlines. Pure; any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace parley {

/// Characters that are compared together (an extension of GCC and Clang); a comparison gives all ones or zeros for each of them.
using CharacterBlock [[gnu::vector_size(16)]] = unsigned char;

/// Where the first character from `at` on stands of which `is_sought` holds; the size of the text where there is none.
/// `is_sought` is asked of an unsigned char and of a block of them alike: comparisons, joined by `|` and `&`.
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
