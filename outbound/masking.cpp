#include "outbound/masking.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>

#include "model/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view stars = "***";
/// Shorter secrets stand by chance in any text, and masking them would tell where.
constexpr std::size_t masked_bytes_min = 6;
constexpr std::size_t hex_digits = 4;

std::size_t backslashes(std::string_view text) {
  return std::min(text.find_first_not_of('\\'), text.size());
}

/// The code unit of `uXXXX` at the beginning.
std::optional<utf8proc_int32_t> unit_of(std::string_view text) {
  if (text.size() <= hex_digits || text.front() != 'u') return std::nullopt;
  utf8proc_int32_t unit = 0;
  const char* end = text.data() + 1 + hex_digits;
  const auto read = std::from_chars(text.data() + 1, end, unit, 16);
  return read.ec == std::errc() && read.ptr == end && unit >= 0 ? std::optional(unit) : std::nullopt;
}

/// What stands behind backslashes, read as an escape of JSON that is more than its own last character.
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

/// Both begin with as many backslashes: a text may have more than the secret, for each time that it was written as JSON.
bool take_backslashes(std::string_view& text, std::string_view& secret) {
  const std::size_t escapes = backslashes(text);
  const std::size_t wanted = backslashes(secret);
  if (escapes < wanted) return false;
  text.remove_prefix(escapes);
  secret.remove_prefix(wanted);
  return true;
}

/// How many bytes at the beginning of the text are the secret, and the backslashes around it; 0 where they are not.
std::size_t plain_bytes(std::string_view text, std::string_view secret) {
  const std::size_t all = text.size();
  if (!take_backslashes(text, secret) || !text.starts_with(secret)) return 0;
  text.remove_prefix(secret.size());
  // Where the secret ends in a backslash the next one may be the other half of its escape.
  if (secret.ends_with('\\')) text.remove_prefix(backslashes(text));
  return all - text.size();
}

/// The same where the text may spell the secret with escapes.
std::size_t escaped_bytes(std::string_view text, std::string_view secret) {
  const std::size_t all = text.size();
  while (!secret.empty()) {
    const bool is_escaped = text.starts_with('\\');
    if (!take_backslashes(text, secret)) return 0;
    if (secret.empty()) break;
    if (text.empty()) return 0;
    const Escape escape = is_escaped ? escape_at(text) : Escape{};
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

std::size_t spelt_bytes(std::string_view text, std::string_view secret) {
  if (text.front() != secret.front() && text.front() != '\\') return 0;
  return std::max(plain_bytes(text, secret), escaped_bytes(text, secret));
}

constexpr std::string_view blanks = " \t";

/// Whoever pasted a value with its quotes is sent it without them by others.
std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

bool may_stand_in(std::string_view text, const Untold& parts) {
  if (text.find('\\') != std::string_view::npos) return true;
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string_view::npos; });
}

}  // namespace

Untold untold(const Secrets& secrets) {
  Untold parts;
  for (const auto& [name, secret] : secrets) {
    const std::string_view whole = ascii::trimmed(secret, blanks);
    const auto gap = std::min(whole.find_first_of(blanks), whole.size());
    for (const std::string_view part : {whole, ascii::trimmed(whole.substr(gap), blanks)}) {
      parts.emplace_back(part);
      parts.emplace_back(unquoted(part));
    }
  }
  std::erase_if(parts, [](std::string_view part) { return part.size() < masked_bytes_min; });
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::optional<std::string> masked(std::string_view text, const Untold& parts) {
  if (!may_stand_in(text, parts)) return std::nullopt;
  std::string out;
  std::size_t hidden_to = 0;  // secrets that overlap are one
  bool is_found = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t bytes = 0;
    for (const std::string& part : parts) bytes = std::max(bytes, spelt_bytes(rest, part));
    if (bytes > 0 && at >= hidden_to) out += stars;
    is_found = is_found || bytes > 0;
    hidden_to = std::max(hidden_to, at + bytes);
    // What begins at the first of several backslashes is found there, and none of them is left behind alone.
    const std::size_t step = std::max<std::size_t>(backslashes(rest), 1);
    if (at >= hidden_to) out += rest.substr(0, step);
    at += step;
  }
  if (!is_found) return std::nullopt;
  return out;
}

std::string without_secrets(std::string_view text, const Secrets& secrets) {
  return masked(text, untold(secrets)).value_or(std::string(text));
}

}  // namespace parley::outbound
