#include "http/exchange/pattern_weight.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "model/text/ascii.hpp"

namespace parley::http {
namespace {

/// A pattern may follow one of these, in an assertion, a rule or a schema.
constexpr std::array<std::string_view, 4> signs{"regex", "wildcard", "pattern", "matches"};
constexpr std::string_view script_blanks = " \t\r\v\f";
constexpr std::size_t number_bytes = 6;  ///< of `\u0065`

/// The ASCII character that a numeric escape means.
std::optional<char> ascii_of(std::string_view escape) {
  if (escape.size() < number_bytes || !escape.starts_with("\\u00")) return std::nullopt;
  unsigned code = 0;
  const char* const digits_end = escape.data() + number_bytes;
  const auto [end, error] = std::from_chars(escape.data() + 4, digits_end, code, 16);
  if (error != std::errc{} || end != digits_end || code > 0x7f) return std::nullopt;
  return static_cast<char>(code);
}

/// The meaning of a letter after a backslash; a quote, a slash and a backslash mean themselves.
char meant_by(char letter) {
  switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return letter;
  }
}

/// The JSON text with its escapes undone. An escape beyond ASCII keeps its number.
std::string with_escapes_undone(std::string_view text) {
  std::string meant;
  meant.reserve(text.size());
  for (auto at = text.find('\\'); at != std::string_view::npos && at + 1 < text.size();
       at = text.find('\\')) {
    meant += text.substr(0, at);
    text.remove_prefix(at);
    const auto by_number = ascii_of(text);
    meant += by_number.value_or(meant_by(text[1]));
    text.remove_prefix(by_number ? number_bytes : 2);
  }
  meant += text;
  return meant;
}

/// A Unicode class or a counted repetition. In JSON, a digit after a brace and a backslash appear only within strings.
bool is_costly_piece(std::string_view text) {
  if (text.size() < 2) return false;
  return text.front() == '{' ? ascii::is_digit(text[1]) : ascii::lower(text[1]) == 'p';
}

bool has_costly_pieces(std::string_view text) {
  int pieces = 0;
  for (auto at = text.find_first_of("\\{"); at != std::string_view::npos;
       at = text.find_first_of("\\{", at + 1)) {
    if (is_costly_piece(text.substr(at)) && ++pieces > costly_pieces_max) return true;
  }
  return false;
}

/// `if /` of a script, with any number of blanks.
bool has_rule_of_script(std::string_view text) {
  for (auto at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    std::string_view before = text.substr(0, at);
    while (!before.empty() && script_blanks.find(before.back()) != std::string_view::npos)
      before.remove_suffix(1);
    if (before.size() < at && before.ends_with("if")) return true;
  }
  return false;
}

bool has_sign(std::string_view text) {
  return has_rule_of_script(text) || std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) {
           return text.find(sign) != std::string_view::npos;
         });
}

bool is_costly(std::string_view meant) {
  return (meant.size() > plain_body_bytes_max && has_sign(meant)) || has_costly_pieces(meant);
}

}  // namespace

bool may_hold_costly_patterns(const RequestContext& call) {
  if (!call.content_encoding.empty()) return true;  // a compressed body cannot be read here
  if (call.body.find('\\') == std::string::npos) return is_costly(call.body);
  return call.body.size() > undone_bytes_max || is_costly(with_escapes_undone(call.body));
}

}  // namespace parley::http
