#pragma once
/// Makes keys from names. Pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace parley {

/// The ASCII letters and digits of a text in lower case, with a hyphen for anything between them:
/// `coffee-shop` for "Coffee shop!". At most `bytes_max` bytes; empty if the text has no such letter or
/// digit.
[[nodiscard]] std::string slug_from(std::string_view text, std::size_t bytes_max);

}  // namespace parley
