#pragma once
/// Names for the table `unique` out of texts of any length (tables.hpp bounds its keys). Pure; any thread.

#include <string>
#include <string_view>

namespace parley::store {

/// The text itself behind `=`, or `#` and its SHA-256 where it is longer than 255 bytes; equal exactly for equal texts.
[[nodiscard]] std::string unique_name(std::string_view text);

}  // namespace parley::store
