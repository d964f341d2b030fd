#pragma once
/// The gateway to the real actors. Counts calls in progress, so that work is bounded where it enters: CAF
/// does not bound mailboxes. Thread: any.

#include "actors/driving/dispatcher_actor.hpp"
#include "actors/lifecycle/directory_actor.hpp"
#include "actors/runtime/waiting_clients_actor.hpp"
#include "actors/verdicts/scoring_actor.hpp"

namespace parley::actors {

class GatewayToActors final : public Gateway {
 public:
  /// Without a directory, the node does not lead yet.
  struct Handles {
    Directory directory;
    Records records;
    ScoringPool scoring;
    WaitingClients room;
    Background background;
    Background checking = {};
  };
  GatewayToActors(Services& services, Handles handles, const DirectoryFigures& directory,
                  const ScoringFigures& scoring, const WaitingClientsFigures& room,
                  const DispatchFigures& dispatch);

  void to_result(const Id& result, ResultCommand command, Origin origin,
                 Completion<ResultReply> done) override;
  void to_run(const Id& run, RunCommand command, Origin origin, Completion<RunReply> done) override;
  void create_preview(CreateResult command, Origin origin, Completion<ResultReply> done) override;
  void change_records(Decide decide, Completion<Done> done) override;
  void check_agent(const Agent& agent, const std::optional<std::string>& trace,
                   Completion<AgentProbe> done) override;
  void ask_reviewer(Reviewing reviewing, Completion<SaveReview> done) override;
  void judge_log(LogToJudge log, Completion<LogVerdict> done) override;
  void in_background(Completion<Done> work) override;
  void in_turn(const Id& owner, std::size_t bytes, Completion<Done> work) override;
  void wait(Wait wait) override;
  void end_waits() override;
  [[nodiscard]] const std::atomic<bool>& is_stopping() const override { return *services_.is_stopping; }
  void pause_scoring(bool paused) override;
  [[nodiscard]] bool is_scoring_paused() const override { return is_paused_; }
  [[nodiscard]] GatewayCounters counters() const override;
  /// Sets the actors of a node that leads from now on.
  void lead(Directory directory, Records records, ScoringPool scoring);
  /// The node no longer leads: operations that only a leader performs are answered `no-leader` from now on.
  void follow();
  /// Waits at most `longest` until the commands that were accepted before follow() are answered. Needs: the
  /// actors that answer them still live and do not share the calling thread.
  void await_answers(std::chrono::milliseconds longest) const;
  /// Drops the handles, so that the actors can end. Needs: no call is in progress, and none follows.
  void release() {
    leading_.store(nullptr);
    handles_ = {};
  }

 private:
  /// Null while another node of the cluster leads.
  struct Leading {
    Directory directory;
    Records records;
    ScoringPool scoring;
    /// Shared with waiting callers.
    std::shared_ptr<std::atomic<bool>> is_over = std::make_shared<std::atomic<bool>>(false);
  };

  /// `lead_is_over`: null for a command that needs no leader.
  template <class T>
  std::optional<Completion<T>> enter(Completion<T>& done,
                                     std::shared_ptr<std::atomic<bool>> lead_is_over = nullptr);
  template <class T>
  std::optional<Completion<T>> enter_with(std::size_t bytes, Completion<T> done);
  [[nodiscard]] std::function<void(std::function<void()> work)> background_runner();
  /// Needs: the work is counted.
  void send_background(Completion<Done> work);

  Services& services_;
  Handles handles_;  ///< handles that every node has; the others are in leading_
  std::atomic<std::shared_ptr<const Leading>> leading_;
  const DirectoryFigures& directory_;
  const ScoringFigures& scoring_;
  const WaitingClientsFigures& room_;
  const DispatchFigures& dispatch_;
  std::atomic<bool> is_paused_;
  std::atomic<std::uint64_t> in_flight_{0};
  std::atomic<std::uint64_t> refused_busy_{0};
  std::atomic<std::size_t> reviewed_bytes_{
      0};  ///< size of conversations that wait for a judge model in reviews and logs
  std::atomic<std::size_t> background_{0};  ///< pieces of long work that wait or are in progress
};

}  // namespace parley::actors
