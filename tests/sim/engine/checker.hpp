#pragma once
/// Whether a history has an order that the sequential model explains: every answered command took effect once between
/// its invocation and its answer and was answered accordingly, every look saw just the state of that moment, and what a
/// crash cut off happened before it wholly or not at all (linearizability, I1, I3, I4, I35, I56).
///
/// All states that are still possible are carried from event to event; a command that is under way takes effect in the
/// search only where an answer or a look asks for it ("just in time"), which keeps them few. Pure.

#include "tests/sim/engine/model.hpp"

namespace parley::sim {

struct Finding {
  bool is_sound = true;
  bool is_undecided = false;  ///< too many states; counted as neither
  std::size_t event = 0;      ///< the first one that nothing explains
  std::string why;
};

/// Needs: a look at the end.
[[nodiscard]] Finding check(const History& history, const Shape& begin, const Facts& facts);

}  // namespace parley::sim
