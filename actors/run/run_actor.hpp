#pragma once
/// The actor that owns one run: its status, the creation and launch of its results, its completion. Like the
/// result actor, it decides on the pure machine, commits, then answers. Spawned by the directory; runs on the
/// actor pool.

#include "actors/base/decision_queue.hpp"
#include "actors/base/handles.hpp"
#include "actors/run/planned_personalities.hpp"
#include "actors/run/run_loading.hpp"
#include "actors/services.hpp"

namespace parley::actors {

/// An input that waits for its turn at a run: a client's command, or news of its results.
using RunInput = std::variant<RunCommand, ResultsMoved>;

class RunActor : public RunHandle::base, private Decider<RunInput, RunReply> {
 public:
  RunActor(caf::actor_config& config, const Id& id, Services& services, Peers peers);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  [[nodiscard]] bool reads_store(const RunInput& input) const override;
  [[nodiscard]] Expected<bool> has_kept(const std::string& key) const override;
  [[nodiscard]] Expected<Decided<RunReply>> decide(const RunInput& input, store::ChangeSet& changes) override;
  [[nodiscard]] Expected<bool> is_current() const override;
  void seal(store::ChangeSet& changes) override;
  void commit(store::ChangeSet changes) override;
  void saved(store::Outcome& outcome) override;
  void forget() override;
  void wake_later() override;
  [[nodiscard]] std::string whose() const override;

  void stored(store::Outcome& outcome);
  Expected<RunDecision> decide_input(const RunInput& input);
  Expected<RunDecision> decide_patch(const PatchRun& command, const DecisionContext& moment);
  Expected<RunDecision> decide_create(const CreateRun& command, const DecisionContext& moment);
  /// What the results imply, including pending messages about them.
  Expected<RunFacts> load_news();
  Expected<RunDecision> decide_create_result(const CreateResult& command, const DecisionContext& moment);
  [[nodiscard]] Expected<RunFacts> facts_of_new_result() const;
  Expected<Done> ensure_loaded();
  /// An exception was thrown: frees the actor's place in the directory, and answers all callers.
  void break_off();
  void add_changes(const RunDecision& decision, store::ChangeSet& changes);

  Services& services_;
  Peers peers_;
  Id id_;
  DecisionQueue<RunInput, RunReply> queue_;
  std::optional<Run> state_;  ///< absent: must be read from the store
  Run durable_;
  PlannedPersonalities planned_;
  std::vector<Id> made_driven_;  ///< results in the commit in progress that need a slot or a workflow
  bool is_by_workflow_ = false;
  /// Outcome of a commit that canceled results; kept until their calls are canceled.
  store::Outcome outcome_;
  bool saves_run_ = false;
  bool is_new_ = false;
  bool starts_detection_ = false;
  bool is_outdated_ = false;
  bool has_started_ = false;  ///< a result was seen to start; stays true: a run never becomes unstarted
  bool has_checked_ = false;  ///< has checked for results that started before this actor existed
  std::uint64_t seen_ = 0;
};

}  // namespace parley::actors
