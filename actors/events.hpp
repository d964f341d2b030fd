#pragma once
/// Events that reach runs and results as messages from other actors, in addition to the commands of clients. Plain values
/// without CAF; the machines decide on them.

#include "actors/commands.hpp"

namespace parley::actors {

/// Why there is no answer: the result fails with this reason (D47a, D71).
struct AgentFailed {
  std::string code;
  std::string detail;
  std::string source = "agent";
};
/// A result that waited for a workflow which never started it (D72).
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
  std::optional<FaultSource> fault = {};  ///< why nothing is decided
  std::optional<ModelUse> judge_use = std::nullopt;
  std::optional<bool> has_missed = std::nullopt;      ///< as the head has it
  std::optional<std::int64_t> warned = std::nullopt;  ///< the same
  std::optional<std::string> group = std::nullopt;    ///< the same
};
/// Results started or ended: the run becomes running with the first that ran (D40), or completed if the facts imply it.
struct ResultsMoved {
  bool has_started = false;  ///< one was seen to start, though it may have ended since
};

}  // namespace parley::actors
