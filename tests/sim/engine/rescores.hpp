#pragma once
/// Converts a simulated client's rescore request to the product's form, and the product's stored verdicts to the
/// model's form. Pure.

#include <optional>

#include "actors/verdicts/rescoring.hpp"
#include "tests/sim/engine/wish.hpp"

namespace parley::sim {

/// The `assertions` of the request body, for a result of this lineage.
[[nodiscard]] std::vector<Assertion> assertions_of(const Wish& wish, std::uint32_t root);

/// nullopt if the verdict contains an assertion that no client requested.
[[nodiscard]] std::optional<std::vector<Row>> rows_of(const ResultVerdict& verdict, std::uint32_t root);

[[nodiscard]] Total total_of(const ResultHead& head);
[[nodiscard]] std::uint64_t detail_of(const actors::Rescoring& made, bool is_saved);

}  // namespace parley::sim
