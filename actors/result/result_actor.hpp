#pragma once
/// The actor that owns one test result: it passes commands to the pure machine one at a time, commits the
/// machine's decisions, and only then answers (DecisionQueue). Spawned by the directory; runs on the actor
/// pool. A failed commit discards the state in memory: the state is read again and, after a conflict, the
/// commands are decided again.

#include "actors/base/decision_queue.hpp"
#include "actors/base/handles.hpp"
#include "actors/result/result_loading.hpp"
#include "actors/result/turn_requests.hpp"
#include "actors/services.hpp"

namespace parley::actors {

/// Not a command: makes the actor read the result again and check what to do next.
struct Reevaluate {};

/// The model that plays the tester answered the call made for `asked`, or failed to answer it.
struct ModelAnswered {
  OwesTester asked;
  outbound::HttpOutcome outcome;
  bool is_repeated = false;  ///< a stored answer was reused; no model was asked
};

/// An input that waits for its turn at a result: a client's command, or an answer.
using ResultInput = std::variant<ResultCommand, Scored, Reevaluate, ModelAnswered, TesterSpoke, TesterFailed,
                                 AgentAnswered, StartTimedOut, RanTooLong>;

/// The actor's progress in driving its conversation. In memory only: after a restart the record shows what to
/// do next.
struct DrivingState {
  bool has_slot = false;  ///< the dispatcher gave it a slot
  /// When the slot was given. Steady clock, so a changed wall clock does not matter (F38); time before a
  /// restart is not counted.
  caf::actor_clock::time_point since{};
  bool retry_is_pending = false;  ///< RetryQuestion was sent: a question had no room or was canceled
  bool awaits_turn = false;       ///< a client waits for a turn that a model has to write
  bool has_turn = false;  ///< the decisions since the last commit contain the turn, or the end of the chat
  Owed under_way;
  Owed last_asked;  ///< as under_way, but unchanged when a turn is written again
  std::optional<outbound::CallId> call;
  std::optional<CalledAgent> called;  ///< the agent that is called; absent: the tester's model
  std::uint64_t epoch = 0;            ///< read before the records for the call
  std::uint64_t call_number = 0;      ///< distinguishes the call in progress from older ones
  bool is_canceling = false;          ///< the call was canceled because nothing is due any more
  std::uint32_t basis = 0;            ///< entries that the turn in progress is based on
  int rewritten = 0;                  ///< how many times the turn was written again
  std::uint64_t rewritten_for = 0;    ///< the call that `rewritten` counted last
  std::optional<ModelUse> spent;      ///< model use of turns that were discarded
  /// Never changes. Stored only while the result has its slot, so that idle results use no memory for it.
  std::shared_ptr<const Instruction> instruction;
  std::string kept_as;  ///< the key under which the model's answer is cached; empty: not cached
};

class ResultActor : public ResultHandle::base, private Decider<ResultInput, ResultReply> {
 public:
  ResultActor(caf::actor_config& config, const Id& id, Services& services, Peers peers);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  [[nodiscard]] bool reads_store(const ResultInput& input) const override;
  [[nodiscard]] Expected<bool> has_kept(const std::string& key) const override;
  [[nodiscard]] Expected<Decided<ResultReply>> decide(const ResultInput& input,
                                                      store::ChangeSet& changes) override;
  [[nodiscard]] Expected<bool> is_current() const override;
  void seal(store::ChangeSet& changes) override;
  void commit(store::ChangeSet changes) override;
  void saved(store::Outcome& outcome) override;
  void forget() override;
  void wake_later() override;
  [[nodiscard]] std::string whose() const override;

  Expected<ResultDecision> decide_input(const ResultInput& input, store::ChangeSet& changes);
  Expected<ResultDecision> decide_command(const ResultCommand& command, const DecisionContext& moment,
                                          store::ChangeSet& changes);
  Expected<ResultDecision> decide_rescore(const store::Snapshot& snapshot, const Rescore& again,
                                          const DecisionContext& moment);
  Expected<ResultDecision> decide_next_message(const store::Snapshot& snapshot,
                                               const DecisionContext& moment);
  Expected<ResultDecision> decide_retry(const store::Snapshot& snapshot, const DecisionContext& moment,
                                        store::ChangeSet& changes);
  Expected<Done> ensure_loaded();
  Expected<Done> ensure_head_loaded();
  /// An event for the machine. An answer that changes nothing came too late and is counted.
  Expected<ResultDecision> decide_event(const ResultInput& input, const DecisionContext& moment);
  Expected<ResultDecision> decide_input(const ResultInput& input, const DecisionContext& moment);

  /// The first turn of a conversation that has just received its slot. The result is running from its
  /// dispatch on (D40), even while a model is still writing.
  Expected<ResultDecision> decide_start(const DecisionContext& moment);
  ResultDecision begin(const DecisionContext& moment);

  // Driving (result_actor_driving.cpp): calls the agent and the tester as the record requires.
  void carry_on();
  [[nodiscard]] Owed wanted() const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_left() const;
  [[nodiscard]] bool ran_too_long() const;
  void ask(const Owed& next);
  /// Whether memory has room for one more question in addition to those in progress.
  [[nodiscard]] bool has_room() const;
  void retry_later();
  void ask(const OwesTester& tester, const store::Snapshot& snapshot);
  void ask(const OwesAgent& agent, const store::Snapshot& snapshot);
  void call(outbound::HttpRequest request, outbound::RetryRules rules);
  void end_call(CallEnded& message);
  [[nodiscard]] Expected<std::shared_ptr<const Instruction>> instruction(const store::Snapshot& snapshot);
  [[nodiscard]] Expected<TesterStep> ask_tester(const store::Snapshot& snapshot);
  /// The script's turn after an answer that is decided but not yet stored (`fresh`), so that both are one
  /// change set. nullopt if a model plays the tester or a record could not be read; then ask_tester handles
  /// it once the answer is durable.
  [[nodiscard]] std::optional<TesterSpoke> script_after(std::span<const EntryWrite> fresh);
  void fail_agent(std::uint32_t turn, const Problem& problem);
  Expected<ResultDecision> decide_agent_answer(const AgentAnswered& answer, const DecisionContext& moment);
  Expected<ResultDecision> decide_model_answer(const ModelAnswered& answered, const DecisionContext& moment);
  void give_up(const Problem& problem);
  void give_back_slot();
  /// An exception was thrown: frees the actor's place and slot, and answers all callers.
  void break_off();
  void ask_again();
  void leave_early();
  [[nodiscard]] bool is_driven() const {
    return driving_.has_slot || driving_.call || driving_.awaits_turn || driving_.retry_is_pending;
  }

  void perform(const std::vector<ResultEffect>& effects);

  Services& services_;
  Peers peers_;
  Id id_;
  DecisionQueue<ResultInput, ResultReply> queue_;
  std::optional<ResultState> state_;  ///< absent: must be read from the store
  ResultHead durable_;                ///< the head on disk
  std::vector<ResultEffect> effects_;
  bool saves_head_ = false;
  bool is_outdated_ = false;
  bool is_passing_ = false;  ///< loaded for one command, so it offers to leave memory early
  std::uint64_t seen_ = 0;
  DrivingState driving_;
};

}  // namespace parley::actors
