#pragma once
/// The typed handles of all actors: the protocol of the product, one line for each message. Handles may be copied to any
/// thread; an actor's own data never leaves it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "actors/base/messages.hpp"

namespace parley::actors {

/// Owns the store's write transaction; one detached thread.
using Writer = caf::typed_actor<
    // Makes a change set durable together with all other waiting ones, and reports the outcome.
    caf::replies_to<Commit>::with<store::Outcome>,
    // Ends the gathering of a batch.
    caf::reacts_to<Flush>>;

/// Does long work, one piece at a time, on its own thread.
using BackgroundThread = caf::typed_actor<
    // Calls the work; the reply reports that the thread is idle again.
    caf::replies_to<BackgroundWork>::with<WorkOver>>;

/// Queues long work that clients request until a thread is idle.
using Background = caf::typed_actor<caf::reacts_to<BackgroundWork>,
                                    // No work starts from now on: the server stops.
                                    caf::reacts_to<Stop>>;

/// Keeps clients that wait for a run or a result to change.
using WaitingClients =
    caf::typed_actor<caf::reacts_to<Wait>,   // a client begins to wait
                     caf::reacts_to<News>,   // these records have changed
                     caf::reacts_to<Tick>,   // time to check for expired waits
                     caf::reacts_to<Stop>>;  // the server stops: no client may wait from now on

/// Owns one test result: its conversation and state transitions.
using ResultHandle = caf::typed_actor<
    // Decides a client's command; the completion is called once the change is durable.
    caf::reacts_to<ResultRequest>,
    // Receives the verdict of a scoring attempt.
    caf::reacts_to<Scored>,
    // The result has a slot: drives its conversation until it ends (D43).
    caf::reacts_to<Drive>,
    // Receives the answer of an agent or model.
    caf::reacts_to<CallEnded>,
    // Checks what to do next.
    caf::reacts_to<Continue>,
    // Checks again for a question that had no room or was canceled.
    caf::reacts_to<RetryQuestion>,
    // Fails if the result was never started (D72).
    caf::reacts_to<StartTimedOut>,
    // Drops the state in memory, because another writer changed the result.
    caf::reacts_to<Reload>,
    // Saves what a refused commit left unsaved.
    caf::reacts_to<RetryCommit>,
    // Offers to leave memory when it has nothing to do.
    caf::reacts_to<OfferPassivation>,
    // Leaves memory.
    caf::reacts_to<Stop>>;

/// Owns one run: its status, and the creation of its results.
using RunHandle = caf::typed_actor<
    // Decides a client's command on the run.
    caf::reacts_to<RunRequest>,
    // Checks whether the run has started or is complete.
    caf::reacts_to<ResultsMoved>,
    // Answers the cancel-run that waited for its calls to be canceled.
    caf::reacts_to<CallsCanceled>,
    // As for results.
    caf::reacts_to<Reload>, caf::reacts_to<RetryCommit>, caf::reacts_to<OfferPassivation>,
    caf::reacts_to<Stop>>;

/// Finds, loads and releases the actors of runs and results; no other part starts or ends them.
using Directory = caf::typed_actor<caf::reacts_to<ToResult>,          // a command for a result
                                   caf::reacts_to<ToRun>,             // a command for a run
                                   caf::reacts_to<ScoredResult>,      // a verdict for a result
                                   caf::reacts_to<DriveResult>,       // a slot for a result
                                   caf::reacts_to<FailStart>,         // a result that will never be started
                                   caf::reacts_to<ResultsChanged>,    // changed results of a run
                                   caf::reacts_to<ReloadResults>,     // results that another writer changed
                                   caf::reacts_to<PassivationOffer>,  // an actor offers to leave
                                   caf::reacts_to<ActorFailed>,  // an actor ends because something was thrown
                                   caf::reacts_to<Tick>,         // time to search for idle actors
                                   caf::reacts_to<Stop>>;        // the server stops: release all actors

/// Assigns the slots in which server-driven conversations run.
using Dispatcher = caf::typed_actor<caf::reacts_to<DriveThese>,  // results that need a slot
                                    caf::reacts_to<Released>,    // slots that were released
                                    caf::reacts_to<Withdrawn>,   // slots no longer wanted
                                    caf::reacts_to<Introduce>>;  // the directory, sent once at the start

/// Starts the workflows of GITHUB agents and waits for them to start their results (D72).
using Workflow = caf::typed_actor<caf::reacts_to<StartWorkflow>,     // results that wait for a workflow
                                  caf::reacts_to<WorkflowMarked>,    // a result has saved its mark
                                  caf::reacts_to<WorkflowReturned>,  // GitHub's answer
                                  caf::reacts_to<Tick>,        // time to check for results that never started
                                  caf::reacts_to<Introduce>>;  // the directory, sent once at the start

/// Decides changes of simple records and previews on snapshots, guarded by revisions.
using Records = caf::typed_actor<caf::reacts_to<RecordsRequest>, caf::reacts_to<PreviewRequest>>;

/// Starts the runs of schedules.
using Schedule = caf::typed_actor<caf::reacts_to<Tick>,              // time to check which schedules are due
                                  caf::reacts_to<ScheduleStarted>>;  // a run was created

/// Deletes expired idempotency records.
using Expiry = caf::typed_actor<caf::reacts_to<Tick>,             // time to check
                                caf::reacts_to<ExpiryStepDone>>;  // a step is done
/// Deletes records older than the operator's retention (D25).
using Retention = caf::typed_actor<caf::reacts_to<Tick>,      // time to check again
                                   caf::reacts_to<Removed>>;  // a deletion is durable, or refused

/// Reports events to webhooks.
using Webhooks = caf::typed_actor<caf::reacts_to<DeliverFrom>,  // the records actor, sent once at the start
                                  caf::reacts_to<Flush>,        // there are new notices
                                  caf::reacts_to<NoticesExpanded>,   // the notices became deliveries
                                  caf::reacts_to<DeliveryReturned>,  // a receiver's answer
                                  caf::reacts_to<DeliveriesSaved>,   // attempts are durable
                                  caf::reacts_to<Tick>>;             // time to check what is due

/// Scores claimed results, one at a time, on a separate thread; part of a ScoringPool.
using Scoring =
    caf::typed_actor<caf::reacts_to<ScoreJob>,       // score a claimed result
                     caf::reacts_to<AttemptRaised>,  // a claim has its next attempt
                     caf::reacts_to<RetryCommit>,    // continue with work that a crash left unscored
                     caf::reacts_to<JudgeReturned>,  // a judge model's answer
                     caf::reacts_to<PauseScoring>,   // hold jobs, or continue (D95)
                     caf::reacts_to<Introduce>>;     // the directory, sent once at the start

/// The scoring actors. A result always goes to the same one, so that two actors never work on it.
class ScoringPool {
 public:
  ScoringPool() = default;
  explicit ScoringPool(std::vector<Scoring> all) : all_(std::move(all)) {}
  [[nodiscard]] const Scoring& of(const Id& result) const {
    return all_.at(place_of(std::hash<Id>{}(result)) % all_.size());
  }
  [[nodiscard]] const std::vector<Scoring>& all() const { return all_; }
  void release() { all_.clear(); }

