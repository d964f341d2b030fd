#pragma once
/// Starts the workflows of GITHUB agents (D72): marks the results as asked for, then asks, so that no crash repeats a
/// dispatch whose answer was lost; fails the results where GitHub refuses, and those that no workflow starts in time.
/// Event-based; holds the ids of the results that wait.

#include <map>
#include <unordered_map>

#include "actors/handles.hpp"
#include "actors/world.hpp"

namespace parley::actors {

class WorkflowActor : public Workflow::base {
 public:
  WorkflowActor(caf::actor_config& config, World& world, Writer writer);

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
  void returned(const WorkflowReturned& message);
  void watch(Time asked_at, const std::vector<Id>& results);
  void fail(const std::vector<Id>& results, const AgentFailed& why, EndReason reason);
  void tick();

  World& world_;
  Writer writer_;
  Directory directory_;
  std::unordered_map<std::uint64_t, Batch> asked_;
  std::uint64_t number_ = 0;
  std::multimap<Time, Id> deadlines_;
};

}  // namespace parley::actors
