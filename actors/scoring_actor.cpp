#include "actors/scoring_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/outcome.hpp"
#include "scoring/judge.hpp"
#include "scoring/statistics.hpp"

namespace parley::actors {

Result<ScoringInput> load_scoring(const store::Snapshot& snapshot, const Id& result) {
  ScoringInput input;
  TRY(head, snapshot.find<ResultHead>(result));
  if (!head) return unknown_record("test result", to_text(result));
  input.end_reason = head->end_reason;
  TRY(generated, snapshot.find<ResultCase>(result));
  if (generated) input.generated = std::move(*generated);
  std::optional<Problem> unreadable;
  TRY(walked, snapshot.for_each_entry(result, [&](std::uint32_t, const store::StoredEntry& stored) {
    const auto document = json::parse(stored.json);
    if (!document) {
      unreadable = document.problem();
      return false;
    }
    input.entries.push_back(entry_from_json(document->root()));
    return true;
  }));
  static_cast<void>(walked);
  if (unreadable) return *unreadable;
  return input;
}

Scored judge_result(const ScoringInput& input, std::int64_t attempt) {
  Scored scored;
  scored.attempt = attempt;
  const std::vector<AssertionResult> results =
      scoring::judge({input.entries, input.end_reason}, input.generated.assertions);
  scored.verdict.assertion_results = shown_results(results);
  const scoring::Score score = scoring::score_of(results);
  scored.score = score.score;
  scored.overall_passed = score.overall_passed;
  scored.is_decided = score.decided;
  scored.sums = scoring::sums_of(input.entries);
  return scored;
}

ScoringActor::ScoringActor(caf::actor_config& config, World& world, ScoringFigures& figures)
    : Scoring::base(config), world_(world), figures_(figures), is_paused_(world.settings.scoring_paused) {}

ScoringActor::behavior_type ScoringActor::make_behavior() {
  return {
      [this](ScoreJob job) { take(job); },
      [this](PauseScoring pause) {
        is_paused_ = pause.paused;
        const std::deque<ScoreJob> held = std::exchange(held_, {});
        for (const ScoreJob& job : held) take(job);
        figures_.held = held_.size();
      },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void ScoringActor::on_exit() {
  directory_ = nullptr;
}

void ScoringActor::take(const ScoreJob& job) {
  if (is_paused_) {
    held_.push_back(job);
    figures_.held = held_.size();
    return;
  }
  judge(job);
}

void ScoringActor::judge(const ScoreJob& job) {
  const Result<ScoringInput> input =
      guarded<ScoringInput>([&] { return load_scoring(world_.store.snapshot(), job.result); });
  if (!input) {
    // The claim stays; the next start tries once more and sets the result aside after the third time (I10).
    spdlog::error("scoring could not read result={} detail=\"{}\"", to_text(job.result),
                  input.problem().detail);
    return;
  }
  Result<Scored> verdict = guarded<Scored>([&] { return judge_result(*input, job.attempt); });
  if (!verdict) return;  // logged; the claim stays, as above
  ++figures_.judged;
  send(directory_, ScoredResult{job.result, std::move(verdict).value()});
}

}  // namespace parley::actors
