#include "outbound/answer_head.hpp"

#include <algorithm>

#include "model/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view length_field = "content-length:";

bool is_length_line(std::string_view line) {
  return ascii::lower(line.substr(0, length_field.size())) == length_field;
}

}  // namespace

bool AnswerHead::take(std::string_view line) {
  if (is_whole_) {
    // Behind an interim answer another one begins; behind the last one there are trailers, which frame nothing.
    if (!line.starts_with("HTTP/")) return true;
    *this = {};
  }
  is_whole_ = ascii::trimmed(line, blanks).empty();
  return !is_length_line(line) || take_length(line.substr(length_field.size()));
}

// The same length more than once, in lines or in a list, is one length.
bool AnswerHead::take_length(std::string_view value) {
  while (true) {
    const auto comma = std::min(value.find(','), value.size());
    const auto told = ascii::trimmed(value.substr(0, comma), blanks);
    if (!ascii::is_digits(told) || (!length_.empty() && length_ != told)) return false;
    length_ = told;
    if (comma == value.size()) return true;
    value.remove_prefix(comma + 1);
  }
}

}  // namespace parley::outbound
