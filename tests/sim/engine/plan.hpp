#pragma once
/// The content of one simulated schedule: its initial run and results, and the steps of its clients, clock, disk and
/// agents. Created from one seed alone; each step has its own dice, so that removing steps leaves the others unchanged
/// (shrinking). Plain values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::sim {

enum class Deed : std::uint8_t {
  // Commands of a client to a result ...
  post,
  tool,
  registers,
  insert,
  merge,
  next,
  finish,
  cancel,
  fail,
  start,
  mode_auto,
  mode_manual,
  metadata,
  retry,
  // ... and to the run.
  create,
  cancel_run,
  close_run,
  put_run_canceled,
  put_run_running,
  /// Repeats an earlier command with the same Idempotency-Key.
  again,
  // Events of the world.
  answer,
  pass,
  disk_full,
  disk_well,
  disk_error,
  crash,
  crash_within,
  crash_in_recovery,
  hold,
  release,
  pause,
  unpause,
  look,
  // Drawn from a separate stream (widening.cpp).
  model_says,
  /// A heartbeat of a local runner (D73).
  heartbeat,
  /// Creates a result without a run (D42).
  preview,
  /// Rescores a result; the change is either previewed or saved (wish.hpp).
  rescore,
};
inline constexpr std::size_t deeds = static_cast<std::size_t>(Deed::rescore) + 1;
/// The deeds that every seed draws from.
inline constexpr std::size_t first_deeds = static_cast<std::size_t>(Deed::look) + 1;
[[nodiscard]] std::string_view word_of(Deed deed);

[[nodiscard]] constexpr bool is_of_result(Deed deed) {
  return deed <= Deed::retry || deed == Deed::rescore;
}
[[nodiscard]] constexpr bool is_command(Deed deed) {
  return deed <= Deed::again || deed >= Deed::heartbeat;
}

struct Step {
  Deed deed = Deed::look;
  std::uint32_t token = 0;   ///< distinguishes the step from all others; from 1
  std::uint32_t target = 0;  ///< the index of the result, modulo the number of results
  std::uint32_t value = 0;
  std::uint64_t dice = 0;
  std::uint32_t spin = 0;  ///< the number of messages handled after the step
  bool has_key = false;
  bool prefers_completed = false;  ///< the target is chosen among the completed results, if there are any
};
/// For `spin`: until no actor has a message.
inline constexpr std::uint32_t until_rest = UINT32_MAX;

/// Who drives a conversation.
enum class Kind : std::uint8_t { client, person, driven };

struct Made {
  Kind kind = Kind::client;
  bool is_manual = false;
  bool is_free = false;        ///< the instruction is free text, and a tester model plays it
  std::uint32_t criteria = 0;  ///< number of assertions that need a judge
};

/// The models of a world, and their possible misbehavior: sets of TesterSays and JudgeSays (models.hpp).
struct ModelsPlan {
  bool has_tester = false;
  bool has_judge = false;
  bool keeps_answers = false;
  bool has_criteria = false;
  std::uint32_t tester_knows = 0;
  std::uint32_t judge_knows = 0;
};

struct Plan {
  std::uint64_t seed = 0;
  std::vector<Made> results;
  std::uint32_t says = 2;  ///< number of lines in the script
  std::uint32_t cap = 1;   ///< number of conversations that the run drives concurrently
  bool is_running = false;
  bool is_stuck_at_once = false;
  ModelsPlan models;
  std::int64_t deadline_ms = 0;  ///< --conversation-deadline; 0: never
  bool has_runners = false;      ///< the agent of the run is LOCAL, and runners take its work
  bool has_rescores = false;     ///< results are rescored; verdicts are then part of the state
  std::vector<Step> steps;
};
/// Whether the heartbeat comes from a runner of another agent than the run's.
[[nodiscard]] constexpr bool is_stranger(std::uint32_t value) {
  return value % 5 == 4;
}
/// The result that a client's step creates, in the run or as a preview.
[[nodiscard]] Made made_by(const Plan& plan, Deed deed, std::uint32_t value);

inline constexpr std::uint32_t tokens_max = 63;  ///< so that a set of tokens fits in one word

/// The plan of a seed. Swarm testing: each seed draws which deeds it uses, and how often.
[[nodiscard]] Plan plan_of(std::uint64_t seed);

/// Seeds from here on also have models. Lower seeds keep their plans; the same applies to each constant below.
inline constexpr std::uint64_t first_wide_seed = 100'000'000;
/// Also local runners.
inline constexpr std::uint64_t first_seed_with_runners = 200'000'000;
/// Also a deadline.
inline constexpr std::uint64_t first_seed_with_deadline = 300'000'000;
/// Also previews.
inline constexpr std::uint64_t first_seed_with_previews = 400'000'000;
/// Also rescores.
inline constexpr std::uint64_t first_seed_with_rescores = 500'000'000;
/// Adds what a wide seed draws in addition, from a separate random stream: earlier draws stay unchanged.
void widen(Plan& plan);
[[nodiscard]] std::string text_of(const Step& step);
[[nodiscard]] std::string head_of(const Plan& plan);

}  // namespace parley::sim
