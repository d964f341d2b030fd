#include "convert/traces/times.hpp"

#include <chrono>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::uint64_t nanoseconds_in_second = 1'000'000'000;

/// nullopt: there are other characters than `count` digits.
std::optional<std::int64_t> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at > text.size() || !ascii::is_digits(text.substr(at, count)) || text.size() - at < count)
    return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text.substr(at, count)) value = value * 10 + (c - '0');
  return value;
}

/// `Z`, `+01:00` or `+0100` at the end of a date, in seconds; a date without it is in UTC.
std::optional<std::int64_t> zone_seconds(std::string_view zone) {
  if (zone.empty() || zone == "Z" || zone == "z") return 0;
  if (zone[0] != '+' && zone[0] != '-') return std::nullopt;
  const auto hours = digits_at(zone, 1, 2);
  const bool has_colon = zone.size() == 6 && zone[3] == ':';
  const auto minutes = digits_at(zone, has_colon ? 4 : 3, 2);
  if (!hours || !minutes || zone.size() != (has_colon ? 6U : 5U)) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return zone[0] == '-' ? -seconds : seconds;
}

/// `2026-01-31T13:00:00.5Z`, also with a blank instead of the T.
std::optional<std::uint64_t> nanoseconds_of_date(std::string_view text) {
  const auto year = digits_at(text, 0, 4);
  const auto month = digits_at(text, 5, 2);
  const auto day = digits_at(text, 8, 2);
  const auto hour = digits_at(text, 11, 2);
  const auto minute = digits_at(text, 14, 2);
  const auto second = digits_at(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const bool is_spelled = text[4] == '-' && text[7] == '-' && (text[10] == 'T' || text[10] == ' ') &&
                          text[13] == ':' && text[16] == ':';
  constexpr std::int64_t year_max = 2500;  // its nanoseconds fit in 64 bits
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!is_spelled || !date.ok() || *year > year_max) return std::nullopt;
  std::uint64_t fraction = 0;
  std::size_t at = 19;
  if (at < text.size() && text[at] == '.') {
    std::uint64_t unit = nanoseconds_in_second / 10;
    for (++at; at < text.size() && ascii::is_digit(text[at]); ++at, unit /= 10)
      fraction += static_cast<std::uint64_t>(text[at] - '0') * unit;
  }
  const auto zone = zone_seconds(text.substr(at));
  if (!zone) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86'400 + *hour * 3600 + *minute * 60 + *second - *zone;
  if (seconds < 0) return std::nullopt;
  return static_cast<std::uint64_t>(seconds) * nanoseconds_in_second + fraction;
}

/// Whether digits are a time from 2017 to 2033, be it in seconds or in a part of them.
bool is_of_these_years(std::string_view text) {
  return ascii::is_digits(text) && text[0] == '1' && text.size() > 1 && text[1] >= '5';
}

/// 0: the text is not such a time.
std::uint64_t nanoseconds_of(const std::string& text) {
  constexpr std::size_t digits_max = 19;  // fit in 64 bits
  if (text.size() > digits_max || !ascii::is_digits(text)) return 0;
  std::uint64_t value = 0;
  for (const char c : text) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

}  // namespace

std::string time_of(std::string_view text) {
  if (is_of_these_years(text) && text.size() == 13) return std::string(text) + "000000";  // milliseconds
  if (is_of_these_years(text) && text.size() == 16) return std::string(text) + "000";     // microseconds
  const auto nanoseconds = nanoseconds_of_date(text);
  return nanoseconds ? std::to_string(*nanoseconds) : std::string(text);
}

std::string time_of(const Node& node) {
  if (node.is_scalar()) return time_of(node.text);
  if (!node.is_list() || node.items.size() != 2) return {};
  const std::string& seconds = node.items[0].text;
  const std::string& nanoseconds = node.items[1].text;
  constexpr std::size_t digits = 9;
  if (!ascii::is_digits(seconds) || !ascii::is_digits(nanoseconds) || nanoseconds.size() > digits) return {};
  return seconds + std::string(digits - nanoseconds.size(), '0') + nanoseconds;
}

bool is_earlier(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::optional<double> milliseconds_between(const std::string& begin, const std::string& end) {
  const std::uint64_t from = nanoseconds_of(begin);
  const std::uint64_t to = nanoseconds_of(end);
  if (from == 0 || to < from) return std::nullopt;
  return static_cast<double>((to - from) / 1'000'000);
}

}  // namespace parley::convert
