#pragma once
/// Cron schedules of five fields in a time zone (D20): strict parsing, and the next instant. Pure; any
/// thread.

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "model/expected.hpp"
#include "model/time.hpp"

namespace parley {

/// `minute hour day-of-month month day-of-week`. A field is `*`, or a list of numbers, ranges `a-b` and steps (`*/n`,
/// `a-b/n`, `a/n`); months and weekdays also by their first three letters; Sunday is 0 or 7. If both days are given, either
/// one suffices, as in cron.
class Cron {
 public:
  /// Problem: the fault, as a sentence, if the text is not a schedule or its day never occurs (30 February).
  [[nodiscard]] static Expected<Cron> parse(std::string_view text);

  /// The first minute of the schedule after `after`, in the zone. A local time that is skipped when clocks go
  /// forward means the first instant after the gap; one that occurs twice runs at its first occurrence only.
  /// nullopt if none occurs within eight years. Needs: a zone that is_time_zone() knows.
  [[nodiscard]] std::optional<Time> next(Time after, const std::string& zone) const;

 private:
  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;
  bool any_day_ = false;      ///< the day of the month was `*`
  bool any_weekday_ = false;  ///< the day of the week was `*`
};

/// Whether the text names a zone of the IANA database on this machine.
[[nodiscard]] bool is_time_zone(const std::string& name);

}  // namespace parley
