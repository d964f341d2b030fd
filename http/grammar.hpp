#pragma once
/// The character classes and small rules of RFC 9110 section 5 that requests and responses share. Pure
/// functions.

#include <string_view>
#include <vector>

namespace parley::http {

/// `tchar` of RFC 9110 section 5.6.2.
[[nodiscard]] bool is_token_char(char c);
/// A token: one `tchar` or more.
[[nodiscard]] bool is_token(std::string_view text);
/// Text that may stand in a field value: visible ASCII, space, tab, bytes above 0x7F (F34).
[[nodiscard]] bool is_field_text(std::string_view text);
/// One decimal digit or more.
[[nodiscard]] bool is_digits(std::string_view text);
[[nodiscard]] bool same_ignoring_case(std::string_view left, std::string_view right);
/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The elements between commas, trimmed; empty ones are kept, so that a caller can refuse them.
[[nodiscard]] std::vector<std::string_view> list_elements(std::string_view value);

}  // namespace parley::http
