#include "model/text/uri_text.hpp"

#include <string_view>

#include "model/text/ascii.hpp"

namespace parley {

bool is_unreserved(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out += '%';
  out += digits[byte >> 4U];
  out += digits[byte & 15U];
}

}  // namespace parley
