#include "model/uri_text.hpp"

#include <string_view>

namespace parley {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out += '%';
  out += digits[byte >> 4U];
  out += digits[byte & 15U];
}

}  // namespace parley
