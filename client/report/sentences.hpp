#pragma once
/// Sentences for summaries, shared by the screen, Markdown and HTML. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// Summarizes the outcome:
/// `15 of 18 decided passed, 83 % (61–94). 3 answers wrong, 6 undecided, 1 agent fault: coverage 0.72. $0.52 (...)`
[[nodiscard]] std::string sentence_of(const Report& report);
/// States the decision and its reasons: `red: pass rate 0.83 is below 0.95; ...`
[[nodiscard]] std::string decision_sentence(const Report& report);
/// Formats an amount: `$0.04`, with four decimals for less than ten cents; empty for zero.
[[nodiscard]] std::string money(double usd);
/// Formats an amount and its bound: `$0.31 of 2.00`
[[nodiscard]] std::string money_of(double usd, double usd_max);
/// Formats a count and its noun: `1 turn`, `2 turns`
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view several);
/// Formats a duration: `350 ms`, `1.9 s`, `2 min 5 s`
[[nodiscard]] std::string duration_words(double seconds);
/// Returns the 95th percentile of the response times of the results, in seconds; nullopt if no time was measured.
[[nodiscard]] std::optional<double> p95_seconds(const std::vector<const ResultRow*>& results);

}  // namespace parley::client
