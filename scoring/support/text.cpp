#include "scoring/support/text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "model/text/ascii.hpp"

namespace parley::scoring {
namespace {

constexpr std::size_t quoted_chars_max = 200;
/// The maximum number of texts that a list in a reason shows; it only counts the rest.
constexpr std::size_t listed_max = 10;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// toNFKC_Casefold of Unicode; the text itself if utf8proc rejects it.
std::string case_folded(std::string_view text) {
  constexpr auto options = static_cast<utf8proc_option_t>(
      UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  utf8proc_uint8_t* folded = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, &std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size)};
}

bool is_whitespace(utf8proc_int32_t point) {
  if ((point >= 0x09 && point <= 0x0d) || point == 0x85) return true;
  if (point < 0x80) return point == ' ';
  const auto category = utf8proc_category(point);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool is_punctuation(utf8proc_int32_t point) {
  const auto category = utf8proc_category(point);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool is_left_out(utf8proc_int32_t point, const Ignored& ignored) {
  return (ignored.commas && point == ',') || (ignored.whitespace && is_whitespace(point)) ||
         (ignored.punctuation && is_punctuation(point));
}

/// A code point and its number of bytes.
struct Point {
  utf8proc_int32_t code;  ///< -1 for a byte that is not UTF-8, which represents itself
  std::size_t bytes;
};

/// Needs: a text that is not empty.
Point first_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1};
  Point point{-1, 1};
  const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &point.code);
  if (read <= 0) return {-1, 1};
  point.bytes = static_cast<std::size_t>(read);
  return point;
}

/// Needs: a text that is not empty.
Point last_point(std::string_view text) {
  constexpr std::size_t bytes_max = 4;
  for (std::size_t bytes = 1; bytes <= std::min(bytes_max, text.size()); ++bytes) {
    const Point point = first_point(text.substr(text.size() - bytes));
    if (point.code >= 0 && point.bytes == bytes) return point;
  }
  return {-1, 1};
}

/// Calls `visit(code point, its bytes)` for each code point. A byte that is not UTF-8 represents itself and is
/// passed as -1.
template <class Visit>
void for_each_point(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Point point = first_point(text.substr(at));
    visit(point.code, text.substr(at, point.bytes));
    at += point.bytes;
  }
}

std::string without(std::string_view text, const Ignored& ignored) {
  std::string out;
  out.reserve(text.size());
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view bytes) {
    if (point < 0 || !is_left_out(point, ignored)) out += bytes;
  });
  return out;
}

}  // namespace

bool ignore_by_word(Ignored& ignored, std::string_view word) {
  if (word == "case") return ignored.letter_case = true;
  if (word == "commas") return ignored.commas = true;
  if (word == "whitespace") return ignored.whitespace = true;
  if (word == "punctuation") return ignored.punctuation = true;
  return false;
}

std::string comparable(std::string_view text, const Ignored& ignored) {
  std::string out;
  if (ignored.letter_case && is_ascii(text)) {
    out = ascii::lower(text);
  } else {
    out = ignored.letter_case ? case_folded(text) : std::string(text);
  }
  // After folding, which converts wide forms of commas and blanks to the plain ones.
  const bool leaves_out = ignored.commas || ignored.whitespace || ignored.punctuation;
  return leaves_out ? without(out, ignored) : out;
}

namespace {

/// The length of the first character of the text, including its combining marks.
std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = first_point(text).bytes;
  while (bytes < text.size()) {
    const Point next = first_point(text.substr(bytes));
    const bool combines = next.code > 0 && utf8proc_get_property(next.code)->combining_class != 0;
    if (!combines) break;
    bytes += next.bytes;
  }
  return bytes;
}

/// The comparable form of a text, and the position in the text of each of its characters.
struct Mapped {
  std::string form;
  std::vector<std::size_t> from;  ///< for each byte of the form: where its character begins in the text
  std::vector<std::size_t> to;    ///< for each byte of the form: where its character ends
};

Mapped mapped(std::string_view text, const Ignored& ignored) {
  Mapped made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    made.form += comparable(text.substr(at, bytes), ignored);
    made.from.resize(made.form.size(), at);
    made.to.resize(made.form.size(), at + bytes);
    at += bytes;
  }
  return made;
}

}  // namespace

std::optional<Span> place_of(std::string_view text, std::string_view part, const Ignored& ignored,
                             Edge edge) {
  constexpr std::size_t text_bytes_max = 64 * 1024;
  if (part.empty() || text.size() > text_bytes_max) return std::nullopt;
  const Mapped made = mapped(text, ignored);
  if (made.form != comparable(text, ignored) || made.form.size() < part.size()) return std::nullopt;
  std::size_t begin = 0;
  if (edge == Edge::none) {
    const void* found = memmem(made.form.data(), made.form.size(), part.data(), part.size());
    if (found == nullptr) return std::nullopt;
    begin = static_cast<std::size_t>(static_cast<const char*>(found) - made.form.data());
  } else {
    begin = edge == Edge::start ? 0 : made.form.size() - part.size();
    if (std::string_view(made.form).substr(begin, part.size()) != part) return std::nullopt;
  }
  return Span{made.from[begin], made.to[begin + part.size() - 1]};
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](const Point& point) { return point.code >= 0 && is_whitespace(point.code); };
  while (!text.empty() && is_blank(first_point(text))) text.remove_prefix(first_point(text).bytes);
  while (!text.empty() && is_blank(last_point(text))) text.remove_suffix(last_point(text).bytes);
  return text;
}

bool holds(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  if (part.size() > text.size()) return false;  // an empty view may have no address
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

Steps reading_steps(std::string_view text) {
  constexpr Steps folded = 8;  // NFKC looks up each character more than once
  return text.size() * (is_ascii(text) ? 1 : folded);
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view bytes) {
    points += point < 0 ? static_cast<char32_t>(static_cast<unsigned char>(bytes.front()))
                        : static_cast<char32_t>(point);
  });
  return points;
}

std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view) {
    const bool is_blank = is_whitespace(point);
    if (!is_blank && !in_word) ++words;
    in_word = !is_blank;
  });
  return words;
}

std::string shortened(std::string_view text) {
  std::size_t chars = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_char = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (begins_char && chars++ == quoted_chars_max) return std::string(text.substr(0, at)) + "…";
  }
  return std::string(text);
}

std::string in_quotes(std::string_view text) {
  return "\"" + shortened(text) + "\"";
}

std::string quoted_list(const std::vector<std::string_view>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i == listed_max) return out + " and " + counted(texts.size() - i, "other");
    out += (i == 0 ? "" : ", ") + in_quotes(texts[i]);
  }
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace parley::scoring
