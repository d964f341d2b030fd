#pragma once
/// A simulated client's rescore request in the product's form, and the product's stored verdicts in the model's
/// form. Pure.

#include <optional>

#include "actors/verdicts/rescoring.hpp"
#include "tests/sim/engine/wish.hpp"

namespace parley::sim {

/// The `assertions` of the body, for a result of this lineage.
[[nodiscard]] std::vector<Assertion> assertions_of(const Wish& wish, std::uint32_t root);

/// nullopt if no client requested an assertion.
[[nodiscard]] std::optional<std::vector<Row>> rows_of(const ResultVerdict& verdict, std::uint32_t root);

[[nodiscard]] Total total_of(const ResultHead& head);
[[nodiscard]] std::uint64_t detail_of(const actors::Rescoring& made, bool is_saved);

}  // namespace parley::sim
