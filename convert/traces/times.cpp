#include "convert/traces/times.hpp"

#include "model/text/ascii.hpp"
#include "model/time.hpp"

namespace parley::convert {
namespace {

constexpr std::uint64_t nanoseconds_in_millisecond = 1'000'000;
constexpr std::int64_t milliseconds_max = 16'000'000'000'000;  // year 2477; its nanoseconds fit in 64 bits

/// Parses `2026-01-31T13:00:00.5Z`, also with a space for the T, and with an offset such as `+0100` or none, which
/// means UTC.
std::optional<std::uint64_t> nanoseconds_of_date(std::string_view text) {
  std::size_t zone = 19;
  std::uint64_t below_millisecond = 0;
  if (text.size() > zone && text[zone] == '.') {
    std::uint64_t unit = 100 * nanoseconds_in_millisecond;
    for (++zone; zone < text.size() && ascii::is_digit(text[zone]); ++zone, unit /= 10) {
      if (unit < nanoseconds_in_millisecond)
        below_millisecond += static_cast<std::uint64_t>(text[zone] - '0') * unit;
    }
  }
  std::string date(text);
  if (text.size() == zone) date += 'Z';
  if (text.size() == zone + 5) date.insert(zone + 3, ":");
  const auto time = time_from_text(date);
  if (!time || time->ms < 0 || time->ms > milliseconds_max) return std::nullopt;
  return static_cast<std::uint64_t>(time->ms) * nanoseconds_in_millisecond + below_millisecond;
}

/// Whether the digits are a time from 2017 to 2033, in seconds or a smaller unit.
bool is_of_these_years(std::string_view text) {
  return ascii::is_digits(text) && text[0] == '1' && text.size() > 1 && text[1] >= '5';
}

/// The nanoseconds in the text; 0: the text is not such a time.
std::uint64_t nanoseconds_of(const std::string& text) {
  constexpr std::size_t digits_max = 19;  // 19 digits fit in 64 bits
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
  return static_cast<double>((to - from) / nanoseconds_in_millisecond);
}

}  // namespace parley::convert
