#include "outbound/masking.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>

namespace parley::outbound {
namespace {

constexpr std::string_view stars = "***";
/// Shorter secrets stand by chance in any text, and masking them would tell where.
constexpr std::size_t masked_bytes_min = 6;
/// Before one character: JSON in JSON, four deep. Bounds what a text of nothing else costs.
constexpr std::size_t backslashes_max = 15;
constexpr std::size_t hex_digits = 4;

std::size_t backslashes(std::string_view text) {
  return std::min({text.find_first_not_of('\\'), text.size(), backslashes_max});
}

/// The code unit of `uXXXX` at the beginning.
std::optional<utf8proc_int32_t> unit_of(std::string_view text) {
  if (text.size() <= hex_digits || text.front() != 'u') return std::nullopt;
  utf8proc_int32_t unit = 0;
  const char* end = text.data() + 1 + hex_digits;
  const auto read = std::from_chars(text.data() + 1, end, unit, 16);
  return read.ec == std::errc() && read.ptr == end && unit >= 0 ? std::optional(unit) : std::nullopt;
}

/// What stands behind backslashes, read as an escape of JSON.
struct Escape {
  std::string means;
  std::size_t bytes = 0;
};

Escape escape_at(std::string_view text) {
  if (text.front() == 't') return {"\t", 1};  // no other control character can be sent (F34)
  auto point = unit_of(text);
  if (!point) return {};
  std::size_t bytes = 1 + hex_digits;
  const std::string_view rest = text.substr(bytes);
  const auto low = unit_of(rest.substr(backslashes(rest)));
  if (*point >= 0xd800 && *point < 0xdc00 && low && *low >= 0xdc00 && *low < 0xe000) {
    point = 0x10000 + (*point - 0xd800) * 0x400 + (*low - 0xdc00);
    bytes += backslashes(rest) + 1 + hex_digits;
  }
  std::string means(4, '\0');
  const auto size = utf8proc_encode_char(*point, reinterpret_cast<utf8proc_uint8_t*>(means.data()));
  means.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return {std::move(means), bytes};
}

/// How many bytes at the beginning of the text spell the secret; 0 where they do not.
std::size_t spelt_bytes(std::string_view text, std::string_view secret) {
  if (text.starts_with(secret)) return secret.size();
  const std::size_t all = text.size();
  while (!secret.empty()) {
    const std::size_t escapes = backslashes(text);
    const std::size_t wanted = backslashes(secret);
    if (wanted > 0 && escapes == 0) return 0;
    text.remove_prefix(escapes);
    secret.remove_prefix(wanted);
    if (secret.empty()) break;
    if (text.empty()) return 0;
    const Escape escape = escapes > 0 ? escape_at(text) : Escape{};
    if (!escape.means.empty() && secret.starts_with(escape.means)) {
      text.remove_prefix(escape.bytes);
      secret.remove_prefix(escape.means.size());
    } else if (text.front() == secret.front()) {
      text.remove_prefix(1);
      secret.remove_prefix(1);
    } else {
      return 0;
    }
  }
  return all - text.size();
}

/// What must not be told: each secret as it is sent, and without the word in front of it.
std::vector<std::string_view> untold(const Secrets& secrets) {
  constexpr std::string_view blanks = " \t";
  std::vector<std::string_view> parts;
  for (const auto& [name, secret] : secrets) {
    std::string_view whole = secret;
    whole.remove_prefix(std::min(whole.find_first_not_of(blanks), whole.size()));
    whole = whole.substr(0, whole.find_last_not_of(blanks) + 1);
    parts.push_back(whole);
    const auto gap = std::min(whole.find_first_of(blanks), whole.size());
    const auto rest = std::min(whole.find_first_not_of(blanks, gap), whole.size());
    parts.push_back(whole.substr(rest));
  }
  std::erase_if(parts, [](std::string_view part) { return part.size() < masked_bytes_min; });
  return parts;
}

}  // namespace

std::string without_secrets(std::string_view text, const Secrets& secrets) {
  const auto parts = untold(secrets);
  if (parts.empty()) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = 0;
    for (const std::string_view part : parts) {
      if (text.front() != part.front() && text.front() != '\\') continue;
      bytes = std::max(bytes, spelt_bytes(text, part));
    }
    if (bytes > 0) {
      out += stars;
    } else {
      out += text.front();
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

}  // namespace parley::outbound
