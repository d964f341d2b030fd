#pragma once
/// Judges claimed results, one after the other, on a thread of its own: regular expressions over long conversations
/// cost CPU and must not hold up the pool (design 1). Bound: one waiting job for each claimed result, 24 bytes each.
/// A verdict goes to the directory as a message with its attempt; the result's machine drops what no longer fits.

#include <atomic>
#include <deque>

#include "actors/handles.hpp"
#include "actors/world.hpp"

namespace parley::actors {

struct ScoringFigures {
  std::atomic<std::uint64_t> held{0};  ///< jobs that wait for the end of a pause
  std::atomic<std::uint64_t> judged{0};
};

/// What scoring needs of one result, read from a snapshot.
struct ScoringInput {
  ResultCase generated;
  std::vector<Entry> entries;
  std::optional<EndReason> end_reason;
};
[[nodiscard]] Result<ScoringInput> load_scoring(const store::Snapshot& snapshot, const Id& result);
/// The verdict on it. Pure.
[[nodiscard]] Scored judge_result(const ScoringInput& input, std::int64_t attempt);

class ScoringActor : public Scoring::base {
 public:
  ScoringActor(caf::actor_config& config, World& world, ScoringFigures& figures);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  void take(const ScoreJob& job);
  void judge(const ScoreJob& job);

  World& world_;
  Directory directory_;
  ScoringFigures& figures_;
  bool is_paused_;
  std::deque<ScoreJob> held_;  ///< jobs that wait for the end of a pause
};

}  // namespace parley::actors
