// The size of a JSON value, independent of the form of its text (D53, D55).

#include <charconv>

#include "model/json/json.hpp"

namespace parley::json {
namespace {

constexpr std::size_t unicode_escape = 6;  ///< length of \uXXXX

struct Escape {
  std::size_t sent;      ///< bytes of the escape in the text
  std::size_t shortest;  ///< bytes that its character needs
};

unsigned code_of(std::string_view digits) {
  unsigned code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  return code;
}

std::size_t shortest_of(unsigned code) {
  switch (code) {
    case '"':
    case '\\':
    case '\b':
    case '\f':
    case '\n':
    case '\r':
    case '\t': return 2;
    default: break;
  }
  if (code < 0x20) return unicode_escape;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}

/// Needs: `rest` begins with a backslash of valid JSON.
Escape escape_at(std::string_view rest) {
  if (rest[1] == '/') return {2, 1};
  if (rest[1] != 'u') return {2, 2};
  const unsigned code = code_of(rest.substr(2, 4));
  // Valid JSON has no lone surrogate, so the other half of the pair is the next escape.
  if (code >= 0xd800 && code <= 0xdfff) return {2 * unicode_escape, 4};
  return {unicode_escape, shortest_of(code)};
}

}  // namespace

std::size_t measured_bytes(std::string_view text) {
  std::size_t bytes = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (in_string && c == '\\') {
      const Escape escape = escape_at(text.substr(at));
      bytes += escape.shortest;
      at += escape.sent;
      continue;
    }
    if (c == '"') in_string = !in_string;
    const bool is_white = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (in_string || !is_white) ++bytes;
    ++at;
  }
  return bytes;
}

bool is_beyond(const Text& text, std::size_t bytes_max) {
  return text.text.size() > bytes_max && measured_bytes(text.text) > bytes_max;
}

}  // namespace parley::json
