#pragma once
/// The characters of an HTTP header field (RFC 9110 section 5, F34), for received and sent headers. Pure
/// functions.

#include <string_view>

namespace parley {

/// `tchar` of RFC 9110 section 5.6.2.
[[nodiscard]] bool is_token_char(char c);
/// A token: one `tchar` or more.
[[nodiscard]] bool is_token(std::string_view text);
/// Text that is allowed in a field value: visible ASCII, space, tab, bytes above 0x7F (F34).
[[nodiscard]] bool is_field_text(std::string_view text);
[[nodiscard]] bool same_ignoring_case(std::string_view left, std::string_view right);

}  // namespace parley
