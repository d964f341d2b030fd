#pragma once
/// The messages between the actors, declared to CAF in this one place. All stay inside the process, so they
/// need no serialization. Each is copy-constructible, and is moved wherever it has one owner.

#include <caf/all.hpp>

#include "actors/events.hpp"
#include "actors/gateway.hpp"
#include "outbound/outgoing_call.hpp"
#include "store/committer.hpp"
#include "store/side/deliveries.hpp"

namespace parley::actors {

/// To the writer: one change set. Answered when it is durable or refused.
struct Commit {
  store::ChangeSet changes;
};
/// The writer to itself: all commits before this message in the mailbox form the batch.
struct Flush {};

struct ResultRequest {
  ResultCommand command;
  Completion<ResultReply> done;
  Origin origin = {};
};
struct RunRequest {
  RunCommand command;
  Completion<RunReply> done;
  Origin origin = {};
};
struct RecordsRequest {
  Decide decide;
  Completion<Done> done;
};
struct PreviewRequest {
  CreateResult command;
  Completion<ResultReply> done;
  Origin origin = {};
};

/// To the directory: a command for the actor of this id, which is loaded if it is not in memory.
struct ToResult {
  Id id;
  ResultRequest request;
};
struct ToRun {
  Id id;
  RunRequest request;
};
struct ScoredResult {
  Id id;
  Scored event;
};
/// Results of the run started or ended; the run checks its counters.
struct ResultsChanged {
  Id run;
  bool has_started = false;
};
/// Another writer's commit changed these results; those in memory reload.
struct ReloadResults {
  std::vector<Id> results;
};
/// To an actor: its state in memory is outdated.
struct Reload {};
/// An actor to itself: the store refused a commit a moment ago, and an event still waits to be saved.
struct RetryCommit {};
inline constexpr std::chrono::seconds retry_commit_after{1};

/// To the background actor, and from it to a thread: `work` is called there once.
struct BackgroundWork {
  Completion<Done> work;
  Id owner = {};          ///< owners take turns
  std::size_t bytes = 0;  ///< held while the work waits
};
/// From a thread to the background actor: the work was called.
struct WorkOver {};

/// Passivation in three steps: the directory asks; an idle actor offers to leave, with the number of messages
/// it has seen; the directory releases it if it has sent no more than that.
struct OfferPassivation {};
struct PassivationOffer {
  Id id;
  std::uint64_t seen = 0;
};
struct Stop {};
/// To the directory: the sending actor ends because it threw. The next message for its record starts a new
/// one.
struct ActorFailed {
  Id id;
};
/// To the schedule actor: the run of this schedule was created or refused; if that is unknown, it must be
/// created again.
struct ScheduleStarted {
  Id schedule;
  bool is_known = true;
};
struct Tick {};
/// To the retention actor: whether the record could be deleted.
struct Removed {
  bool is_gone = true;
};

/// To the dispatcher: results that the service drives, new or found unfinished. All belong to one run, or to
/// no run.
struct DriveThese {
  std::optional<Id> run;
  std::vector<Id> results;
  bool by_workflow = false;  ///< results of a GITHUB agent: a workflow drives them, not the service (D72)
};
/// To the dispatcher: these conversations have ended or will never start.
struct Released {
  std::vector<Id> results;
};
/// To a run actor: from now on no call of its run begins that was owed before the results were canceled.
struct CallsCanceled {};
/// To the dispatcher: these results were canceled; those that wait for a slot no longer need one.
struct Withdrawn {
  std::vector<Id> results;
};
/// To the workflow actor: results of a GITHUB agent to start or, after a restart, to wait for. All belong to
/// one run, or to no run.
struct StartWorkflow {
  std::optional<Id> run;
  std::vector<Id> results;
};
/// To the workflow actor: the outcome of the dispatch with this number.
struct WorkflowReturned {
  std::uint64_t number = 0;
  outbound::HttpOutcome outcome;
};
/// To the directory, which passes it to the result: nothing will start the result.
struct FailStart {
  Id result;
  StartTimedOut why;
};
/// To the directory, which passes it to the result: the result has a slot, so its conversation continues.
struct DriveResult {
  Id result;
};
struct Drive {};
/// A result actor to itself: a change is durable or an answer arrived; it checks what to do next.
struct Continue {};
/// A result actor to itself: the pause before its next question has ended.
struct RetryQuestion {};
/// To a result actor: its call to an agent or model with the number `call` has ended.
struct CallEnded {
  std::uint64_t call = 0;
  outbound::HttpOutcome outcome;
};

/// To the scoring actor. The verdict goes to the directory, which is set when the actors are started.
struct ScoreJob {
  Id result;
  std::int64_t attempt = 0;
  /// The process or the result's actor ended between claim and verdict. The attempt is raised durably before
  /// the result is scored again (I7, I20).
  bool is_recovered = false;
  /// An attempt within this process failed: the attempt is raised as well, and the failure is counted with it
  /// (I10).
  bool has_failed = false;
};
/// To the scoring actor: a judge model answered, or failed to answer, for one assertion of the judging with
/// this number.
struct JudgeReturned {
  std::uint64_t number = 0;
  std::size_t assertion = 0;
  outbound::HttpOutcome outcome;
  std::size_t bytes = 0;     ///< size of the question; 0 if no model was asked
  std::string kept_as = {};  ///< the key under which the answer is cached; empty: not cached
  bool is_repeated = false;  ///< the answer came from the cache
};
/// To the claim checker: check the claims of this run's results, for this detection.
struct CheckRunClaims {
  Id run;
  std::int64_t detection = 0;
};
/// To the claim checker: the run has accepted or refused its new detection status.
struct DetectionMoved {
  enum class Kind : std::uint8_t { taken, dropped, refused };
  std::uint64_t number = 0;  ///< number of the message that this answers
  Kind kind = Kind::taken;   ///< dropped: another detection started, or the run was deleted
};
/// To the claim checker: the judge answered, or failed to answer, for the claims of the result with this
/// number.
struct ProseReturned {
  std::uint64_t number = 0;
  outbound::HttpOutcome outcome;
};
/// To the claim checker: the outcome of saving one result's claims.
struct ClaimsSaved {
  bool is_lost = false;  ///< the claims could not be saved, and the result still exists
};
/// To the waiting clients: a commit changed these runs and results.
struct News {
  std::vector<Id> moved;
};
/// To the expiry actor: its step is durable or was refused.
struct ExpiryStepDone {
  enum class Step : std::uint8_t { keys, texts } step = Step::keys;
  bool has_more = false;
};
/// To the scoring actor, as the first message: where verdicts are sent.
struct Introduce {
  caf::strong_actor_ptr directory;
};
/// To the scoring actor: the result's actor has saved the next attempt of the job's claim, or could not.
struct AttemptRaised {
  ScoreJob job;
  std::optional<Problem> problem = std::nullopt;
  std::int64_t attempt = 0;  ///< the result's current attempt
  bool is_set_aside = false;
  std::int64_t times = 0;  ///< failed attempts counted so far
};
/// To the workflow actor: the result's actor has saved or removed the mark of its workflow, or could not.
struct WorkflowMarked {
  std::uint64_t batch = 0;
  Id result;
  std::optional<Problem> problem = std::nullopt;
};
/// To the webhook actor after recovery: the actor that commits its changes.
struct DeliverFrom {
  caf::strong_actor_ptr records;
};
/// To the webhook actor: a batch of notices became deliveries, or was refused.
struct NoticesExpanded {
  std::vector<store::DeliveryKey> made;
  bool has_more = false;
  bool is_refused = false;
};
/// To the webhook actor: the outcome of an attempt.
struct DeliveryReturned {
  store::DeliveryKey key;
  outbound::HttpOutcome outcome;
};
/// To the webhook actor: the attempts that it passed on are saved or were refused.
struct DeliveriesSaved {
  bool is_refused = false;
};
struct PauseScoring {
  bool paused = false;
};

}  // namespace parley::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Commit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Flush)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::BackgroundWork)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WorkOver)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ResultRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::RunRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::RecordsRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::PreviewRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ToResult)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ToRun)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ScoredResult)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ResultsChanged)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ReloadResults)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Reload)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::RetryCommit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::OfferPassivation)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::PassivationOffer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Stop)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ActorFailed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ScheduleStarted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Tick)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Wait)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::News)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ExpiryStepDone)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Removed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ScoreJob)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::PauseScoring)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::AttemptRaised)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WorkflowMarked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::JudgeReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::CheckRunClaims)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DetectionMoved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ProseReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ClaimsSaved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Introduce)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DeliverFrom)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::NoticesExpanded)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DeliveryReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DeliveriesSaved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DriveThese)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Released)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::DriveResult)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Withdrawn)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::StartWorkflow)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WorkflowReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::FailStart)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Drive)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Continue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::RetryQuestion)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::CallEnded)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Scored)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::StartTimedOut)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ResultsMoved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::store::Outcome)
