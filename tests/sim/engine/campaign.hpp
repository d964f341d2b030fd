#pragma once
/// Many schedules: random ones by seed, the smaller one to which a failing schedule shrinks, and all pairs of two commands
/// in every state. One thread.

#include <iosfwd>

#include "tests/sim/engine/schedule.hpp"

namespace parley::sim {

/// The plan with only the steps that `kept` names by token; empty: all.
[[nodiscard]] Plan only(Plan plan, const std::vector<std::uint32_t>& kept);

/// The fewest steps found with which the schedule still fails: each is removed in turn until none can be.
[[nodiscard]] Plan shrink(Stand& stand, Plan plan);

/// Plan, history and faults, and the command that repeats it.
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

/// Seeds from `first` on; stops at the first failure, or when the time is up.
[[nodiscard]] Tally run_seeds(Stand& stand, std::uint64_t first, std::uint64_t schedules, std::ostream& out);

/// A state in which two commands are run: how it is reached.
struct Situation {
  std::string name;
  Plan plan;
  std::uint32_t target = 0;  ///< the result that both commands concern
};
[[nodiscard]] const std::vector<Situation>& situations();
[[nodiscard]] const std::vector<Deed>& meeting_deeds();

struct Meetings {
  std::uint64_t pairs = 0;     ///< of a state and two commands in their order
  std::uint64_t complete = 0;  ///< of them, those for which all orders of their messages were tried
  std::uint64_t orders = 0;    ///< tried
  std::uint64_t kills = 0;     ///< of the process, after each message of a pair
  std::uint64_t failed = 0;
};
struct Extent {
  std::size_t orders_max = 200;  ///< of one pair
  bool kills = true;
  std::size_t share = 1;  ///< every n-th pair only
  std::size_t place = 0;  ///< the index of the pairs within the share
};
[[nodiscard]] Meetings meet_all(Stand& stand, const Extent& extent, std::ostream& out);

}  // namespace parley::sim
