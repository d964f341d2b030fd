#pragma once
/// A simulated client's wish to score again as the product takes it, and verdicts as the product stores them in the model's
/// words. Pure.

#include <optional>

#include "actors/verdicts/rescoring.hpp"
#include "tests/sim/engine/wish.hpp"

namespace parley::sim {

/// The `assertions` of the body, for a result of this lineage.
[[nodiscard]] std::vector<Assertion> assertions_of(const Wish& wish, std::uint32_t root);

/// nullopt where an assertion is none that anybody asked for.
[[nodiscard]] std::optional<std::vector<Row>> rows_of(const ResultVerdict& verdict, std::uint32_t root);

[[nodiscard]] Total total_of(const ResultHead& head);
[[nodiscard]] std::uint64_t detail_of(const actors::Rescoring& made, bool is_saved);

}  // namespace parley::sim
