#include "scoring/grounding/claims.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "model/json/json_writer.hpp"
#include "model/limits.hpp"
#include "model/text/ascii.hpp"

namespace parley::scoring {
namespace {

// The forms of values, one group for each kind. The first alternative that matches at a position takes precedence.
//
//   1 url   2 email   3 iso date   4 date with month name first   5 date with day first   6 time   7 money
//   8 number with separators or fraction   9 any other word, which is an id, a number, or nothing
constexpr const char* month_names =
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|"
    "Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
constexpr const char* amount = R"(\d(?:[\d,]*\d)?(?:\.\d+)?)";

std::string pattern_text() {
  const std::string month = month_names;
  const std::string number = amount;
  const std::string ordinal = "(?:st|nd|rd|th)?";
  return R"re((https?://[^\s"'<>\\)\]}]*[^\s"'<>\\)\]}.,;:!?]))re"
         R"re(|([A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+))re"
         R"re(|(\b\d{4}-\d{2}-\d{2}))re"
         "|((?i)\\b" +
         month + "\\.?\\s+\\d{1,2}" + ordinal + "\\b(?:,?\\s+\\d{4}\\b)?)" + "|((?i)\\b\\d{1,2}" + ordinal +
         "\\s+(?:of\\s+)?" + month + "\\b(?:,?\\s+\\d{4}\\b)?)" +
         R"re(|(\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b)?|\b\d{1,2}\s?[AaPp][Mm]\b))re" +
         "|([$€£¥]\\s?" + number + "|\\b(?:USD|EUR|GBP)\\s?" + number + "|\\b" + number +
         "\\s?(?:USD|EUR|GBP|[Dd]ollars?|[Ee]uros?)\\b)" +
         R"re(|(\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b|\b\d+\.\d+\b))re" +
         R"re(|([A-Za-z0-9]+(?:[_-][A-Za-z0-9_]+)*))re";
}

constexpr int groups = 9;

const RE2& value_pattern() {
  static const RE2 pattern(pattern_text(), RE2::Quiet);
  return pattern;
}

int number_at(std::string_view text, std::size_t begin, std::size_t size) {
  int value = 0;
  std::from_chars(text.data() + begin, text.data() + std::min(begin + size, text.size()), value);
  return value;
}

/// The digits of an amount as a number in its shortest form, so that "1,023.50" and "1023.5" are equal.
std::string amount_value(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (ascii::is_digit(c) || c == '.') digits += c;
  }
  return json::number_text(std::strtod(digits.c_str(), nullptr));
}

std::string date_value(int year, int month, int day) {
  return std::to_string(year) + "-" + std::to_string(month) + "-" + std::to_string(day);
}

int month_of(std::string_view name) {
  constexpr std::string_view all = "janfebmaraprmayjunjulaugsepoctnovdec";
  return static_cast<int>(all.find(ascii::lower(name.substr(0, 3))) / 3) + 1;
}

/// Year 0 if the text has no year.
std::string named_date_value(std::string_view text) {
  int day = 0;
  int year = 0;
  int month = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (ascii::is_digit(text[at])) {
      while (end < text.size() && ascii::is_digit(text[end])) ++end;
      (end - at == 4 ? year : day) = number_at(text, at, end - at);
      while (end < text.size() && ascii::is_letter(text[end])) ++end;
    } else if (ascii::is_letter(text[at])) {
      while (end < text.size() && ascii::is_letter(text[end])) ++end;
      if (end - at >= 3) month = month_of(text.substr(at, end - at));
    } else {
      ++end;
    }
    at = end;
  }
  return date_value(year, month, day);
}

/// Hours and minutes; also seconds if the text has them.
std::string time_value(std::string_view text) {
  const std::string low = ascii::lower(text);
  int hour = number_at(low, 0, 2);
  const auto colon = low.find(':');
  const int minute = colon == std::string::npos ? 0 : number_at(low, colon + 1, 2);
  const auto second_colon = colon == std::string::npos ? colon : low.find(':', colon + 1);
  const int second = second_colon == std::string::npos ? 0 : number_at(low, second_colon + 1, 2);
  if (low.find('p') != std::string::npos) hour = hour % 12 + 12;
  if (low.find('a') != std::string::npos) hour = hour % 12;
  return std::to_string(hour) + ":" + std::to_string(minute) +
         (second == 0 ? "" : ":" + std::to_string(second));
}

