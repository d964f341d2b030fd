#pragma once
/// Sums of the measures on chatbot messages and estimates over repetitions (D35, D56). Pure functions; any
/// thread.

#include <cstdint>
#include <optional>
#include <span>

#include "model/entry.hpp"
#include "model/measure_sums.hpp"

namespace parley::scoring {

/// Over the chatbot messages among the entries.
[[nodiscard]] MeasureSums sums_of(std::span<const Entry> entries);

/// n repetitions of which c passed.
struct Repetitions {
  std::int64_t runs = 0;
  std::int64_t passed = 0;
};

/// The unbiased estimate that at least one of k repetitions passes: 1 - C(n-c,k)/C(n,k). Null unless 1 <= k
/// <= n.
[[nodiscard]] std::optional<double> pass_at_k(const Repetitions& repetitions, std::int64_t k);
/// The unbiased estimate that all of k repetitions pass: C(c,k)/C(n,k). Null unless 1 <= k <= n.
[[nodiscard]] std::optional<double> pass_hat_k(const Repetitions& repetitions, std::int64_t k);

}  // namespace parley::scoring
