#pragma once
/// Searches texts for rare characters: one instruction compares eight or sixteen. A vector type
/// requests this from the compiler, because automatic vectorization depends on what is inlined. Pure; any
/// thread.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace parley {

/// Characters that are compared together (an extension of GCC and Clang); a comparison yields all ones or all
/// zeros for each.
using CharacterBlock [[gnu::vector_size(16)]] = unsigned char;
using HalfBlock [[gnu::vector_size(8)]] = unsigned char;

/// Whether `is_sought` holds for one of the characters of a block. Needs: a whole block at `from`.
template <class Block, class IsSought>
[[nodiscard]] bool has_any(const char* from, IsSought is_sought) {
  Block characters;
  std::memcpy(&characters, from, sizeof(Block));
  const auto sought = is_sought(characters);
  static_assert(sizeof(sought) == sizeof(Block));
  std::array<std::uint64_t, sizeof(Block) / sizeof(std::uint64_t)> found{};
  std::memcpy(found.data(), &sought, sizeof(Block));
  return std::any_of(found.begin(), found.end(), [](std::uint64_t half) { return half != 0; });
}

/// As find_where, without blocks.
template <class IsSought>
[[nodiscard]] std::size_t find_one_by_one(std::string_view text, std::size_t at, IsSought is_sought) {
  while (at < text.size() && !is_sought(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

/// The position of the first character from `at` on for which `is_sought` holds; the size of the text if
/// there is no such character. `is_sought` is called with an unsigned char and with a block of them:
/// comparisons, joined by `|` and `&`.
template <class IsSought>
[[nodiscard]] std::size_t find_where(std::string_view text, std::size_t at, IsSought is_sought) {
  constexpr std::size_t block = sizeof(CharacterBlock);
  constexpr std::size_t half = sizeof(HalfBlock);
  for (; at + block <= text.size(); at += block) {
    if (has_any<CharacterBlock>(text.data() + at, is_sought)) return find_one_by_one(text, at, is_sought);
  }
  if (at == text.size()) return at;
  // The last block may overlap the text before `at`. A character found there does not count, so the search one by one
  // decides.
  const char* const end = text.data() + text.size();
  if (text.size() >= block) {
    if (!has_any<CharacterBlock>(end - block, is_sought)) return text.size();
  } else if (at + half <= text.size()) {
    if (!has_any<HalfBlock>(text.data() + at, is_sought) && !has_any<HalfBlock>(end - half, is_sought))
      return text.size();
  }
  return find_one_by_one(text, at, is_sought);
}

}  // namespace parley
