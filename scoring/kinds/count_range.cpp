#include "scoring/kinds/count_range.hpp"

#include "scoring/support/text.hpp"

namespace parley::scoring {

CountRange range_of(const json::Value& config, const LeastByDefault& otherwise) {
  const auto max = count_at(config, "max");
  return {count_at(config, "min").value_or(max == 0 ? 0 : otherwise.min), max};
}

void check_range(const json::Value& config, const LeastByDefault& otherwise, const std::string& pointer,
                 Findings& findings) {
  const CountRange range = range_of(config, otherwise);
  if (range.max && *range.max >= 0 && *range.max < range.min)
    findings.add(pointer + "/max", "must not be below min");
}

std::string words_of(const CountRange& range, std::string_view noun) {
  const auto of = [&](std::int64_t count) { return counted(static_cast<std::size_t>(count), noun); };
  if (!range.max) return "at least " + of(range.min);
  if (*range.max == range.min) return "exactly " + of(range.min);
  return (range.min == 0 ? "at most " : std::to_string(range.min) + " to ") + of(*range.max);
}

}  // namespace parley::scoring
