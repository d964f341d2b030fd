#pragma once
/// Why an attempt was retried, derived from its head alone: the cause of its failure, so that the gain of a
/// retry can be attributed. Pure; any thread.

#include "model/records/test_result.hpp"

namespace parley {

/// The sources of faults (D47a), and reasons that are not faults of a trial.
enum class RetryCause : std::uint8_t {
  agent,  ///< the agent broke: no answer, or an error
  tester,
  judge,
  infrastructure,
  client,
  test,
  answer,      ///< a valid trial that the agent did not pass
  passed,      ///< the result had passed
  unfinished,  ///< the result was stuck, or had been canceled
};
template <>
struct Words<RetryCause> {
  static constexpr std::array<std::string_view, 9> all{
      "agent", "tester", "judge", "infrastructure", "client", "test", "answer", "passed", "unfinished"};
};

/// The state of the result before a retry replaced it; if it was not retried, its current state.
[[nodiscard]] ResultHead before_retry(const ResultHead& head);

/// metadata.error.source of a failed result; infrastructure if it failed without one.
[[nodiscard]] FaultSource fault_of_error(const ResultHead& head);

/// Needs: a result that a retry replaced.
[[nodiscard]] RetryCause retry_cause(const ResultHead& head);

}  // namespace parley
