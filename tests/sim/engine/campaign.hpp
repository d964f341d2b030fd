#pragma once
/// Many schedules: random ones by seed, the smaller schedule to which a failing one shrinks, and all pairs of two
/// commands in every state. One thread.

#include <iosfwd>

#include "tests/sim/engine/schedule.hpp"

namespace parley::sim {

/// The plan reduced to the steps whose tokens are in `kept`; if `kept` is empty, all steps.
[[nodiscard]] Plan only(Plan plan, const std::vector<std::uint32_t>& kept);

/// Shrinks a failing plan: removes each step in turn, until no more can be removed without the failure disappearing.
[[nodiscard]] Plan shrink(Stand& stand, Plan plan);

/// Prints plan, history and faults, and the command that repeats the schedule.
void print(std::ostream& out, const Plan& plan, const Trial& trial);

struct Tally {
  std::uint64_t schedules = 0;
  std::uint64_t failed = 0;
  std::uint64_t undecided = 0;
  std::uint64_t messages = 0;
  std::uint64_t commands = 0;
  std::uint64_t crashes = 0;
  std::uint64_t first_failed = 0;  ///< its seed
};
void count(Tally& tally, const Trial& trial, std::uint64_t seed);

/// Runs seeds from `first` on; stops at the first failure, or when the time is up.
[[nodiscard]] Tally run_seeds(Stand& stand, std::uint64_t first, std::uint64_t schedules, std::ostream& out);

/// A state in which two commands are run, and the plan that reaches it.
struct Situation {
  std::string name;
  Plan plan;
  std::uint32_t target = 0;  ///< the result that both commands concern
};
[[nodiscard]] const std::vector<Situation>& situations();
[[nodiscard]] const std::vector<Deed>& meeting_deeds();

struct Meetings {
  std::uint64_t pairs = 0;     ///< (state, first command, second command) triples
  std::uint64_t complete = 0;  ///< the triples for which all orders of their messages were tried
  std::uint64_t orders = 0;    ///< orders tried
  std::uint64_t kills = 0;     ///< process kills, after each message of a pair
  std::uint64_t failed = 0;
};
struct Extent {
  std::size_t orders_max = 200;  ///< per pair
  bool kills = true;
  std::size_t share = 1;  ///< only every n-th pair
  std::size_t place = 0;  ///< the index of the selected pair within each n
};
[[nodiscard]] Meetings meet_all(Stand& stand, const Extent& extent, std::ostream& out);

}  // namespace parley::sim
