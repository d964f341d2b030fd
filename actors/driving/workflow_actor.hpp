#pragma once
/// Starts the workflows of GITHUB agents (D72). It marks the results as requested before it sends the
/// request, so that a crash never repeats a dispatch whose answer was lost. It fails results if GitHub
/// refuses the request or if no workflow starts them in time. If the server stops before a request was sent,
/// the mark is removed and the next start sends the request. Event-based; holds the ids of the waiting
/// results. It ends when its marks are saved, so the directory must outlive it.

#include <functional>
#include <map>
#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class WorkflowActor : public Workflow::base {
 public:
  WorkflowActor(caf::actor_config& config, Services& services);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// Results of one dispatch.
  struct Batch {
    std::optional<Id> run;
    Id agent;
    std::vector<Id> results;
    std::uint64_t epoch = 0;  ///< epoch of Services::outside, read before the results
  };

  void start(const StartWorkflow& work);
  /// Makes the results save their marks. Calls `then` when all have answered, with the results that are
  /// marked.
  void mark(Batch batch, bool is_requested, std::function<void(Batch marked)> then);
  void marked(const WorkflowMarked& message);
  void ask(Batch batch);
  /// Repeats a dispatch that was never sent, for the results that still wait.
  void ask_again(Batch batch);
  /// Removes the mark: nothing was sent, and the next start sends the request.
  void take_back(Batch batch);
  void refused(const std::vector<Id>& results, const Problem& why, bool is_requested);
  void quit_if_done();
  [[nodiscard]] bool is_stopping() const { return is_leaving_ || *services_.is_stopping; }
  void returned(const WorkflowReturned& message);
  void watch(Time asked_at, const std::vector<Id>& results);
  void fail(const std::vector<Id>& results, const AgentFailed& why, EndReason reason);
  void tick();

  Services& services_;
  Directory directory_;
  std::unordered_map<std::uint64_t, Batch> asked_;
  std::uint64_t number_ = 0;
  std::multimap<Time, Id> deadlines_;
  /// Marks that results are saving, by number.
  struct Marking {
    Batch batch;  ///< the results marked so far
    std::size_t awaited = 0;
    std::vector<Id> refused;
    Problem why = {};
    bool is_requested = true;
    std::function<void(Batch marked)> then;
  };
  std::unordered_map<std::uint64_t, Marking> marking_;
  bool is_leaving_ = false;  ///< the actor was asked to stop
};

}  // namespace parley::actors
