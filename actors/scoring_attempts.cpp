// Scoring once more what has a claim and no verdict (I7): after a start, or where the result's actor was lost. The attempt is
// raised durably before, so that a late verdict of the one before is told from the new one (I20). How often the process ended
// within the work on a result is counted elsewhere (counted_crashes.cpp): a claim that merely waited, for its turn or for a
// judge, is never taken for one that ended the server.

#include <spdlog/spdlog.h>

#include "actors/outcome.hpp"
#include "actors/recovery.hpp"
#include "actors/scoring_actor.hpp"

namespace parley::actors {
namespace {

/// Attempts that are raised in one commit.
constexpr std::size_t raised_max = 64;

}  // namespace

void ScoringActor::try_again(const ScoreJob& job) {
  again_.push_back(job);
  send(this, TryAgain{});
}

void ScoringActor::raise_attempts() {
  if (is_raising_ || is_paused_ || again_.empty()) return;
  const store::Snapshot snapshot = world_.store.snapshot();
  store::ChangeSet changes;
  std::vector<ScoreJob> jobs;
  while (!again_.empty() && jobs.size() < raised_max) {
    const ScoreJob job = again_.front();
    again_.pop_front();
    const auto head =
        guarded<std::optional<ResultHead>>([&] { return snapshot.find<ResultHead>(job.result); });
    if (!head) {  // the claim stays, as where scoring cannot read it
      spdlog::error("result unreadable result={} detail=\"{}\"", to_text(job.result), head.problem().detail);
    }
    if (!head || !*head || !waits_for(**head, job)) continue;
    changes.replace(**head, with_next_attempt(**head, world_.clock.now()));
    jobs.push_back(job);
  }
  if (jobs.empty()) return send(this, TryAgain{});
  is_raising_ = true;
  request(writer_, caf::infinite, Commit{std::move(changes)})
      .then([this, jobs](store::Outcome& outcome) { raised(outcome, jobs); },
            [](const caf::error&) {});  // the server stops; the claims stay
}

void ScoringActor::raised(store::Outcome& outcome, const std::vector<ScoreJob>& jobs) {
  is_raising_ = false;
  if (outcome.kind != store::Outcome::Kind::committed) {
    again_.insert(again_.begin(), jobs.begin(), jobs.end());
    if (outcome.kind == store::Outcome::Kind::conflict) return send(this, TryAgain{});
    spdlog::warn("scoring waits for the store detail=\"{}\"", outcome.problem.detail);
    return delayed_send(this, try_again_after, TryAgain{});
  }
  std::vector<Id> results;
  for (const ScoreJob& job : jobs) results.push_back(job.result);
  send(directory_, TellResults{std::move(results)});
  for (const ScoreJob& job : jobs) take({job.result, job.attempt + 1});
  send(this, TryAgain{});
}

}  // namespace parley::actors
