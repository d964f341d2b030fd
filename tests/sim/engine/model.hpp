#pragma once
/// The sequential model: the effect and the answer of each command on a run and its results, if nothing else happens at
/// the same time. Written from the interface and the decisions (D42 to D53), not from the product's state machines,
/// none of which it includes. Pure.

#include <map>
#include <vector>

#include "tests/sim/engine/history.hpp"

namespace parley::sim {

/// Facts about one whole schedule.
struct Facts {
  std::uint32_t says = 0;
  bool is_stuck_at_once = false;  ///< --stuck-after 0
  bool agents_fail = false;       ///< some agent gave a bad answer
  bool agents_end = false;        ///< some agent ended the conversation
  bool testers_fail = false;      ///< some tester model gave no turn, or invoked an unknown action
  bool testers_end = false;       ///< some tester model ended the conversation
  bool may_run_too_long = false;  ///< some process lived longer than a conversation may be driven
  std::int64_t lease_ms = 0;      ///< --local-lease
  bool work_may_fail = false;     ///< the process ended three times during work on one conversation
  bool knows_verdicts = false;    ///< results are rescored
  /// The first verdicts on criteria, in the order of the criteria; verdicts.cpp checks that a judge gave them.
  std::map<Name, std::vector<Ruled>> judged = {};
};

/// The possible effects of a command: usually one; none if the command refers to something that does not exist yet.
struct Effect {
  Shape after;
  Reply reply;
};
[[nodiscard]] std::vector<Effect> effects_of(const Shape& shape, const Op& op, const Facts& facts);

/// The invisible effect that a refused command may have: a turn is written although the client's first next-message
/// could not be saved.
[[nodiscard]] std::optional<Shape> trace_of_refused(const Shape& shape, const Op& op, const Facts& facts);

/// Whether a model still owes a turn.
[[nodiscard]] bool is_awaited(const Shape& shape);

/// Spontaneous events: a verdict, a turn or an answer of a driven conversation, a transition of the run. With `of`,
/// only events of the results of that lineage.
[[nodiscard]] std::vector<Shape> silent_moves(const Shape& shape, const Facts& facts,
                                              const std::optional<std::uint32_t>& of = std::nullopt);

/// What should have happened by itself but has not when the system is idle (I6, I7, I44), one sentence each.
[[nodiscard]] std::vector<std::string> unfinished(const Shape& shape);

/// The `detail` of a heartbeat's reply, which encodes the results offered.
[[nodiscard]] std::uint64_t offer_detail(const std::set<Name>& offered);

/// The `detail` of a reply that contains the result's phase, a turn, or the state of the run.
[[nodiscard]] constexpr std::uint64_t phase_detail(Status status, bool is_ended, bool is_claimed) {
  return static_cast<std::uint64_t>(status) * 4 + (is_ended ? 2U : 0U) + (is_claimed ? 1U : 0U);
}
inline constexpr std::uint64_t end_detail = 1;
/// The turn does not exist yet.
inline constexpr std::uint64_t later_detail = 2;
/// A turn of a model. Its text does not identify it; the id of the entry does (Schedule::name_made).
inline constexpr std::uint64_t unnamed_detail = 3;

/// Turns after which a conversation ends by itself: one more than the script has lines. A tester model is given this
/// number.
[[nodiscard]] constexpr std::uint32_t turns_max_of(std::uint32_t says) {
  return says + 1;
}

}  // namespace parley::sim