/// The meaning of a word of letters, digits, `_` and `-`: an id, a leading number ("24", "24-hour", "5kg"), or nothing.
std::optional<Mention> word_mention(std::string_view word, std::size_t begin) {
  std::size_t digits = 0;
  while (digits < word.size() && ascii::is_digit(word[digits])) ++digits;
  const bool has_digit = std::any_of(word.begin(), word.end(), ascii::is_digit);
  if (!has_digit) return std::nullopt;
  const std::string_view rest = word.substr(digits);
  const bool unit = digits > 0 && !rest.empty() && rest[0] != '-' && rest.size() <= 3 &&
                    std::all_of(rest.begin(), rest.end(), ascii::is_lower);
  const bool ordinal = unit && (rest == "st" || rest == "nd" || rest == "rd" || rest == "th");
  const bool joined = digits > 0 && rest.starts_with('-');
  const bool letters_in_front =
      digits == 0 || (!joined && std::any_of(rest.begin(), rest.end(), ascii::is_letter));
  if (ordinal) return std::nullopt;
  const bool is_number = rest.empty() || unit ||
                         (joined && !std::any_of(rest.begin(), rest.end(), ascii::is_digit)) ||
                         (joined && std::none_of(rest.begin(), rest.end(), ascii::is_letter));
  if (!is_number && (letters_in_front || joined))
    return Mention{ClaimKind::id, begin, begin + word.size(), ascii::lower(word)};
  return Mention{ClaimKind::number, begin, begin + digits, amount_value(word.substr(0, digits))};
}

std::optional<Mention> mention_of(int group, std::string_view found, std::size_t begin) {
  const std::size_t end = begin + found.size();
  switch (group) {
    case 1: return Mention{ClaimKind::url, begin, end, ascii::lower(found)};
    case 2: return Mention{ClaimKind::email, begin, end, ascii::lower(found)};
    case 3:
      return Mention{ClaimKind::date, begin, end,
                     date_value(number_at(found, 0, 4), number_at(found, 5, 2), number_at(found, 8, 2))};
    case 4:
    case 5: return Mention{ClaimKind::date, begin, end, named_date_value(found)};
    case 6: return Mention{ClaimKind::time, begin, end, time_value(found)};
    case 7: return Mention{ClaimKind::money, begin, end, amount_value(found)};
    case 8: return Mention{ClaimKind::number, begin, end, amount_value(found)};
    default: return word_mention(found, begin);
  }
}

/// The position where the search continues after a mention: after the T of a date-time, and after the "+1" of a
/// time on the next day.
std::size_t end_of(std::string_view text, const Mention& mention) {
  const std::string_view rest = text.substr(mention.end);
  if (mention.kind == ClaimKind::date && rest.size() > 1 && rest[0] == 'T' && ascii::is_digit(rest[1]))
    return mention.end + 1;
  if (mention.kind == ClaimKind::time && rest.starts_with("+1")) return mention.end + 2;
  if (mention.kind == ClaimKind::time && rest.starts_with(" +1")) return mention.end + 3;
  return mention.end;
}

/// Whether JSON text inside the message escapes a line end here, so that the n belongs to the backslash.
bool is_escape(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' && (text[at] == 'n' || text[at] == 't' || text[at] == 'r');
}

/// Cuts a word that runs into a time ("before-7:00") in front of the time.
std::string_view cut_before_time(std::string_view text, std::string_view word, std::size_t end) {
  const bool continues = end + 1 < text.size() && text[end] == ':' && ascii::is_digit(text[end + 1]);
  const auto joint = word.rfind('-');
  return continues && joint != std::string_view::npos ? word.substr(0, joint) : word;
}

