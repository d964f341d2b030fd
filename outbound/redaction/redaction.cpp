#include "outbound/redaction/redaction.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "model/text/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view stars = "***";
/// Shorter secrets occur by chance in any text, and redacting them would reveal where.
constexpr std::size_t masked_bytes_min = 6;
/// The minimum length of a part after its backslashes were removed.
constexpr std::size_t read_bytes_min = 4;
constexpr std::size_t hex_digits = 4;

std::size_t backslashes(std::string_view text) {
  return std::min(text.find_first_not_of('\\'), text.size());
}

/// The code unit of a `uXXXX` at the beginning.
std::optional<utf8proc_int32_t> unit_of(std::string_view text) {
  if (text.size() <= hex_digits || text.front() != 'u') return std::nullopt;
  utf8proc_int32_t unit = 0;
  const char* end = text.data() + 1 + hex_digits;
  const auto read = std::from_chars(text.data() + 1, end, unit, 16);
  return read.ec == std::errc() && read.ptr == end && unit >= 0 ? std::optional(unit) : std::nullopt;
}

/// The text after backslashes, read as a JSON escape of another character.
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

/// The range of hidden bytes, from the first one to the byte after the last one.
struct Place {
  std::size_t begin;
  std::size_t end;
};
using Places = std::vector<Place>;  ///< ascending by begin

/// For each prefix of the part, the length of its longest proper border (Knuth, Morris and Pratt).
std::vector<std::size_t> borders_of(std::string_view part) {
  std::vector<std::size_t> borders(part.size() + 1, 0);
  std::size_t same = 0;
  for (std::size_t i = 1; i < part.size(); ++i) {
    while (same > 0 && part[i] != part[same]) same = borders[same];
    if (part[i] == part[same]) ++same;
    borders[i + 1] = same;
  }
  return borders;
}

/// The positions of the part in the text. Overlapping occurrences are one place. Linear in both, whatever
/// repetitions they contain.
Places places_of(std::string_view part, std::string_view text) {
  Places places;
  const void* first = ::memmem(text.data(), text.size(), part.data(), part.size());
  if (first == nullptr) return places;
  const std::vector<std::size_t> borders = borders_of(part);
  std::size_t same = 0;
  for (auto at = static_cast<std::size_t>(static_cast<const char*>(first) - text.data()); at < text.size();
       ++at) {
    while (same > 0 && (same == part.size() || text[at] != part[same])) same = borders[same];
    if (text[at] == part[same]) ++same;
    if (same < part.size()) continue;
    const std::size_t begin = at + 1 - same;
    if (!places.empty() && begin < places.back().end) {
      places.back().end = at + 1;
    } else {
      places.push_back({begin, at + 1});
    }
  }
  return places;
}

/// The escapes that a reading decodes. `\\t` may be a tab that was encoded as JSON twice, or a backslash and a
/// letter, so a text is read in each of these ways.
enum class Escapes : std::uint8_t { all, units, none };

/// A text without its backslashes, with escapes replaced by the characters that they encode.
struct Reading {
  std::string text;
  std::vector<std::size_t> begins;  ///< where each byte begins in the original; then the end of the last
                                    ///< then the end of the last one
};

Reading read(std::string_view text, Escapes escapes) {
  Reading reading;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slashes = backslashes(text.substr(at));
    at += slashes;
    if (at == text.size()) break;
    const bool may_mean = escapes == Escapes::all || (escapes == Escapes::units && text[at] == 'u');
    Escape escape = slashes > 0 && may_mean ? escape_at(text.substr(at)) : Escape{};
    if (escape.means.empty()) escape = {std::string(1, text[at]), 1};
    at += escape.bytes;
    if (escape.means == "\\") continue;
    reading.text += escape.means;
    reading.begins.resize(reading.text.size(), begin);
    begin = at;
  }
  reading.begins.push_back(begin);
  return reading;
}

/// Adds the same places in the original text.
void add_spelt(const Places& read, const Reading& reading, Places& places) {
  for (const Place& place : read) {
    std::size_t end = place.end;
    while (end < reading.text.size() && reading.begins[end] == reading.begins[end - 1]) ++end;
    places.push_back({reading.begins[place.begin], reading.begins[end]});
  }
}

/// Extends the places by the backslashes before them, and by those after a part that ends in one, because the
/// next may be the other half of its escape.
void take_backslashes(std::string_view text, std::string_view part, Places& places) {
  std::size_t last_end = 0;
  for (Place& place : places) {
    while (place.begin > last_end && text[place.begin - 1] == '\\') --place.begin;
    if (part.ends_with('\\')) place.end += backslashes(text.substr(place.end));
    last_end = place.end;
  }
}

constexpr std::array ways{Escapes::all, Escapes::units, Escapes::none};

/// All ways to read a text with backslashes; empty for a text without backslashes, which has only one reading.
std::vector<Reading> readings_of(std::string_view text) {
  std::vector<Reading> readings;
  if (text.find('\\') == std::string_view::npos) return readings;
  for (const Escapes escapes : ways) readings.push_back(read(text, escapes));
  return readings;
}

constexpr std::string_view blanks = " \t";

/// Others repeat a value that was pasted with its quotes without them.
std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

Parts parts_as_sent(const Secrets& secrets) {
  Parts parts;
  for (const auto& [name, secret] : secrets) {
    const std::string_view whole = ascii::trimmed(secret, blanks);
    const auto gap = std::min(whole.find_first_of(blanks), whole.size());
    for (const std::string_view part : {whole, ascii::trimmed(whole.substr(gap), blanks)}) {
      parts.emplace_back(part);
      parts.emplace_back(unquoted(part));
    }
  }
  std::erase_if(parts, [](std::string_view part) { return part.size() < masked_bytes_min; });
  return parts;
}

HiddenForms hidden_forms(const Parts& as_sent) {
  HiddenForms parts = as_sent;
  for (const std::string& part : as_sent) {
    for (Reading& reading : readings_of(part)) {
      if (reading.text.size() >= read_bytes_min) parts.push_back(std::move(reading.text));
    }
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::optional<std::string> redacted(std::string_view text, const HiddenForms& parts) {
  if (parts.empty()) return std::nullopt;
  const std::vector<Reading> readings = readings_of(text);
  Places places;
  for (const std::string& part : parts) {
    Places plain = places_of(part, text);
    take_backslashes(text, part, plain);
    places.insert(places.end(), plain.begin(), plain.end());
    for (const Reading& reading : readings) add_spelt(places_of(part, reading.text), reading, places);
  }
  if (places.empty()) return std::nullopt;
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t hidden_to = 0;
  for (const Place& place : places) {
    if (place.begin >= hidden_to) {  // overlapping secrets become one
      out += text.substr(hidden_to, place.begin - hidden_to);
      out += stars;
    }
    hidden_to = std::max(hidden_to, place.end);
  }
  out += text.substr(hidden_to);
  return out;
}

std::string without_secrets(std::string_view text, const Secrets& secrets) {
  return redacted(text, hidden_forms(parts_as_sent(secrets))).value_or(std::string(text));
}

}  // namespace parley::outbound
