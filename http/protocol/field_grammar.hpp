#pragma once
/// The grammar rules of RFC 9110 section 5 that requests and responses share, in addition to the rules in
/// model/text/header_field_text. Pure functions.

#include <string_view>
#include <vector>

#include "model/text/ascii.hpp"
#include "model/text/header_field_text.hpp"

namespace parley::http {

using ascii::is_digits;
using ascii::trimmed;
/// The trimmed elements between commas. Empty elements are kept, so that a caller can reject them.
[[nodiscard]] std::vector<std::string_view> list_elements(std::string_view value);
/// An element of a list of preferences (RFC 9110 section 12.4.2): its name, and its weight as written; empty if it
/// has none.
struct Preferred {
  std::string_view what;
  std::string_view weight;
};
[[nodiscard]] Preferred preferred(std::string_view element);

}  // namespace parley::http
