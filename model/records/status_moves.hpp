#pragma once
/// The legal moves of a test result's status, and the only way to change it (I15). Pure; any thread.
///
///   pending ──► running ──► completed ──► canceled        completed and failed results are canceled when they are
///      │           │                         ▲            withdrawn or replaced by a retry
///      ├───────────┴──► failed ──────────────┤
///      └───────────────────────────► canceled ┘

#include <array>

#include "model/check.hpp"
#include "model/records/test_result.hpp"

namespace parley {

struct StatusMove {
  ResultStatus from;
  ResultStatus to;
};

inline constexpr std::array legal_status_moves{
    StatusMove{ResultStatus::pending, ResultStatus::running},
    StatusMove{ResultStatus::pending, ResultStatus::failed},
    StatusMove{ResultStatus::pending, ResultStatus::canceled},
    StatusMove{ResultStatus::running, ResultStatus::completed},
    StatusMove{ResultStatus::running, ResultStatus::failed},
    StatusMove{ResultStatus::running, ResultStatus::canceled},
    StatusMove{ResultStatus::completed, ResultStatus::canceled},
    StatusMove{ResultStatus::failed, ResultStatus::canceled},
};

[[nodiscard]] constexpr bool is_legal(ResultStatus from, ResultStatus to) {
  for (const StatusMove& move : legal_status_moves) {
    if (move.from == from && move.to == to) return true;
  }
  return false;
}

/// Changes the status of a result; a failed one has not passed (D98). Needs: a legal move.
inline void move_status(ResultHead& head, ResultStatus to) {
  CHECK(is_legal(head.status, to));
  head.status = to;
  if (to == ResultStatus::failed) head.overall_passed = false;
}

}  // namespace parley
