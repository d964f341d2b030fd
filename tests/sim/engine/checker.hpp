#pragma once
/// Whether some order of the history agrees with the sequential model: every answered command took effect once between
/// its invocation and its answer and was answered accordingly, every read saw exactly the state of that moment, and a
/// command that a crash interrupted took effect before the crash completely or not at all (linearizability, I1, I3, I4,
/// I35, I56).
///
/// All states that are still possible are carried from event to event. The search applies a command in progress only
/// when an answer or a read requires it ("just in time"), which keeps the states few. Pure.

#include "tests/sim/engine/model.hpp"

namespace parley::sim {

struct Finding {
  bool is_sound = true;
  bool is_undecided = false;  ///< too many states; counted neither as sound nor as faulty
  std::size_t event = 0;      ///< the first event that no state explains
  std::string why;
};

/// Precondition: the history ends with a read.
[[nodiscard]] Finding check(const History& history, const Shape& begin, const Facts& facts);

}  // namespace parley::sim
