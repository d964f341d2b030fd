#include "model/time.hpp"

#include <chrono>

namespace parley {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::sys_time;
using std::chrono::year_month_day;

constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t day_ms = 86'400'000;
constexpr Time first_writable{-62'167'219'200'000};  // 0000-01-01T00:00:00.000Z
constexpr Time last_writable{253'402'300'799'999};   // 9999-12-31T23:59:59.999Z

/// Reads exactly `digits` digits at `at`; -1 if one is missing.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

/// Reads the fraction of a second, in ms, that begins at `at` (after the dot), and moves `at` past its
/// digits; -1 without a digit.
int fraction_ms(std::string_view text, std::size_t& at) {
  int value = 0;
  std::size_t digits = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    if (digits < 3) value = value * 10 + (text[at] - '0');
    ++digits;
    ++at;
  }
  if (digits == 0) return -1;
  for (; digits < 3; ++digits) value *= 10;
  return value;
}

/// Minutes east of UTC written at `at`, which must be the end of the text; nullopt if malformed.
std::optional<std::int64_t> offset_minutes(std::string_view text, std::size_t at) {
  if (at >= text.size()) return std::nullopt;
  const std::string_view rest = text.substr(at);
  if (rest == "Z" || rest == "z") return 0;
  if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') || rest[3] != ':') return std::nullopt;
  const int hours = number_at(rest, 1, 2);
  const int minutes = number_at(rest, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t total = hours * 60 + minutes;
  return rest[0] == '-' ? -total : total;
}

/// Overwrites `count` characters at `at` with the decimal digits of `value`. printf would cost more than the rest.
void write_digits(std::string& text, std::size_t at, std::size_t count, std::int64_t value) {
  for (std::size_t i = at + count; i-- > at; value /= 10) text[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::string to_text(Time time) {
  const sys_time<milliseconds> point{milliseconds{time.ms}};
  const auto day = floor<days>(point);
  const year_month_day date{day};
  const std::int64_t in_day = (point - day).count();
  std::string text = "0000-00-00T00:00:00.000Z";
  write_digits(text, 0, 4, static_cast<int>(date.year()));
  write_digits(text, 5, 2, static_cast<unsigned>(date.month()));
  write_digits(text, 8, 2, static_cast<unsigned>(date.day()));
  write_digits(text, 11, 2, in_day / 3'600'000);
  write_digits(text, 14, 2, in_day / minute_ms % 60);
  write_digits(text, 17, 2, in_day / 1000 % 60);
  write_digits(text, 20, 3, in_day % 1000);
  return text;
}

std::optional<Time> time_from_text(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return std::nullopt;
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, 5, 2);
  const int day = number_at(text, 8, 2);
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (year < 0 || month < 1 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59)
    return std::nullopt;
  // 60 is a leap second (RFC 3339 section 5.7); it is treated as the first instant of the next minute.
  if (second < 0 || second > 60) return std::nullopt;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  std::size_t at = 19;
  int fraction = 0;
  if (text[at] == '.') {
    ++at;
    fraction = fraction_ms(text, at);
    if (fraction < 0) return std::nullopt;
  }
  const auto offset = offset_minutes(text, at);
  if (!offset) return std::nullopt;
  const std::int64_t midnight = sys_days{date}.time_since_epoch().count() * day_ms;
  const Time time{midnight + ((hour * 60 + minute) - *offset) * minute_ms + second * 1000 + fraction};
  // The offset may lead to a year that cannot be written back.
  if (time < first_writable || time > last_writable) return std::nullopt;
  return time;
}

}  // namespace parley
