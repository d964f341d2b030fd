#pragma once
/// Substring search for the `name` filter of lists (D24). Pure.

#include <string_view>

namespace parley::http {

/// Whether `text` holds `part`; ASCII letters match in either case.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view part);

}  // namespace parley::http
