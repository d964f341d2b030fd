// Scoring again what a crash left unscored (I7, I10): the attempt is raised and durable before each try, and for those
// alone that are tried next, so that a claim that merely waited is never taken for one that ended the server.

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/outcome.hpp"
#include "actors/recovery.hpp"
#include "actors/scoring_actor.hpp"

namespace parley::actors {
namespace {

/// Claims that are tried together the first time. Whoever was tried before is tried alone: it is a suspect.
constexpr std::size_t first_tries_max = 64;

}  // namespace

void ScoringActor::try_again(const ScoreJob& job) {
  const auto tried_more = [&](const ScoreJob& other) { return other.attempt > job.attempt; };
  crashed_.insert(std::find_if(crashed_.begin(), crashed_.end(), tried_more), job);
  send(this, TryAgain{});
}

void ScoringActor::raise_attempts() {
  if (is_raising_ || is_paused_ || crashed_.empty()) return;
  const std::size_t most = crashed_.front().attempt == 0 ? first_tries_max : 1;
  const store::Snapshot snapshot = world_.store.snapshot();
  store::ChangeSet changes;
  std::vector<ScoreJob> jobs;
  while (!crashed_.empty() && jobs.size() < most &&
         (jobs.empty() || crashed_.front().attempt == jobs[0].attempt)) {
    const ScoreJob job = crashed_.front();
    crashed_.pop_front();
    const auto head =
        guarded<std::optional<ResultHead>>([&] { return snapshot.find<ResultHead>(job.result); });
    if (!head) {  // the claim stays, as where scoring cannot read it
      spdlog::error("result unreadable result={} detail=\"{}\"", to_text(job.result), head.problem().detail);
    }
    if (!head || !*head || !waits_for(**head, job)) continue;
    const std::int64_t process = world_.marks == nullptr ? 0 : world_.marks->process();
    changes.replace(**head, after_crash(**head, world_.clock.now(), process));
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
    crashed_.insert(crashed_.begin(), jobs.begin(), jobs.end());
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