std::vector<Mention> mentions_in(std::string_view text) {
  std::vector<Mention> mentions;
  std::size_t at = 0;
  re2::StringPiece found[groups + 1];
  while (at < text.size()) {
    // Restarts the search after the last mention, so that it finds the time of a date-time after the T.
    const re2::StringPiece rest(text.data() + at, text.size() - at);
    if (!value_pattern().Match(rest, 0, rest.size(), RE2::UNANCHORED, found, groups + 1)) break;
    const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
    if (is_escape(text, begin)) {
      at = begin + 1;
      continue;
    }
    int group = 1;
    while (group < groups && found[group].data() == nullptr) ++group;
    std::string_view word = text.substr(begin, found[0].size());
    if (group == groups) word = cut_before_time(text, word, begin + word.size());
    const auto mention = mention_of(group, word, begin);
    at = mention ? end_of(text, *mention) : begin + word.size();
    if (mention) mentions.push_back(*mention);
  }
  return mentions;
}

/// Words that number the items of a message's own list, and the largest such number.
constexpr std::array<std::string_view, 14> listing_words{
    "option", "options", "step",   "steps", "flight",   "item",    "items",
    "part",   "segment", "choice", "plan",  "question", "section", "reservation"};
constexpr int listing_number_max = 20;

bool is_small(const Mention& mention) {
  return mention.kind == ClaimKind::number && mention.end - mention.begin <= 2 &&
         std::atoi(mention.value.c_str()) <= listing_number_max;
}

/// The letters directly before the position, separated by one blank.
std::string word_before(std::string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] != ' ') return {};
  std::size_t begin = at - 1;
  while (begin > 0 && ascii::is_letter(text[begin - 1])) --begin;
  return ascii::lower(text.substr(begin, at - 1 - begin));
}

/// True for "1." and "2)" at the beginning of a line, after list marks and headings.
bool numbers_a_line(std::string_view text, const Mention& mention) {
  const std::string_view rest = text.substr(mention.end);
  if (rest.size() < 2 || (rest[0] != '.' && rest[0] != ')') || (rest[1] != ' ' && rest[1] != '*'))
    return false;
  std::size_t at = mention.begin;
  while (at > 0 && std::string_view(" \t*#>-(\"").find(text[at - 1]) != std::string_view::npos) --at;
  if (at == 0 || text[at - 1] == '\n') return true;
  return at >= 2 && text[at - 1] == 'n' && text[at - 2] == '\\';
}

bool numbers_an_item(std::string_view text, const Mention& mention) {
  const std::string word = word_before(text, mention.begin);
  return std::find(listing_words.begin(), listing_words.end(), word) != listing_words.end();
}

/// True for the 2 of "options 1 or 2": a listing word precedes the number before it.
bool continues(std::string_view text, const Mention& before, const Mention& mention) {
  const std::string_view between = text.substr(before.end, mention.begin - before.end);
  return between == " or " || between == " and " || between == ", " || between == "/" || between == "-";
}

}  // namespace

std::vector<Mention> values_in(std::string_view text) {
  return mentions_in(text);
}

std::vector<Mention> claims_in(std::string_view text) {
  std::vector<Mention> claims;
  std::optional<Mention> listing;
  for (Mention& mention : mentions_in(text)) {
    const bool lists =
        is_small(mention) && (numbers_a_line(text, mention) || numbers_an_item(text, mention) ||
                              (listing && continues(text, *listing, mention)));
    listing = lists ? std::optional(mention) : std::nullopt;
    if (!lists) claims.push_back(std::move(mention));
  }
  return claims;
}

json::Text shown_claims(std::span<const ExtractedClaim> claims) {
  json::Writer writer;
  writer.begin_array();
  for (const ExtractedClaim& claim : claims) {
    writer.begin_object().member("text", claim.text).member("entry", to_text(claim.entry));
    writer.member("kind", word_of(claim.kind)).key("source");
    claim.source ? writer.string(to_text(*claim.source)) : writer.null();
    writer.key("supported").boolean(claim.supported).end_object();
  }
  writer.end_array();
  return {std::move(writer).text()};
}

}  // namespace parley::scoring
