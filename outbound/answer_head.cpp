#include "outbound/answer_head.hpp"

#include <algorithm>

namespace parley::outbound {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view length_field = "content-length:";

std::string_view trimmed(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_length_line(std::string_view line) {
  const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return line.size() >= length_field.size() &&
         std::equal(length_field.begin(), length_field.end(), line.begin(),
                    [&](char b, char a) { return is_same(a, b); });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool AnswerHead::take(std::string_view line) {
  if (is_whole_) {
    // Behind an interim answer another one begins; behind the last one there are trailers, which frame nothing.
    if (!line.starts_with("HTTP/")) return true;
    *this = {};
  }
  is_whole_ = trimmed(line).empty();
  return !is_length_line(line) || take_length(line.substr(length_field.size()));
}

// The same length more than once, in lines or in a list, is one length.
bool AnswerHead::take_length(std::string_view value) {
  while (true) {
    const auto comma = std::min(value.find(','), value.size());
    const auto told = trimmed(value.substr(0, comma));
    if (!is_number(told) || (!length_.empty() && length_ != told)) return false;
    length_ = told;
    if (comma == value.size()) return true;
    value.remove_prefix(comma + 1);
  }
}

}  // namespace parley::outbound
