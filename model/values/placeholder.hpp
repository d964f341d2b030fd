#pragma once
/// Finds each `{{key}}` in a text (D22), with the same rule for filling them in and for checking whether any
/// is left. Pure; any thread.

#include <optional>
#include <string_view>

#include "model/json/json.hpp"

namespace parley {

struct Placeholder {
  std::size_t begin;
  std::size_t end;  ///< after the closing braces
  std::string_view key;
};

/// The next `{{key}}` from `at` on. A key has no braces, is not empty, and is returned without the blanks
/// around it.
[[nodiscard]] std::optional<Placeholder> next_placeholder(std::string_view text, std::size_t at = 0);

/// Matches a text with a placeholder, as a regular expression for JSON Schema; also matches a key of blanks alone.
inline constexpr std::string_view placeholder_pattern = R"(\{\{[^{}]+\}\})";

/// True when the text holds a `{{key}}` of any name.
[[nodiscard]] bool has_placeholder(std::string_view text);
/// True if a string in the value contains a `{{key}}`; names of members are not searched.
[[nodiscard]] bool has_placeholder(const json::Value& value);

}  // namespace parley
