#pragma once
/// The rules of the gate: those of contrib/release_gate.py in the same order, and those of a suite's `gate:`. A gate
/// is red if an answer was wrong. If something was only not decided or not played, the gate is undecided. Pure; any
/// thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/report/report.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// A rule without a value is not checked.
struct GateRules {
  std::optional<double> min_pass_rate;
  std::optional<Ratio> per_test;
  std::optional<double> min_score;
  /// A run, `last-green` or a file. The caller passes its comparison to `decide`. Empty: no baseline.
  std::string baseline;
  bool allows_open = false;       ///< accept assertions that were not decided
  bool allows_undecided = false;  ///< accept tests that are worse than the baseline, but perhaps by chance
  bool allows_missing = false;    ///< accept cases that were not played
};

/// One test compared with the baseline.
struct ComparedTest {
  std::string name;
  std::string change;  ///< regressed, fixed, undecided or unchanged
  std::int64_t passed_before = 0;
  std::int64_t decided_before = 0;
  std::int64_t passed_after = 0;
  std::int64_t decided_after = 0;
  double p = 1;
  std::optional<std::int64_t> further_repetitions;

  [[nodiscard]] bool is_worse() const;
};

struct ComparedRun {
  std::string baseline;  ///< its name in messages, such as `last-green 0197e1`
  std::vector<ComparedTest> tests;
  std::vector<std::string> played_less;  ///< `NAME: 3, in the baseline 5`
  std::string option = {};               ///< the value of --baseline that names it
};

/// Why a run ended early.
struct EarlyEnd {
  std::string sentence;  ///< `stopped at $2.01 of 2.00: 37 of 200 left`; empty: it did not end early
};

struct GateInput {
  const Report* report = nullptr;
  std::vector<ComparedRun> comparisons;
  EarlyEnd early_end;
};

/// The outcome of one rule.
struct RuleOutcome {
  bool holds = true;
  bool is_red = false;               ///< the rule is broken because an answer was wrong
  std::string sentence;              ///< such as `pass rate 0.83 is below 0.95`
  std::vector<std::string> details;  ///< at most twenty affected results, then a count of the others
  std::string command = {};          ///< a parley command that may decide the rule; empty: no command can
};

struct GateVerdict {
  Decision decision = Decision::green;
  std::vector<RuleOutcome> rules;  ///< in the order of the gate
  std::vector<std::string> notes;

  /// The sentences of the broken rules.
  [[nodiscard]] std::vector<std::string> reasons() const;
};

[[nodiscard]] GateVerdict decide(const GateInput& input, const GateRules& rules);
/// Writes the decision, its reasons and its exit code into the report.
void set_decision(Report& report, const GateVerdict& verdict);

}  // namespace parley::client
