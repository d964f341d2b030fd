#include "http/exchange/pattern_weight.hpp"

#include <string_view>

#include "model/text/ascii.hpp"

namespace parley::http {
namespace {

/// Whether a Unicode class or a counted repetition starts here. In JSON, a brace before a digit and a backslash occur
/// only within strings.
bool is_costly_piece(std::string_view text) {
  if (text.size() < 2) return false;
  return text.front() == '{' ? ascii::is_digit(text[1]) : ascii::lower(text[1]) == 'p';
}

/// Whether an escape such as `\u0065` starts here.
bool is_ascii_by_number(std::string_view text) {
  constexpr std::string_view start = "\\u00";
  return text.starts_with(start) && text.size() > start.size() && text[start.size()] < '8';
}

bool has_costly_pieces(std::string_view text) {
  int pieces = 0;
  for (auto at = text.find_first_of("\\{"); at != std::string_view::npos;
       at = text.find_first_of("\\{", at + 1)) {
    if (is_ascii_by_number(text.substr(at))) return true;
    if (is_costly_piece(text.substr(at)) && ++pieces > costly_pieces_max) return true;
  }
  return false;
}

}  // namespace

bool may_hold_costly_patterns(const RequestContext& call) {
  return !call.content_encoding.empty() || call.body.size() > light_body_bytes_max ||
         has_costly_pieces(call.body);
}

}  // namespace parley::http
