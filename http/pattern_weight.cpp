#include "http/pattern_weight.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace parley::http {
namespace {

/// Behind one of these a pattern may stand, in an assertion, a rule, a schema or a script.
constexpr std::array<std::string_view, 4> signs{"regex", "wildcard", "pattern", "if /"};
/// What begins a class of characters within a JSON string, and the two of its bytes that JSON lets a client spell by numbers.
constexpr std::array<std::string_view, 6> escapes{"\\p", "\\P", "\\u005c", "\\u005C", "\\u007b", "\\u007B"};

/// JSON has a digit behind a brace, and a `p` behind a backslash, only within strings.
bool is_costly_piece(std::string_view text) {
  if (text.front() == '{') return text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  return std::any_of(escapes.begin(), escapes.end(),
                     [&](std::string_view escape) { return text.substr(0, escape.size()) == escape; });
}

bool has_costly_pieces(std::string_view text) {
  int pieces = 0;
  for (auto at = text.find_first_of("\\{"); at != std::string_view::npos;
       at = text.find_first_of("\\{", at + 1)) {
    if (is_costly_piece(text.substr(at)) && ++pieces > costly_pieces_max) return true;
  }
  return false;
}

bool has_sign(std::string_view text) {
  return std::any_of(signs.begin(), signs.end(),
                     [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

}  // namespace

bool may_hold_costly_patterns(const Call& call) {
  if (!call.content_encoding.empty()) return true;  // what is packed shows nothing of itself
  if (call.body.size() > plain_body_bytes_max && has_sign(call.body)) return true;
  return has_costly_pieces(call.body);
}

}  // namespace parley::http
