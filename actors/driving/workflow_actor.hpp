#pragma once
/// Starts the workflows of GITHUB agents (D72). It marks the results as requested before it sends the
/// request, so that a crash never repeats a dispatch whose answer was lost. It fails the results if GitHub
/// refuses, and those that no workflow starts in time. If the server stops before a request was sent, the
/// mark is removed and the next start sends it. Event-based; holds the ids of the waiting results. It ends
/// when its commits have ended, so the writer must outlive it.

#include <functional>
#include <map>
#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class WorkflowActor : public Workflow::base {
 public:
  WorkflowActor(caf::actor_config& config, Services& world, Writer writer);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// Results of one dispatch.
  struct Batch {
    std::optional<Id> run;
    Id agent;
    std::vector<Id> results;
    std::uint64_t epoch = 0;  ///< of Outside, from before the results were looked at
  };

  void start(const StartWorkflow& work, int tries_left);
  /// Marks the results durably, then asks.
  void mark(Batch batch, store::ChangeSet changes, int tries_left);
  void ask(Batch batch);
  /// What was never sent, for those of its results that still wait.
  void ask_again(Batch batch);
  /// Takes the mark back: nothing was sent, and the next start asks.
  void take_back(const std::vector<Id>& results, int tries_left);
  /// Through the writer; `then` hears how it ended unless the writer is gone.
  void commit(store::ChangeSet changes, std::function<void(store::Outcome&)> then);
  void quit_if_done();
  [[nodiscard]] bool is_stopping() const { return is_leaving_ || *world_.is_stopping; }
  void returned(const WorkflowReturned& message);
  void watch(Time asked_at, const std::vector<Id>& results);
  void fail(const std::vector<Id>& results, const AgentFailed& why, EndReason reason);
  void tick();

  Services& world_;
  Writer writer_;
  Directory directory_;
  std::unordered_map<std::uint64_t, Batch> asked_;
  std::uint64_t number_ = 0;
  std::multimap<Time, Id> deadlines_;
  std::size_t commits_ = 0;  ///< in progress
  bool is_leaving_ = false;  ///< it was told to stop
};

}  // namespace parley::actors