 private:
  /// The lowest bits of a hash may be the same for all ids.
  static std::size_t place_of(std::uint64_t hash) {
    return static_cast<std::size_t>(((hash ^ (hash >> 32U)) * 0x9e3779b97f4a7c15ULL) >> 32U);
  }

  std::vector<Scoring> all_;
};

/// Checks the claims of runs, one run at a time, on its own thread.
using ClaimChecks =
    caf::typed_actor<caf::reacts_to<CheckRunClaims>,  // a run whose claim check starts or continues
                     caf::reacts_to<DetectionMoved>,  // the run reports its progress
                     caf::reacts_to<ProseReturned>,   // a judge model's answer
                     caf::reacts_to<ClaimsSaved>,     // one result has its claims
                     caf::reacts_to<Continue>,        // checks the next results
                     caf::reacts_to<Introduce>>;      // the directory, sent once at the start

/// Counters of the directory that other threads may read.
struct DirectoryFigures {
  std::atomic<std::uint64_t> live{0};
  std::atomic<std::uint64_t> late_dropped{0};  ///< counted by the results' actors (F24)
};

/// The peers of an actor.
struct Peers {
  Writer writer;
  Directory directory;
  ScoringPool scoring;
  Dispatcher dispatcher;
  ClaimChecks tracing;
  DirectoryFigures* figures = nullptr;
};

}  // namespace parley::actors
