#pragma once
/// Detects hallucinations (D24): checks the claims in the finished results of one run at a time, on its own
/// thread, and has each result's actor save the findings. Memory holds only its position: the run's
/// hallucinationStatus says that a detection is in progress, and the results record which of them are done,
/// so a crash costs a few results at most. Bound: the claims of results_out_max results that are being saved,
/// and one small message per waiting run.

#include <deque>
#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/grounding/claim_checks.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class ClaimCheckActor : public ClaimChecks::base {
 public:
  ClaimCheckActor(caf::actor_config& config, Services& services);

  behavior_type make_behavior() override;
  /// Drops the handle: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  enum class Phase : std::uint8_t { starting, tracing, ending };
  /// The progress of the detection at the head of the queue.
  struct Progress {
    Phase phase = Phase::starting;
    DetectionStatus wanted = DetectionStatus::running;  ///< the last progress sent to the run
    std::deque<Id> next = {};
    Id after = {};
    std::size_t shelf = 0;    ///< index in store::all_shelves of the shelf being checked
    bool is_over = false;     ///< no result is left to check
    bool is_dropped = false;  ///< no detection is requested any more
    bool is_waiting = false;  ///< until claims are saved
    bool has_progress = false;
    bool has_lost = false;
    std::size_t faults = 0;
    std::size_t out = 0;  ///< results that wait for the judge, or are on their way to disk
  };

  void begin();
  void move(DetectionStatus to);
  void moved(const DetectionMoved& message);
  void kept(const ClaimsSaved& message);
  void carry_on();
  /// The next result, nil at the end.
  Expected<Id> next_result(const store::Snapshot& snapshot);
  [[nodiscard]] bool is_asked_for(const std::optional<Run>& run) const;
  Expected<Done> trace_next();
  /// Asks the judge model, if one is configured, for claims in prose; the claims are saved when it has
  /// answered.
  void ask(std::uint64_t number);
  void returned(const ProseReturned& message);
  void keep(const CheckedClaims& traced);
  void count_out(bool is_lost);
  void end_if_done();

  Services& services_;
  Directory directory_;
  std::deque<CheckRunClaims> runs_;  ///< the first one is in progress
  Progress progress_;
  /// Results that wait for the judge model, by number.
  std::unordered_map<std::uint64_t, CheckedClaims> asked_;
  std::uint64_t asked_number_ = 0;
  std::uint64_t move_number_ = 0;  ///< number of the last message to a run
};

}  // namespace parley::actors
