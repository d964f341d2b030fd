#pragma once
/// The lines of finished tests and of the summary. Pure; any thread. Text of agents is escaped.

#include <string>
#include <vector>

#include "client/report/report.hpp"
#include "client/screen/terminal.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// The part of an id (UUIDv7) that screens show and commands accept: its time and number, which other runs of the
/// same minute do not share.
inline constexpr std::size_t shown_id_length = 18;

/// Further input of the lines, in addition to the results.
struct LineStyle {
  Terminal terminal;
  std::size_t columns = 80;
  /// A group with failures that passes k of n counts as flaky, not as failed.
  std::optional<Ratio> per_test;
  std::size_t id_length = 36;  ///< characters by which ids differ
};

/// PASS, FAIL, FLAKY, ERROR, OPEN or STOP.
[[nodiscard]] std::string_view verdict_word(const Group& group, const LineStyle& style);
/// The line of a group, and below it why it did not pass. Ends with a line end.
[[nodiscard]] std::string group_lines(const Group& group, const LineStyle& style);
/// The line of one case (`line`), with its reasons if it did not pass.
[[nodiscard]] std::string case_lines(const ResultRow& result, const LineStyle& style);
/// `file:line: what` (`brief`); empty for what passed.
[[nodiscard]] std::string brief_line(const ResultRow& result);
/// `file:line: warning: what`, a line for each warning of a group that passed (`brief`).
[[nodiscard]] std::string brief_warnings(const std::vector<ResultRow>& results);
/// The entry that an assertion quotes, with the quoted words marked: `turn 2  next  Your ▌medium▐ latte is ordered.`
[[nodiscard]] std::string evidence_line(const ResultRow& result, const AssertionRow& assertion,
                                        const LineStyle& style, std::size_t columns);
/// The least length, from eight, at which the ids of all results differ.
[[nodiscard]] std::size_t distinct_id_length(const std::vector<ResultRow>& results);
/// Symbols that the terminal cannot show are replaced.
[[nodiscard]] std::string for_terminal(std::string text, const Terminal& terminal);

}  // namespace parley::client
