#pragma once
/// The sequential model: what each command does to a run and its results, and is answered, when nothing else happens at
/// the time. Written from the interface and the decisions (D42 to D53), not from the
/// product's machines, of which it includes nothing. Pure.

#include <map>
#include <vector>

#include "tests/sim/engine/history.hpp"

namespace parley::sim {

/// What is so throughout one schedule.
struct Facts {
  std::uint32_t says = 0;
  bool is_stuck_at_once = false;  ///< --stuck-after 0
  bool agents_fail = false;       ///< some agent answered badly
  bool agents_end = false;        ///< some agent ended the conversation
  bool testers_fail = false;      ///< some tester model said no turn, or invoked what there is not
  bool testers_end = false;       ///< some tester model ended the conversation
  bool may_run_too_long = false;  ///< some process lived longer than a conversation may be driven
  std::int64_t lease_ms = 0;      ///< --local-lease
  bool work_may_fail = false;     ///< the process ended three times within work on one conversation
  bool knows_verdicts = false;    ///< results are scored again
  /// What the first verdicts say of criteria, in their order; that a judge said so is looked at elsewhere (verdicts.cpp).
  std::map<Name, std::vector<Ruled>> judged = {};
};

/// What a command can do: usually one thing, none where what it names is not there yet.
struct Effect {
  Shape after;
  Reply reply;
};
[[nodiscard]] std::vector<Effect> effects_of(const Shape& shape, const Op& op, const Facts& facts);

/// What a refused command may leave all the same, where nobody sees it: a turn is written for a client whose first
/// next-message could not be saved.
[[nodiscard]] std::optional<Shape> trace_of_refused(const Shape& shape, const Op& op, const Facts& facts);

/// Whether a model still owes somebody a turn.
[[nodiscard]] bool is_awaited(const Shape& shape);

/// What can happen by itself: a verdict, a turn or an answer of a driven conversation, a move of the run. With `of`, to
/// results of that lineage alone.
[[nodiscard]] std::vector<Shape> silent_moves(const Shape& shape, const Facts& facts,
                                              const std::optional<std::uint32_t>& of = std::nullopt);

/// What must have happened by itself when everything has come to rest (I6, I7, I44), one sentence each.
[[nodiscard]] std::vector<std::string> unfinished(const Shape& shape);

/// The reply's detail for what a heartbeat was offered.
[[nodiscard]] std::uint64_t offer_detail(const std::set<Name>& offered);

/// The reply's detail for an answer that tells the result's phase, a turn, or the run's state.
[[nodiscard]] constexpr std::uint64_t phase_detail(Status status, bool is_ended, bool is_claimed) {
  return static_cast<std::uint64_t>(status) * 4 + (is_ended ? 2U : 0U) + (is_claimed ? 1U : 0U);
}
inline constexpr std::uint64_t end_detail = 1;
/// The turn is not there yet.
inline constexpr std::uint64_t later_detail = 2;
/// A turn of a model, whose words do not tell which: the entry's id does (Schedule::name_made).
inline constexpr std::uint64_t unnamed_detail = 3;

/// Turns after which a conversation ends by itself, one beyond a script's lines: a tester model is told so.
[[nodiscard]] constexpr std::uint32_t turns_max_of(std::uint32_t says) {
  return says + 1;
}

}  // namespace parley::sim
