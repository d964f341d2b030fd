#include "outbound/client/answer_head.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <vector>

#include "model/text/ascii.hpp"
#include "model/text/header_field_text.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Codings that faults may name, regardless of the sender.
constexpr std::array<std::string_view, 3> usual_codings{"deflate", "compress", "x-compress"};
/// Shorter than any secret that is redacted (Parts). A longer word could be a secret that was sent to the peer,
/// and failures are not redacted.
constexpr std::size_t named_bytes_max = 5;

/// The members of a comma-separated list, without surrounding blanks.
std::vector<std::string> members_of(std::string_view value) {
  std::vector<std::string> members;
  while (true) {
    const auto comma = std::min(value.find(','), value.size());
    members.emplace_back(ascii::trimmed(value.substr(0, comma), blanks));
    if (comma == value.size()) return members;
    value.remove_prefix(comma + 1);
  }
}

/// The codings of a list, in lower case. Empty list members have no meaning (RFC 9110 5.6.1.2).
std::vector<std::string> codings_of(std::string_view value) {
  std::vector<std::string> codings;
  for (const auto& member : members_of(value)) {
    if (!member.empty()) codings.push_back(ascii::lower(member));
  }
  return codings;
}

/// libcurl's two keywords for an unencoded body.
bool means_none(std::string_view coding) {
  return coding == "identity" || coding == "none";
}

bool may_be_named(const std::string& coding) {
  const bool is_usual = std::find(usual_codings.begin(), usual_codings.end(), coding) != usual_codings.end();
  return is_usual || (coding.size() <= named_bytes_max && is_token(coding));
}

/// Whether the line is a status line of 1xx (RFC 9110 15.2), except 101, which no other status line follows.
bool is_interim_status(std::string_view line) {
  const auto after_version = ascii::trimmed(line.substr(std::min(line.find(' '), line.size())), blanks);
  const auto status = after_version.substr(0, after_version.find_first_of(blanks));
  return status.size() == 3 && status.front() == '1' && ascii::is_digits(status) && status != "101";
}

/// For example "has the content coding br, which is neither gzip nor identity".
std::string unknown(const std::string& kind, const std::string& coding, const std::string& known) {
  const bool is_named = may_be_named(coding);
  return (is_named ? "has the " + kind + " coding " + coding + ", which" : "has a " + kind + " coding that") +
         " is neither " + known + " nor identity";
}

}  // namespace

std::optional<std::string> AnswerHead::take(std::string_view line) {
  // After an interim answer another head begins. After the last head come trailers, which do not frame anything.
  if (is_whole_ && !line.starts_with("HTTP/")) return std::nullopt;
  if (is_whole_ || !has_begun_) begin(line);
  is_whole_ = ascii::trimmed(line, blanks).empty();
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto name = ascii::lower(line.substr(0, colon));
  const auto value = line.substr(colon + 1);
  if (name == "content-length") return take_length(value);
  if (name == "content-encoding") return take_content_codings(value);
  if (name == "transfer-encoding") return take_transfer_codings(value);
  if (name == "retry-after") reported_.retry_after = ascii::trimmed(value, blanks);
  if (name == "location") reported_.location = ascii::trimmed(value, blanks);
  if (name == "connection") take_connection(value);
  return std::nullopt;
}

void AnswerHead::begin(std::string_view status_line) {
  has_begun_ = true;
  is_whole_ = false;
  reported_ = {};
  reported_.is_interim = is_interim_status(status_line);
}

// A length that is repeated in lines or in a list is one length.
AnswerHead::Fault AnswerHead::take_length(std::string_view value) {
  for (const auto& member : members_of(value)) {
    if (!ascii::is_digits(member) || (!reported_.length.empty() && reported_.length != member))
      return "declares a Content-Length that is not one number";
    reported_.length = member;
  }
  return std::nullopt;
}

// Only gzip is requested. Each further coding multiplies the size: with two more, a few KB become gigabytes.
AnswerHead::Fault AnswerHead::take_content_codings(std::string_view value) {
  for (const auto& coding : codings_of(value)) {
    if (means_none(coding)) continue;
    if (coding != "gzip" && coding != "x-gzip") return unknown("content", coding, "gzip");
    if (reported_.is_packed) return "is packed more than once";
    reported_.is_packed = true;
  }
  return std::nullopt;
}

// Repeated lines are one coding, because a proxy may add its line to that of the server. No sender may apply
// chunked twice (RFC 9112 6.1), and libcurl decodes once, however often it is declared.
AnswerHead::Fault AnswerHead::take_transfer_codings(std::string_view value) {
  has_transfer_coding_ = true;
  for (const auto& coding : codings_of(value)) {
    if (!means_none(coding) && coding != "chunked") return unknown("transfer", coding, "chunked");
    is_chunked_ = is_chunked_ || coding == "chunked";
  }
  return std::nullopt;
}

std::optional<std::uint64_t> AnswerHead::hidden_length() const {
  return has_transfer_coding_ && !is_chunked_ ? length() : std::nullopt;
}

std::optional<std::uint64_t> AnswerHead::length() const {
  if (reported_.length.empty()) return std::nullopt;
  std::uint64_t bytes = 0;
  const auto read =
      std::from_chars(reported_.length.data(), reported_.length.data() + reported_.length.size(), bytes);
  const bool fits = read.ec == std::errc{};
  return fits ? bytes : std::numeric_limits<std::uint64_t>::max();
}

void AnswerHead::take_connection(std::string_view value) {
  for (const auto& option : members_of(value))
    reported_.closes = reported_.closes || ascii::lower(option) == "close";
}

}  // namespace parley::outbound
