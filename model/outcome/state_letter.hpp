#pragma once
/// The state of a result as one letter. This is the only place that decides what a result counts as: filters, the cells of a
/// run and the command line show the letter and never derive it again. Pure; any thread.
///
///   p  passed                              v        invalid trial: a review found it
///   q  passed, but a MAJOR or MINOR missed r        running, or being scored
///   f  a BLOCKER failed                    w        waiting to start
///   u  undecided                           h        waits for a person's turn or for `finish`
///   a  the agent broke                     k        canceled
///   t j i c e  another fault: tester, judge, infrastructure, client, test

#include <string_view>
#include <vector>

#include "model/records/test_result.hpp"

namespace parley {

/// Every letter that a result can have, in the order of the page's legend.
inline constexpr std::string_view state_letters = "pqfuatjicevrwhk";

[[nodiscard]] char state_letter(const ResultHead& head);

/// The statuses that a result with one of the letters may have, each once. Needs: letters of state_letters.
[[nodiscard]] std::vector<ResultStatus> statuses_of(std::string_view letters);

}  // namespace parley
