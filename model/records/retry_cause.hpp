#pragma once
/// Why an attempt was retried, told by its head alone: what made it fail, so that what a retry gained can be booked to
/// whom it belongs. Pure; any thread.

#include "model/records/test_result.hpp"

namespace parley {

/// The sources of faults (D47a), and what is no fault of a trial.
enum class RetryCause : std::uint8_t {
  agent,  ///< it broke: no answer, an error
  tester,
  judge,
  infrastructure,
  client,
  test,
  answer,      ///< a valid trial that the agent did not pass
  passed,      ///< it had passed
  unfinished,  ///< it was stuck, or had been canceled
};
template <>
struct Words<RetryCause> {
  static constexpr std::array<std::string_view, 9> all{
      "agent", "tester", "judge", "infrastructure", "client", "test", "answer", "passed", "unfinished"};
};

/// What the result had come to before a retry replaced it; of one that none did, what it is now.
[[nodiscard]] ResultHead before_retry(const ResultHead& head);

/// Needs: a result that a retry replaced.
[[nodiscard]] RetryCause retry_cause(const ResultHead& head);

}  // namespace parley
