#pragma once
/// What one simulated schedule does: the run and results it begins with, and the steps of its clients, its clock, its
/// disk and its agents. Made from one seed alone; each step carries dice of its own, so that leaving steps out leaves
/// the others as they were (shrinking). Plain values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::sim {

enum class Deed : std::uint8_t {
  // What a client asks of a result ...
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
  // ... and of the run.
  create,
  cancel_run,
  close_run,
  put_run_canceled,
  put_run_running,
  /// Sends an earlier command again, with its Idempotency-Key.
  again,
  // What the world does.
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
  // What is drawn from a stream of its own (widening.cpp).
  model_says,
  /// Of a local runner (D73).
  heartbeat,
  /// Creates a result without a run (D42).
  preview,
  /// Scores a result again, as a preview or to save it (wish.hpp).
  rescore,
};
inline constexpr std::size_t deeds = static_cast<std::size_t>(Deed::rescore) + 1;
/// Those that every seed draws from.
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
  std::uint32_t token = 0;   ///< tells the step from all others; from 1
  std::uint32_t target = 0;  ///< which of the results there are, counted round
  std::uint32_t value = 0;
  std::uint64_t dice = 0;
  std::uint32_t spin = 0;  ///< messages that are taken afterwards
  bool has_key = false;
  bool prefers_completed = false;  ///< its target is counted round the completed results, if there is one
};
/// Until nobody has a message.
inline constexpr std::uint32_t until_rest = UINT32_MAX;

/// Who moves a conversation.
enum class Kind : std::uint8_t { client, person, driven };

struct Made {
  Kind kind = Kind::client;
  bool is_manual = false;
  bool is_free = false;        ///< its instruction is free text, which a tester model plays
  std::uint32_t criteria = 0;  ///< assertions that need a judge
};

/// The models of a world, and how they may misbehave: sets of TesterSays and JudgeSays (models.hpp).
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
  std::uint32_t says = 2;  ///< lines of the script
  std::uint32_t cap = 1;   ///< conversations that the run drives at once
  bool is_running = false;
  bool is_stuck_at_once = false;
  ModelsPlan models;
  std::int64_t deadline_ms = 0;  ///< --conversation-deadline; 0: never
  bool has_runners = false;      ///< the run's agent is LOCAL, and runners take its work
  bool has_rescores = false;     ///< results are scored again; what verdicts say is a part of the state then
  std::vector<Step> steps;
};
/// A heartbeat of a runner whose agent is not the run's.
[[nodiscard]] constexpr bool is_stranger(std::uint32_t value) {
  return value % 5 == 4;
}
/// What a client's step creates, in the run or as a preview.
[[nodiscard]] Made made_by(const Plan& plan, Deed deed, std::uint32_t value);

inline constexpr std::uint32_t tokens_max = 63;  ///< so that a set of tokens is one word

/// The plan of a seed. Swarm: each seed draws which deeds it knows, and how often it does them.
[[nodiscard]] Plan plan_of(std::uint64_t seed);

/// Seeds from here on know of models too; those below mean what they have always meant, and so on.
inline constexpr std::uint64_t first_wide_seed = 100'000'000;
/// Of local runners too.
inline constexpr std::uint64_t first_seed_with_runners = 200'000'000;
/// Of a deadline too.
inline constexpr std::uint64_t first_seed_with_deadline = 300'000'000;
/// Of previews too.
inline constexpr std::uint64_t first_seed_with_previews = 400'000'000;
/// Of scoring again too.
inline constexpr std::uint64_t first_seed_with_rescores = 500'000'000;
/// Adds to the plan what a wide seed draws beyond it, from a stream of its own: what was drawn before stays.
void widen(Plan& plan);
[[nodiscard]] std::string text_of(const Step& step);
[[nodiscard]] std::string head_of(const Plan& plan);

}  // namespace parley::sim
