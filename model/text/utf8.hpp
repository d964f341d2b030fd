#pragma once
/// UTF-8 as Unicode defines it (table 3-7): no overlong forms, surrogates or values above U+10FFFF. All bytes
/// from outside are checked here. Pure functions; any thread.

#include <cstddef>
#include <string_view>

namespace parley {

/// The position of the first byte that does not begin a well-formed sequence; npos if all are well-formed.
[[nodiscard]] std::size_t utf8_fault(std::string_view text);

[[nodiscard]] inline bool is_utf8(std::string_view text) {
  return utf8_fault(text) == std::string_view::npos;
}

}  // namespace parley
