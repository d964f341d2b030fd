#pragma once
/// The single table of assertion types (D31, D33), sorted by name. A new type is one file in kinds/, one line
/// in kinds/rows.hpp and one in kinds/table.cpp. Body checks, scoring, docs and tests are derived from the
/// table. Constants; any thread.

#include "scoring/support/kind.hpp"

namespace parley::scoring {

[[nodiscard]] std::span<const Kind* const> kinds();
/// The row with that name; null for an unknown type.
[[nodiscard]] const Kind* find_kind(std::string_view name);

/// Adds every fault of the assertions (D31: unknown type; unknown, missing or wrong config key; ids). `pointer`
/// is the position of the list in the body ("/assertions"). A string with a `{{key}}` is checked after the
/// placeholder was replaced.
void check_assertions(std::span<const Assertion> assertions, const std::string& pointer, Findings& findings);

/// Creates missing ids, and sets missing weights to the weight of the severity (D30).
void complete(std::span<Assertion> assertions, Time now, IdSource& ids);

}  // namespace parley::scoring
