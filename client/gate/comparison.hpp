#pragma once
/// Compares a report with a baseline, test by test. Repetitions of one test are independent trials (D104). Pure; any
/// thread.

#include "client/gate/gate_rules.hpp"

namespace parley::client {

/// Returns the name that a comparison uses for the row's test.
[[nodiscard]] std::string compared_name(const ResultRow& row);

/// Pairs tests that have the same scenario, key, variant and persona, and the same agent if either report has
/// several. The p-values are adjusted after Benjamini and Hochberg; at 0.05 or below, a test counts as regressed or
/// fixed. Tests that a partial run leaves out are not compared.
[[nodiscard]] ComparedRun compare_reports(const Report& before, const Report& after,
                                          std::string name_of_baseline);

}  // namespace parley::client
