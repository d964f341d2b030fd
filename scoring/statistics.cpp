#include "scoring/statistics.hpp"

#include <cmath>

namespace parley::scoring {
namespace {

/// C(some, k) / C(all, k): the share of the k-subsets that lie within `some`. Factor by factor, so nothing
/// overflows.
double subset_share(std::int64_t some, std::int64_t all, std::int64_t k) {
  double share = 1;
  for (std::int64_t i = 0; i < k && share > 0; ++i) {
    share *= static_cast<double>(some - i) / static_cast<double>(all - i);
  }
  return share;
}

bool is_estimable(const Repetitions& repetitions, std::int64_t k) {
  return k >= 1 && k <= repetitions.runs && repetitions.passed >= 0 && repetitions.passed <= repetitions.runs;
}

}  // namespace

MeasureSums sums_of(std::span<const Entry> entries) {
  MeasureSums sums;
  for (const Entry& entry : entries) {
    if (!is_chatbot_message(entry)) continue;
    if (const auto metadata = json::parse(entry.metadata.text); metadata.ok()) {
      sums.add(measures_of(metadata.value().root()));
    }
  }
  return sums;
}

std::optional<double> pass_at_k(const Repetitions& repetitions, std::int64_t k) {
  if (!is_estimable(repetitions, k)) return std::nullopt;
  return 1 - subset_share(repetitions.runs - repetitions.passed, repetitions.runs, k);
}

std::optional<double> pass_hat_k(const Repetitions& repetitions, std::int64_t k) {
  if (!is_estimable(repetitions, k)) return std::nullopt;
  return subset_share(repetitions.passed, repetitions.runs, k);
}

}  // namespace parley::scoring
