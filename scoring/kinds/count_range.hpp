#pragma once
/// `config.min` and `config.max` of the types that count. Pure functions; any thread.

#include "scoring/support/config.hpp"
#include "scoring/support/kind.hpp"

namespace parley::scoring {

struct CountRange {
  std::int64_t min = 0;
  std::optional<std::int64_t> max = {};

  [[nodiscard]] bool holds(std::size_t count) const {
    const auto number = static_cast<std::int64_t>(count);
    return number >= min && (!max || number <= *max);
  }
};

/// The default if the config has no `min`.
struct LeastByDefault {
  std::int64_t min = 0;  ///< but 0 if `max` is 0
};

[[nodiscard]] CountRange range_of(const json::Value& config, const LeastByDefault& otherwise);
/// Adds a fault if `max` is below `min`.
void check_range(const json::Value& config, const LeastByDefault& otherwise, const std::string& pointer,
                 Findings& findings);
/// "at least 1 word", "2 to 5 words", "exactly 3 times"
[[nodiscard]] std::string words_of(const CountRange& range, std::string_view noun);

}  // namespace parley::scoring
