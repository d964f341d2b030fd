#pragma once
/// "Did you mean": suggests the name that was probably meant. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Levenshtein's distance in bytes. Takes time proportional to the product of both sizes.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The most similar of the names by edit distance; empty if none is similar.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& names);

/// `; did you mean "contains"?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

}  // namespace parley
