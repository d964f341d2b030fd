#pragma once
/// Formats the lines of finished tests and of the summary. Text of agents is escaped. Pure; any thread.

#include <string>
#include <vector>

#include "client/report/report.hpp"
#include "client/screen/terminal.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// The length of the id prefix (UUIDv7) that screens show and commands accept. The prefix includes the time and a
/// number that other runs of the same minute do not share.
inline constexpr std::size_t shown_id_length = 18;

/// How lines are formatted.
struct LineStyle {
  Terminal terminal;
  std::size_t columns = 80;
  /// If set, a group with failures counts as flaky, and not as failed, when k of n repetitions passed.
  std::optional<Ratio> per_test;
  std::size_t id_length = 36;   ///< shown characters of an id, enough to distinguish ids
  std::string show_flags = {};  ///< flags of the shown `parley show ID`, each after a space
  bool can_show = true;         ///< false: the results are not stored, so no command shows them
};

/// Returns PASS, FAIL, FLAKY, ERROR, OPEN, STOP or LIVE.
[[nodiscard]] std::string_view verdict_word(const Group& group, const LineStyle& style);
/// Returns the line of a group, and below it the reasons if it did not pass. Ends with a line end.
[[nodiscard]] std::string group_lines(const Group& group, const LineStyle& style);
/// Returns the line of one case (reporter `line`), with the reasons if it did not pass.
[[nodiscard]] std::string case_lines(const ResultRow& result, const LineStyle& style);
/// Returns `file:line: what` (reporter `brief`); empty for a passed case.
[[nodiscard]] std::string brief_line(const ResultRow& result);
/// Returns `file:line: warning: what`, a line for each warning of a passed group (reporter `brief`).
[[nodiscard]] std::string brief_warnings(const std::vector<ResultRow>& results);
/// Returns the entry that an assertion quotes, with the quoted words marked:
/// `turn 2  next  Your ▌medium▐ latte is ordered.`
[[nodiscard]] std::string evidence_line(const ResultRow& result, const AssertionRow& assertion,
                                        const LineStyle& style, std::size_t columns);
/// Returns the shortest length, from shown_id_length, at which the ids of all results differ.
[[nodiscard]] std::size_t distinct_id_length(const std::vector<ResultRow>& results);
/// Replaces symbols that the terminal cannot show.
[[nodiscard]] std::string for_terminal(std::string text, const Terminal& terminal);
/// Prefix for each line of foreign text in a log of GitHub Actions, so that the line cannot be a workflow command.
[[nodiscard]] std::string_view guard_of(const Terminal& terminal);
/// Begins every line but the first with the guard and `indent` spaces.
[[nodiscard]] std::string hanging_lines(std::string_view text, const Terminal& terminal, std::size_t indent);

}  // namespace parley::client
