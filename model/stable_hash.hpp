#pragma once
/// A hash that is the same on every machine and in every version. Pure function.

#include <cstdint>
#include <string_view>

namespace parley {

/// FNV-1a of the bytes, with the upper half folded into the lower one.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash ^ (hash >> 32);
}

}  // namespace parley
