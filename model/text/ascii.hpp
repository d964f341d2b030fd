#pragma once
/// Letters and digits of ASCII, independent of the locale. Pure functions.

#include <algorithm>
#include <string>
#include <string_view>

namespace parley::ascii {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
[[nodiscard]] constexpr bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// The letter in lower case; other characters are unchanged.
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lower(c); });
  return out;
}

/// True for at least one digit and nothing else.
[[nodiscard]] inline bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}
/// The text without blanks at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace parley::ascii
