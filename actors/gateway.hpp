#pragma once
/// The interface of actors/ for http/: plain calls with a completion, without CAF. It limits the work in
/// flight: beyond limits::commands_in_flight_max a call is answered `busy` immediately. Thread: any. The
/// gateway outlives every completion passed to it.

#include <atomic>
#include <chrono>
#include <cstdint>

#include "actors/commands.hpp"
#include "store/change.hpp"
#include "store/side/idempotency_records.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// Decides one change on a snapshot. Called again on a newer snapshot if another change interfered
/// (optimistic concurrency, guarded by revisions). Pure except for reading the snapshot. An empty change set
/// is committed immediately.
using Decide = std::function<Expected<store::ChangeSet>(const store::Snapshot&, Time now, IdSource& ids)>;

/// The idempotency record stored with a command's effect, if the client sent an Idempotency-Key (D9).
using OptionalIdempotency = std::optional<store::NewIdempotencyRecord>;

/// The origin of a command: what is stored with its effect, and who requested it (I68).
struct Origin {
  Origin(OptionalIdempotency kept = {}, store::Author author = {}) : keep(std::move(kept)), by(author) {}
  OptionalIdempotency keep;
  store::Author by;
};

/// A client that waits until a condition on a run or a result holds (D47, D96).
struct Wait {
  /// The condition holds, or the time limit, the client or the server ended the wait first.
  enum class End : std::uint8_t { fulfilled, cut_short };

  Id of;
  std::function<bool(const store::Snapshot&)> is_over;
  std::chrono::milliseconds at_most{0};
  /// Called from time to time, so that a client that has left uses no resources.
  std::function<bool()> has_left;
  /// Called exactly once, on a thread of the actor pool. Must not block.
  std::function<void(End)> done;
};

struct GatewayCounters {
  std::uint64_t in_flight = 0;
  std::uint64_t refused_busy = 0;
  std::uint64_t live_actors = 0;
  std::uint64_t scoring_waiting = 0;
  std::uint64_t late_dropped = 0;
  std::uint64_t slots_taken = 0;    ///< conversations that the service drives now
  std::uint64_t slots_awaited = 0;  ///< conversations that wait for a slot of their run or of the server
  std::uint64_t clients_waiting = 0;
  std::uint64_t verdicts_passed = 0;
  std::uint64_t verdicts_failed = 0;
  std::uint64_t verdicts_undecided = 0;
  std::uint64_t judge_errors = 0;  ///< assertions for which the judge gave no valid verdict
  std::uint64_t judge_calls = 0;
  std::uint64_t judge_input_tokens = 0;  ///< as the judge reported
  std::uint64_t judge_output_tokens = 0;
  std::uint64_t tester_calls = 0;
  std::uint64_t tester_input_tokens = 0;
  std::uint64_t tester_output_tokens = 0;
  std::uint64_t webhooks_owed = 0;  ///< deliveries that no receiver has accepted yet
  std::uint64_t webhooks_delivered = 0;
  std::uint64_t webhooks_given_up = 0;
  std::uint64_t webhook_attempts_failed = 0;
};

class Gateway {
 public:
  virtual ~Gateway() = default;

  /// Sends a command to the actor of a result. Needs: the result exists.
  virtual void to_result(const Id& result, ResultCommand command, Origin origin,
                         Completion<ResultReply> done) = 0;
  /// Sends a command to the actor of a run; CreateRun creates a new run and ignores the id. Needs: any other
  /// run exists.
  virtual void to_run(const Id& run, RunCommand command, Origin origin, Completion<RunReply> done) = 0;
  /// Creates a result without a run (standalone preview, D42).
  virtual void create_preview(CreateResult command, Origin origin, Completion<ResultReply> done) = 0;
  /// Changes simple records: scenarios, tests, agents, users ...
  virtual void change_records(Decide decide, Completion<Done> done) = 0;
  /// Calls the agent once, under the client's traceparent if it has one, and reports the answer (D10, D74).
  virtual void check_agent(const Agent& agent, const std::optional<std::string>& trace,
                           Completion<AgentProbe> done) = 0;
  /// Asks the judge model, if one is configured, about what the rules left open, and returns the review to
  /// store (D24).
  virtual void ask_reviewer(Reviewing reviewing, Completion<SaveReview> done) = 0;
  /// Asks the judge model about the criteria among the assertions. Needs: a judge model.
  virtual void judge_log(LogToJudge log, Completion<LogVerdict> done) = 0;
  /// Calls `work` on a low-priority thread that may be busy for long. Beyond limits::background_max pieces at
  /// a time, calls it with `busy`. Work that is unfinished when the server stops is dropped.
  virtual void in_background(Completion<Done> work) = 0;
  /// Like in_background, but on other threads, for work of less than a second that would block a connection's
  /// thread. Owners take turns, so that a busy owner delays only itself. `bytes` are held while the work
  /// waits. Beyond limits::checks_max or the byte limit, the `work` of an owner that has used up its reserve
  /// is called with `busy`. Work that still waits when the server stops is called with `draining`. Both calls
  /// happen on a thread of the actor pool.
  virtual void in_turn(const Id& owner, std::size_t bytes, Completion<Done> work) = 0;
  /// Keeps a client waiting without a thread; refuses beyond limits::waiters_max.
  virtual void wait(Wait wait) = 0;
  /// The server stops: ends all waits and interrupts long work.
  virtual void end_waits() = 0;
  /// The flag that long work checks.
  [[nodiscard]] virtual const std::atomic<bool>& is_stopping() const = 0;
  /// D95: claims are still made, but verdicts wait.
  virtual void pause_scoring(bool paused) = 0;
  [[nodiscard]] virtual bool is_scoring_paused() const = 0;
  [[nodiscard]] virtual GatewayCounters counters() const = 0;
};

}  // namespace parley::actors
