#include "actors/scoring_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/asking.hpp"
#include "actors/fence.hpp"
#include "actors/outcome.hpp"
#include "model/limits.hpp"

namespace parley::actors {

ScoringActor::ScoringActor(caf::actor_config& config, World& world, Writer writer, ScoringFigures& figures)
    : Scoring::base(config),
      world_(world),
      writer_(std::move(writer)),
      figures_(figures),
      is_paused_(world.settings.scoring_paused) {}

ScoringActor::behavior_type ScoringActor::make_behavior() {
  return {
      [this](ScoreJob job) { take(job); },
      [this](PauseScoring pause) {
        is_paused_ = pause.paused;
        const std::deque<ScoreJob> held = std::exchange(held_, {});
        for (const ScoreJob& job : held) take(job);
        figures_.held = held_.size();
        raise_attempts();
      },
      [this](TryAgain) { raise_attempts(); },
      [this](const JudgeReturned& message) { returned(message); },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void ScoringActor::on_exit() {
  directory_ = nullptr;
  writer_ = nullptr;
}

void ScoringActor::take(const ScoreJob& job) {
  if (is_paused_) {
    held_.push_back(job);
    figures_.held = held_.size();
    return;
  }
  if (job.is_recovered) return try_again(job);
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
  Result<Judging> judging =
      guarded<Judging>([&]() -> Result<Judging> { return Judging(job, std::move(input).value()); });
  if (!judging) return;  // logged; the claim stays, as above
  if (world_.settings.judge_model && judging->needs_model()) return ask(std::move(judging).value());
  finish(*judging);
}

void ScoringActor::ask(Judging judging) {
  if (judging_.size() >= limits::judged_at_once_max) {
    unasked_.push_back(judging.job());
    return;
  }
  const std::uint64_t number = ++judging_number_;
  auto& mine = judging_.emplace(number, std::move(judging)).first->second;
  for (JudgeCall& call : mine.begin(*world_.settings.judge_model, new_fence)) ask(number, std::move(call));
  if (!mine.is_done()) return;
  finish(mine);
  judging_.erase(number);
}

void ScoringActor::ask(std::uint64_t number, JudgeCall call) {
  world_.outside.start(
      std::move(call.request), model_retries,
      [me = Scoring{this}, number, assertion = call.assertion](outbound::HttpOutcome outcome, int) {
        caf::anon_send(me, JudgeReturned{number, assertion, std::move(outcome)});
      });
}

void ScoringActor::returned(const JudgeReturned& message) {
  const auto found = judging_.find(message.number);
  if (found == judging_.end()) return;
  const auto* failure = std::get_if<outbound::Failure>(&message.outcome);
  if (failure != nullptr && failure->kind == outbound::FailureKind::canceled) {
    judging_.erase(found);  // the server stops: the claim stays, and the next start scores it
    return;
  }
  if (auto again = found->second.take(message, *world_.settings.judge_model, new_fence)) {
    ask(message.number, std::move(*again));
  }
  if (!found->second.is_done()) return;
  finish(found->second);
  judging_.erase(found);
  if (unasked_.empty()) return;
  const ScoreJob next = unasked_.front();
  unasked_.pop_front();
  take(next);
}

void ScoringActor::finish(const Judging& judging) {
  Result<Scored> verdict = guarded<Scored>([&]() -> Result<Scored> { return judging.scored(); });
  if (!verdict) return;
  ++figures_.judged;
  send(directory_, ScoredResult{judging.job().result, std::move(verdict).value()});
}

}  // namespace parley::actors
