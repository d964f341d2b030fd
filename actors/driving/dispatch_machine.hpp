#pragma once
/// Decides which server-driven conversations may continue: slots for the whole server and for each run. Pure; owned by
/// the dispatcher actor, which notifies the results that got a slot. Holds one id per result that waits or is driven.
///
/// Invariant: a run never has more slots than its limit, and the server never more than its own. Runs with
/// waiting results take turns, so that a large run does not starve the others.

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/id.hpp"

namespace parley::actors {

/// Results that need to be driven. `run` is nil for previews, which only the server's limit delays.
struct Offer {
  Id run;
  std::int64_t slots_max = 0;  ///< the run's limit
  std::vector<Id> results;
};

class DispatchMachine {
 public:
  explicit DispatchMachine(std::int64_t slots_max) : slots_max_(slots_max) {}

  /// Adds results that wait for a slot; known results are unchanged. Returns those that may start now.
  [[nodiscard]] std::vector<Id> on(const Offer& offer);
  /// The conversation has ended or will never start. Returns the results that may start instead.
  [[nodiscard]] std::vector<Id> release(std::span<const Id> results);

  /// These results no longer need a slot. A driven result keeps its slot until it releases it: its agent may
  /// still be called.
  void withdraw(std::span<const Id> results);

  [[nodiscard]] std::int64_t driven() const { return driven_; }
  [[nodiscard]] std::size_t waiting() const { return places_.size() - static_cast<std::size_t>(driven_); }

 private:
  struct Queue {
    std::int64_t slots_max = 0;
    std::int64_t driven = 0;
    std::deque<Id> waiting;  ///< may hold ids that have since been released; they are skipped
    bool is_in_turn = false;
  };
  struct Place {
    Id run;
    bool is_driven = false;
  };

  void let_in_turn(const Id& run, Queue& queue);
  /// The next waiting result of the run; nil if no result waits.
  Id next_of(Queue& queue);
  std::vector<Id> fill();

  std::int64_t slots_max_;
  std::int64_t driven_ = 0;
  std::unordered_map<Id, Queue> queues_;
  std::unordered_map<Id, Place> places_;
  std::deque<Id> turns_;  ///< runs that have both waiting results and a free slot
};

}  // namespace parley::actors
