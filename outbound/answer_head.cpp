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

std::optional<std::string> AnswerHead::take(std::string_view line) {
  if (is_whole_) {
    // Behind an interim answer another one begins; behind the last one there are trailers, which frame nothing.
    if (!line.starts_with("HTTP/")) return std::nullopt;
    is_whole_ = closes_ = false;
    length_.clear();
  }
  is_whole_ = ascii::trimmed(line, blanks).empty();
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto name = ascii::lower(line.substr(0, colon));
  const auto value = line.substr(colon + 1);
  if (name == "content-length") return take_length(value);
  if (name == "content-encoding") return take_content_codings(value);
  if (name == "transfer-encoding") return take_transfer_codings(value);
  if (name == "connection") take_connection(value);
  return std::nullopt;
}

// The same length more than once, in lines or in a list, is one length.
AnswerHead::Fault AnswerHead::take_length(std::string_view value) {
  for (const auto& told : members_of(value)) {
    if (!ascii::is_digits(told) || (!length_.empty() && length_ != told))
      return "tells a Content-Length that is not one number";
    length_ = told;
  }
  return std::nullopt;
}

// Only gzip is asked for. Each further one multiplies: a few KB are gigabytes of nothing two codings deeper.
AnswerHead::Fault AnswerHead::take_content_codings(std::string_view value) {
  for (const auto& told : members_of(value)) {
    const auto coding = ascii::lower(told);
    if (coding.empty() || coding == "identity") continue;
    if (coding != "gzip" && coding != "x-gzip") return "is packed in another way than gzip";
    if (is_packed_) return "is packed more than once";
    is_packed_ = true;
  }
  return std::nullopt;
}

AnswerHead::Fault AnswerHead::take_transfer_codings(std::string_view value) {
  for (const auto& told : members_of(value)) {
    if (is_chunked_ || ascii::lower(told) != "chunked") return "has a transfer coding other than chunked";
    is_chunked_ = true;
  }
  return std::nullopt;
}

void AnswerHead::take_connection(std::string_view value) {
  for (const auto& option : members_of(value)) closes_ = closes_ || ascii::lower(option) == "close";
}

}  // namespace parley::outbound
