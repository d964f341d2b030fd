#include "model/text/cron.hpp"

#include <date/tz.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "model/text/ascii.hpp"

namespace parley {
namespace {

using namespace std::chrono_literals;

/// Leap days may be eight years apart (around 2100).
constexpr int years_max = 8;

constexpr std::array<std::string_view, 12> month_names{"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> weekday_names{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

/// One of the five fields: its bounds and names.
struct Field {
  std::string_view noun;
  unsigned least;
  unsigned most;
  std::vector<std::string_view> names{};  ///< names of `least` and the values after it
};

const std::array<Field, 5>& fields() {
  static const std::array<Field, 5> all{
      Field{"minute", 0, 59}, Field{"hour", 0, 23}, Field{"day of the month", 1, 31},
      Field{"month", 1, 12, {month_names.begin(), month_names.end()}},
      Field{"day of the week", 0, 7, {weekday_names.begin(), weekday_names.end()}}};
  return all;
}

std::optional<unsigned> number_of(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.size() > 4 || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<unsigned> value_of(const Field& field, std::string_view text) {
  const std::string word = ascii::lower(text);
  const auto name = std::find(field.names.begin(), field.names.end(), word);
  if (name != field.names.end()) return field.least + static_cast<unsigned>(name - field.names.begin());
  const auto number = number_of(text);
  return number && *number >= field.least && *number <= field.most ? number : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (auto end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

/// The values of one list item: `*`, `a`, `a-b`, each with `/n`. Empty if the text is not an item.
std::vector<unsigned> values_of(const Field& field, std::string_view item) {
  const auto parts = split(item, '/');
  const auto step = parts.size() == 2 ? number_of(parts[1]) : std::optional<unsigned>(1);
  if (parts.size() > 2 || !step || *step == 0) return {};
  std::optional<unsigned> first = field.least;
  std::optional<unsigned> last = field.most;
  if (parts[0] != "*") {
    const auto ends = split(parts[0], '-');
    first = value_of(field, ends[0]);
    last = ends.size() == 2 ? value_of(field, ends[1]) : parts.size() == 2 ? last : first;
    if (ends.size() > 2) return {};
  }
  std::vector<unsigned> values;
  if (!first || !last) return values;
  for (unsigned value = *first; value <= *last; value += *step) values.push_back(value);
  return values;
}

template <std::size_t N>
std::string read(const Field& field, std::string_view text, std::bitset<N>& bits) {
  for (const std::string_view item : split(text, ',')) {
    const auto values = values_of(field, item);
    if (values.empty()) {
      return "the " + std::string(field.noun) + " '" + std::string(item.substr(0, 40)) +
             "' is invalid; it must be from " + std::to_string(field.least) + " to " +
             std::to_string(field.most);
    }
    for (const unsigned value : values) bits.set(value % N);
  }
  return {};
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

const date::time_zone* zone_of(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// The instant of a local time: after the gap if the time is skipped, the first instant if it occurs twice.
date::sys_seconds instant_of(const date::time_zone& zone, date::local_seconds local) {
  const date::local_info info = zone.get_info(local);
  if (info.result == date::local_info::nonexistent) return info.first.end;
  return date::sys_seconds(local.time_since_epoch() - info.first.offset);
}

}  // namespace

Expected<Cron> Cron::parse(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() != fields().size()) {
    return problem(ProblemKind::invalid_body,
                   "must have five fields: minute hour day-of-month month day-of-week");
  }
  Cron cron;
  const std::array<std::string, 5> faults{
      read(fields()[0], words[0], cron.minutes_), read(fields()[1], words[1], cron.hours_),
      read(fields()[2], words[2], cron.days_), read(fields()[3], words[3], cron.months_),
      read(fields()[4], words[4], cron.weekdays_)};
  for (const std::string& fault : faults) {
    if (!fault.empty()) return problem(ProblemKind::invalid_body, fault);
  }
  cron.any_day_ = words[2].front() == '*';
  cron.any_weekday_ = words[4].front() == '*';
  if (!cron.next(Time{0}, "UTC"))
    return problem(ProblemKind::invalid_body, "never occurs: no month has that day");
  return cron;
}

std::optional<Time> Cron::next(Time after, const std::string& zone_name) const {
  const date::time_zone* zone = zone_of(zone_name);
  if (zone == nullptr) return std::nullopt;
  const date::sys_seconds floor{
      std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(after.ms))};
  // Starts one day earlier: after clocks went back, an earlier local time may still lie ahead.
  const auto first = date::floor<date::days>(zone->to_local(floor)) - date::days(1);
  std::optional<date::sys_seconds> best;
  for (auto day = first; day < first + date::years(years_max) && !best; day += date::days(1)) {
    const date::year_month_day ymd{day};
    if (!months_.test(static_cast<unsigned>(ymd.month()))) continue;
    const bool fits_day = days_.test(static_cast<unsigned>(ymd.day()));
    const bool fits_weekday = weekdays_.test(date::weekday{day}.c_encoding());
    const bool fits = any_day_ || any_weekday_ ? fits_day && fits_weekday : fits_day || fits_weekday;
    if (!fits) continue;
    for (unsigned minute = 0; minute < 24 * 60; ++minute) {
      if (!hours_.test(minute / 60) || !minutes_.test(minute % 60)) continue;
      const date::sys_seconds at = instant_of(*zone, date::local_seconds(day) + std::chrono::minutes(minute));
      if (at.time_since_epoch() * 1'000 / 1s <= after.ms) continue;
      if (!best || at < *best) best = at;
    }
  }
  if (!best) return std::nullopt;
  return Time{std::chrono::milliseconds(best->time_since_epoch()).count()};
}

bool is_time_zone(const std::string& name) {
  return !name.empty() && zone_of(name) != nullptr;
}

}  // namespace parley
