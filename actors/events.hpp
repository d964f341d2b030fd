#pragma once
/// Events that reach runs and results as messages from other actors, in addition to the commands of clients. Plain values
/// without CAF; the machines decide on them.

#include "actors/commands.hpp"

namespace parley::actors {

/// Why no answer arrived; the result fails with this reason (D47a, D71).
struct AgentFailed {
  std::string code;
  std::string detail;
  std::string source = "agent";
};
/// No workflow started the waiting result (D72).
struct StartTimedOut {
  AgentFailed why;
  EndReason reason = EndReason::timeout;
};
/// The verdict of one scoring attempt. Dropped unless the result waits for this attempt (I7, I17).
struct Scored {
  std::int64_t attempt = 0;
  ResultVerdict verdict;
  std::int64_t score = 0;
  bool overall_passed = true;
  bool is_decided = false;
  MeasureSums sums;
  std::optional<FaultSource> fault = {};  ///< why the verdict is undecided
  std::optional<ModelUse> judge_use = std::nullopt;
  std::optional<bool> has_missed = std::nullopt;      ///< as in ResultHead
  std::optional<std::int64_t> warned = std::nullopt;  ///< as in ResultHead
  std::optional<std::string> group = std::nullopt;    ///< as in ResultHead
};
/// Results started or ended. The run becomes running with its first started result (D40), or completed if the
/// facts imply it.
struct ResultsMoved {
  bool has_started = false;  ///< a result was seen to start; it may have ended since
};

}  // namespace parley::actors
