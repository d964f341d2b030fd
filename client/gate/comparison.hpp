#pragma once
/// A report against that of a baseline, test by test. Repetitions of one test are independent trials (D104). Pure; any thread.

#include "client/gate/gate_rules.hpp"

namespace parley::client {

/// The name of a row's test in a comparison.
[[nodiscard]] std::string compared_name(const ResultRow& row);

/// Tests are those with the same scenario, key, variant, persona and agent; p-values are adjusted after Benjamini and Hochberg, and
/// at 0.05 or below a test counts as regressed or fixed. Tests that a run of a part of the suite leaves out are not compared.
[[nodiscard]] ComparedRun compare_reports(const Report& before, const Report& after,
                                          std::string name_of_baseline);

}  // namespace parley::client
