#pragma once
/// Names for the table `unique` from texts of any length (tables.hpp limits its keys). Pure; any thread.

#include <string>
#include <string_view>

namespace parley::store {

/// The text after `=`, or `#` and its SHA-256 if it is longer than 255 bytes. Equal only for equal texts.
[[nodiscard]] std::string unique_name(std::string_view text);

}  // namespace parley::store
