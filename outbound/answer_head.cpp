#include "outbound/answer_head.hpp"

#include <algorithm>
#include <vector>

#include "model/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The members of a comma-separated list, without the blanks around them.
std::vector<std::string> members_of(std::string_view value) {
  std::vector<std::string> members;
  while (true) {
    const auto comma = std::min(value.find(','), value.size());
    members.emplace_back(ascii::trimmed(value.substr(0, comma), blanks));
    if (comma == value.size()) return members;
    value.remove_prefix(comma + 1);
  }
}

}  // namespace

bool AnswerHead::take(std::string_view line) {
  if (is_whole_) {
    // Behind an interim answer another one begins; behind the last one there are trailers, which frame nothing.
    if (!line.starts_with("HTTP/")) return true;
    *this = {};
  }
  is_whole_ = ascii::trimmed(line, blanks).empty();
  const auto colon = std::min(line.find(':'), line.size() - 1);
  const auto name = ascii::lower(line.substr(0, colon));
  const auto value = line.substr(colon + 1);
  if (name == "connection") return take_connection(value);
  return name != "content-length" || take_length(value);
}

// The same length more than once, in lines or in a list, is one length.
bool AnswerHead::take_length(std::string_view value) {
  for (const auto& told : members_of(value)) {
    if (!ascii::is_digits(told) || (!length_.empty() && length_ != told)) return false;
    length_ = told;
  }
  return true;
}

bool AnswerHead::take_connection(std::string_view value) {
  for (const auto& option : members_of(value)) closes_ = closes_ || ascii::lower(option) == "close";
  return true;
}

}  // namespace parley::outbound
