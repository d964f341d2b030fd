// Scores claims without a verdict again (I7): after a start, if the result's actor was lost, or if an attempt
// failed. The result's actor first raises the attempt durably, so that a late verdict of the previous attempt
// can be recognized (I20). It counts a failed attempt in the same commit, and sets the result aside after the
// third, so that its run ends (I10, D51a). Process ends during work on a result are counted elsewhere
// (crash_counting.cpp). A claim that merely waited for its turn or for a judge, or that a shutdown cut off,
// is never counted.

#include <spdlog/spdlog.h>

#include "actors/base/commit_outcome.hpp"
#include "actors/base/never_lost.hpp"
#include "actors/verdicts/scoring_actor.hpp"

namespace parley::actors {
namespace {

/// The most claims that wait for their next attempt at a time; each keeps its result's actor in memory.
constexpr std::size_t raising_max = 64;

/// The pause between a failed attempt and the next one: if memory was short, it may be available again.
constexpr std::chrono::seconds failed_again_after{5};

AttemptRaised answer_of(const ScoreJob& job, const Expected<ResultReply>& reply) {
  if (!reply) return {job, reply.problem()};
  const ResultHead& head = reply->head;
  return {job, std::nullopt, head.attempt, head.status == ResultStatus::failed,
          head.crashes ? head.crashes->count : 0};
}

}  // namespace

void ScoringActor::failed(const ScoreJob& job) {
  if (*services_.is_stopping) return;  // cut off: the claim stays for the next start
  try_again({job.result, job.attempt, true, true});
}

void ScoringActor::try_again(const ScoreJob& job) {
  again_.push_back(job);
  send(this, RetryCommit{});
}

void ScoringActor::raise_attempts() {
  while (!is_paused_ && !again_.empty() && raising_ < raising_max) {
    const ScoreJob job = again_.front();
    again_.pop_front();
    ++raising_;
    const auto on_done = [me = Scoring{this}, job](const Expected<ResultReply>& reply) {
      caf::anon_send(me, answer_of(job, reply));
    };
    send(directory_, ToResult{job.result, ResultRequest{RaiseAttempt{job.attempt, job.has_failed},
                                                        never_lost<ResultReply>(on_done)}});
  }
}

void ScoringActor::raised(const AttemptRaised& answer) {
  --raising_;
  const ScoreJob& job = answer.job;
  if (answer.problem) return not_raised(job, *answer.problem);
  const bool is_raised = answer.attempt == job.attempt + 1;
  // If neither holds, another request was first, or the result no longer waits for a verdict.
  if (job.has_failed && (is_raised || answer.is_set_aside))
    spdlog::warn("scoring failed result={} times={}", to_text(job.result), answer.times);
  const ScoreJob next{job.result, answer.attempt};
  if (is_raised && job.has_failed) delayed_send(this, failed_again_after, next);
  if (is_raised && !job.has_failed) take(next);
  raise_attempts();
}

void ScoringActor::not_raised(const ScoreJob& job, const Problem& problem) {
  if (*services_.is_stopping || problem.kind == ProblemKind::draining)
    return;  // the claim stays for the next start
  if (problem.kind == ProblemKind::internal || problem.kind == ProblemKind::not_found) {
    spdlog::error("result unreadable result={} detail=\"{}\"", to_text(job.result), problem.detail);
    return raise_attempts();  // the claim stays, as if scoring could not read the result
  }
  again_.push_front(job);
  if (raising_ > 0) return;  // the last of the requests that were refused together retries for all
  spdlog::warn("scoring waits for the store detail=\"{}\"", problem.detail);
  delayed_send(this, retry_commit_after, RetryCommit{});
}

}  // namespace parley::actors
