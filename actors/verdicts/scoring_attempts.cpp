// Scores claims again that have no verdict (I7): after a start, if the result's actor was lost, or if a try
// failed. The attempt is raised durably first, so that a late verdict of the previous one can be recognised
// (I20). A failed try is counted in the same commit, and the result is set aside after the third, so that its
// run ends (I10, D51a). Ends of the process during work on a result are counted elsewhere
// (crash_counting.cpp). A claim that merely waited for its turn or for a judge, or that a shutdown cut off,
// is never counted.

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/commit_outcome.hpp"
#include "actors/lifecycle/recovery.hpp"
#include "actors/verdicts/scoring_actor.hpp"

namespace parley::actors {
namespace {

/// Attempts that are raised in one commit.
constexpr std::size_t raised_max = 64;

/// Between a try that failed and the next one: memory that was short may be there again.
constexpr std::chrono::seconds failed_again_after{5};

/// The head that is to be saved before the job is tried, or in place of that.
ResultHead next_of(const store::Snapshot& snapshot, const ResultHead& head, const ScoreJob& job, Time now) {
  if (!job.has_failed) return with_next_attempt(head, now);
  const ResultProgress progress = progress_of(snapshot, head);
  return after_failed_try(head, progress.entries, std::max(now, Time{progress.newest_change.ms + 1}));
}

/// A try of the result failed, and its actor asked for it again besides: both are jobs of one attempt, which is raised once. The
/// set would replace one head twice, and count it out of its run twice.
template <class Claims>
bool is_in(const Claims& claims, const Id& result) {
  return std::any_of(claims.begin(), claims.end(),
                     [&](const auto& claim) { return claim.job.result == result; });
}

}  // namespace

void ScoringActor::failed(const ScoreJob& job) {
  if (*world_.is_stopping) return;  // cut off: the claim stays for the next start
  try_again({job.result, job.attempt, true, true});
}

void ScoringActor::try_again(const ScoreJob& job) {
  again_.push_back(job);
  send(this, RetryCommit{});
}

void ScoringActor::raise_attempts() {
  if (is_raising_ || is_paused_ || again_.empty()) return;
  const store::Snapshot snapshot = world_.store.snapshot();
  store::ChangeSet changes;
  std::vector<Raised> claims;
  while (!again_.empty() && claims.size() < raised_max) {
    const ScoreJob job = again_.front();
    again_.pop_front();
    const auto head =
        guarded<std::optional<ResultHead>>([&] { return snapshot.find<ResultHead>(job.result); });
    if (!head) {  // the claim stays, as where scoring cannot read it
      spdlog::error("result unreadable result={} detail=\"{}\"", to_text(job.result), head.problem().detail);
    }
    if (!head || !*head || !waits_for(**head, job) || is_in(claims, job.result)) continue;
    const ResultHead next = next_of(snapshot, **head, job, world_.clock.now());
    changes.replace(**head, next);
    const auto run = next.run ? std::optional<Id>(next.run->id) : std::nullopt;
    claims.push_back({job, is_terminal(next.status), run, job.has_failed ? next.crashes->count : 0});
  }
  if (claims.empty()) return send(this, RetryCommit{});
  is_raising_ = true;
  request(writer_, caf::infinite, Commit{std::move(changes)})
      .then([this, claims](store::Outcome& outcome) { raised(outcome, claims); },
            [](const caf::error&) {});  // the server stops; the claims stay
}

void ScoringActor::raised(store::Outcome& outcome, const std::vector<Raised>& claims) {
  is_raising_ = false;
  if (outcome.kind != store::Outcome::Kind::committed) {
    for (auto claim = claims.rbegin(); claim != claims.rend(); ++claim) again_.push_front(claim->job);
    if (outcome.kind == store::Outcome::Kind::conflict) return send(this, RetryCommit{});
    spdlog::warn("scoring waits for the store detail=\"{}\"", outcome.problem.detail);
    return delayed_send(this, retry_commit_after, RetryCommit{});
  }
  std::vector<Id> results;
  for (const Raised& claim : claims) results.push_back(claim.job.result);
  send(directory_, ReloadResults{std::move(results)});
  for (const auto& [job, is_aside, run, times] : claims) {
    if (job.has_failed) spdlog::warn("scoring failed result={} times={}", to_text(job.result), times);
    const ScoreJob next{job.result, job.attempt + 1};
    if (!is_aside && job.has_failed) delayed_send(this, failed_again_after, next);
    if (!is_aside && !job.has_failed) take(next);
    if (is_aside && run) send(directory_, ResultsChanged{*run});
  }
  send(this, RetryCommit{});
}

}  // namespace parley::actors
