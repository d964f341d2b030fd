#pragma once
/// The actor that owns one test result: it brings commands to the pure machine one after the other, commits what the
/// machine decides, and only then answers (DecisionQueue). Spawned by the directory; runs on the actor pool. A failed
/// commit throws away what is in memory: the state is read again and, after a conflict, the commands are decided again.

#include "actors/decision_queue.hpp"
#include "actors/handles.hpp"
#include "actors/result_loading.hpp"
#include "actors/world.hpp"

namespace parley::actors {

/// The peers of an actor.
struct Peers {
  Writer writer;
  Directory directory;
  Scoring scoring;
};

/// What waits for its turn at a result: a client's command or a verdict.
using ResultInput = std::variant<ResultCommand, Scored>;

class ResultActor : public ResultHandle::base, private Decider<ResultInput, ResultReply> {
 public:
  ResultActor(caf::actor_config& config, const Id& id, World& world, Peers peers);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  [[nodiscard]] bool reads_store(const ResultInput& input) const override;
  [[nodiscard]] Result<Decided<ResultReply>> decide(const ResultInput& input,
                                                    store::ChangeSet& changes) override;
  void seal(store::ChangeSet& changes) override;
  void commit(store::ChangeSet changes) override;
  void saved(store::Outcome& outcome) override;
  void forget() override;
  void wake_later() override;

  Result<ResultDecision> decide_input(const ResultInput& input, store::ChangeSet& changes);
  Result<ResultDecision> decide_next_message(const store::Snapshot& snapshot, const Moment& moment);
  Result<ResultDecision> decide_retry(const store::Snapshot& snapshot, const Moment& moment,
                                      store::ChangeSet& changes);
  Result<Done> ensure_loaded();
  void perform(const std::vector<ResultEffect>& effects);

  World& world_;
  Peers peers_;
  Id id_;
  DecisionQueue<ResultInput, ResultReply> queue_;
  std::optional<ResultState> state_;  ///< absent: to be read from the store
  ResultHead durable_;                ///< the head as it is on disk
  std::vector<ResultEffect> effects_;
  bool saves_head_ = false;
  bool is_outdated_ = false;
  std::uint64_t seen_ = 0;
};

}  // namespace parley::actors
