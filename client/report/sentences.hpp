#pragma once
/// The sentences of a summary, shared by the screen, Markdown and HTML. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// `15 of 18 decided passed, 83 % (61–94). 3 answers wrong, 6 undecided, 1 agent fault: coverage 0.72. $0.52 (...)`
[[nodiscard]] std::string sentence_of(const Report& report);
/// `red: pass rate 0.83 is below 0.95; ...`
[[nodiscard]] std::string decision_sentence(const Report& report);
/// `$0.04`, with four decimals below ten cents; empty for zero.
[[nodiscard]] std::string money(double usd);
/// `$0.31 of 2.00`
[[nodiscard]] std::string money_of(double usd, double usd_max);
/// `1 turn`, `2 turns`
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view several);
/// `350 ms`, `1.9 s`, `2 min 5 s`
[[nodiscard]] std::string duration_words(double seconds);
/// The 95th percentile of the response times of the rows, in seconds; nullopt if none was measured.
[[nodiscard]] std::optional<double> p95_seconds(const std::vector<const ResultRow*>& results);

}  // namespace parley::client
