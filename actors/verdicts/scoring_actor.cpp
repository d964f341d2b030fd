#include "actors/verdicts/scoring_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/models/model_answer_cache.hpp"
#include "actors/models/model_call.hpp"
#include "actors/result/turn_requests.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

constexpr std::size_t fence_chars = 32;

}  // namespace

ScoringActor::ScoringActor(caf::actor_config& config, Services& services, Writer writer,
                           ScoringFigures& figures)
    : Scoring::base(config),
      services_(services),
      writer_(std::move(writer)),
      figures_(figures),
      is_paused_(services.settings.scoring_paused) {}

ScoringActor::behavior_type ScoringActor::make_behavior() {
  set_exception_handler(ends_process("scoring actor", services_));
  return {
      [this](ScoreJob job) { take(job); },
      [this](PauseScoring pause) {
        is_paused_ = pause.paused;
        const std::deque<ScoreJob> held = std::exchange(held_, {});
        figures_.held -= held.size();
        for (const ScoreJob& job : held) take(job);
        raise_attempts();
      },
      [this](RetryCommit) { raise_attempts(); },
      [this](const AttemptRaised& answer) { raised(answer); },
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
    ++figures_.held;
    return;
  }
  if (job.is_recovered) return try_again(job);
  judge(job);
}

void ScoringActor::judge(const ScoreJob& job) {
  if (*services_.is_stopping) return;  // the claim stays for the next start
  std::optional<Judging> judging = decide(job);
  if (!judging) return;
  if (services_.settings.judge_model && judging->needs_model()) return ask(std::move(*judging));
  finish(*judging);
}

std::optional<Judging> ScoringActor::decide(const ScoreJob& job) {
  const auto mark = store::mark(services_.marks, job.result);
  const std::uint64_t epoch = services_.outside.epoch();
  Expected<ScoringInput> input =
      guarded<ScoringInput>([&] { return load_scoring(services_.store.snapshot(), job.result); });
  if (!input) {
    spdlog::error("scoring could not read result={} detail=\"{}\"", to_text(job.result),
                  input.problem().detail);
    failed(job);
    return std::nullopt;
  }
  if (!waits_for(input->head, job)) return std::nullopt;
  input->epoch = epoch;
  Expected<Judging> judging = guarded<Judging>([&]() -> Expected<Judging> {
    auto results = decided(*input, *services_.is_stopping);
    if (!results) return stopping();
    return Judging(job, std::move(input).value(), std::move(*results));
  });
  if (judging) return std::move(judging).value();
  failed(job);  // logged, or the server stops
  return std::nullopt;
}

/// The bounds apply to all scoring actors together.
std::size_t ScoringActor::share_of(std::size_t bound) const {
  return std::max<std::size_t>(bound / services_.settings.scoring_threads, 1);
}

bool ScoringActor::has_room() const {
  // As many results as questions are allowed: with fewer, a slow judge would be asked in rounds.
  const bool is_full = judging_.size() >= share_of(limits::judge_questions_max) ||
                       judging_bytes_ >= share_of(limits::judged_bytes_max);
  return judging_.empty() || !is_full;
}

void ScoringActor::ask(Judging judging) {
  if (!has_room()) {
    postponed_.push_back(judging.job());
    return;
  }
  const std::uint64_t number = ++judging_number_;
  judging_bytes_ += judging.bytes();
  Judging& mine = judging_.emplace(number, std::move(judging)).first->second;
  for (const std::size_t assertion : mine.begin(*services_.settings.judge_model)) {
    questions_.push_back({number, assertion});
  }
  ask_on();
}

void ScoringActor::ask_on() {
  while (!questions_.empty() && questions_out_ < share_of(limits::judge_questions_max) &&
         question_bytes_out_ < share_of(limits::judge_question_bytes_max)) {
    const Question next = questions_.front();
    questions_.pop_front();
    const auto found = judging_.find(next.number);
    if (found == judging_.end()) continue;
    if (!still_waits(found->second)) {
      drop(found->first);
      continue;
    }
    ask(next.number, next.assertion, found->second);
    end_if_done(next.number);
  }
}

void ScoringActor::ask(std::uint64_t number, std::size_t assertion, Judging& judging) {
  const auto mark = store::mark(services_.marks, judging.job().result);
  const auto asked = guarded<Done>([&] {
    put(number, assertion, judging);
    return Done{};
  });
  if (!asked) judging.give_up(assertion, CallFault{"internal", asked.problem().detail});
}

void ScoringActor::put(std::uint64_t number, std::size_t assertion, Judging& judging) {
  const outbound::ChatEndpoint& judge = *services_.settings.judge_model;
  JudgeReturned back{number, assertion, {}};
  if (services_.settings.keeps_answers) {
    // The fence differs each time, so an answer is cached by the question with a fence of zeros.
    const auto content = judging.question(assertion, judge, std::string(fence_chars, '0'));
    if (const auto* request = std::get_if<outbound::HttpRequest>(&content)) {
      back.kept_as = kept_as(services_, judging.head(), ModelRole::judge, *request);
    }
    // The cached answer may be the void one: a repeated question always bypasses the cache.
    auto kept = judging.is_first(assertion) ? find_kept(services_, back.kept_as) : std::nullopt;
    if (kept) {
      back.outcome = std::move(*kept);
      back.is_repeated = true;
      return send(this, std::move(back));
    }
  }
  auto request = judging.question(assertion, judge, new_fence());
  if (const auto* fault = std::get_if<CallFault>(&request)) return judging.give_up(assertion, *fault);
  auto& call = std::get<outbound::HttpRequest>(request);
  back.bytes = call.body.size();
  if (judging.head().run) call.group = judging.head().run->id;
  call.epoch = judging.epoch();
  services_.outside.start(std::move(call), judge_retries,
                          [me = Scoring{this}, back](outbound::HttpOutcome outcome, int) {
                            JudgeReturned message = back;
                            message.outcome = std::move(outcome);
                            caf::anon_send(me, std::move(message));
                          });
  ++questions_out_;  // the answer returns as a message, so it cannot arrive before this
  question_bytes_out_ += back.bytes;
}

/// Whether the result still waits and was not canceled. For an unreadable one the question is sent: saving
/// its verdict will fail.
bool ScoringActor::still_waits(const Judging& judging) const {
  const auto head = guarded<std::optional<ResultHead>>(
      [&] { return services_.store.snapshot().find<ResultHead>(judging.job().result); });
  return !head || (*head && waits_for(**head, judging.job()));
}

void ScoringActor::drop(std::uint64_t number) {
  const auto found = judging_.find(number);
  judging_bytes_ -= found->second.bytes();
  judging_.erase(found);
}

void ScoringActor::returned(const JudgeReturned& message) {
  if (!message.is_repeated) {
    --questions_out_;
    question_bytes_out_ -= message.bytes;
  }
  const auto found = judging_.find(message.number);
  const auto* failure = std::get_if<outbound::Failure>(&message.outcome);
  const bool is_canceled = failure != nullptr && failure->kind == outbound::FailureKind::canceled;
  if (found != judging_.end() && is_canceled) {
    // The run was canceled and the claim removed; or the server stops, and the next start scores it.
    delayed_send(this, retry_commit_after, found->second.job());
    drop(found->first);
  } else if (found != judging_.end()) {
    const outbound::ChatEndpoint& judge = *services_.settings.judge_model;
    const Judging::Receipt took = read(found->second, message);
    if (took == Judging::Receipt::error) ++figures_.judge_errors;
    if (took == Judging::Receipt::nothing) questions_.push_front({message.number, message.assertion});
    if (took == Judging::Receipt::verdict && !message.is_repeated) {
      keep_answer(writer_, message.kept_as, message.outcome, judge);
    }
    end_if_done(message.number);
  }
  ask_on();
  resume_postponed();
}

Judging::Receipt ScoringActor::read(Judging& judging, const JudgeReturned& message) {
  const auto mark = store::mark(services_.marks, judging.job().result);
  const auto took =
      guarded<Judging::Receipt>([&] { return judging.take(message, *services_.settings.judge_model); });
  if (took && !judging.void_code().empty()) {
    spdlog::warn("answer of the judge is void result={} assertion={} code={} final={}",
                 to_text(judging.job().result), message.assertion, judging.void_code(),
                 *took == Judging::Receipt::error);
  }
  if (took) return *took;
  judging.give_up(message.assertion, CallFault{"internal", took.problem().detail});
  return Judging::Receipt::error;
}

void ScoringActor::end_if_done(std::uint64_t number) {
  const auto found = judging_.find(number);
  if (found == judging_.end() || !found->second.is_done()) return;
  finish(found->second);
  drop(number);
}

void ScoringActor::resume_postponed() {
  while (!postponed_.empty() && has_room()) {
    const ScoreJob next = postponed_.front();
    postponed_.pop_front();
    take(next);
  }
}

void ScoringActor::count(const Scored& scored) {
  auto& outcome = !scored.is_decided      ? figures_.undecided
                  : scored.overall_passed ? figures_.passed
                                          : figures_.failed;
  ++outcome;
  if (!scored.judge_use) return;
  const ModelUse& use = *scored.judge_use;
  figures_.judge_calls += static_cast<std::uint64_t>(use.calls);
  figures_.judge_input_tokens += static_cast<std::uint64_t>(use.input_tokens.value_or(0));
  figures_.judge_output_tokens += static_cast<std::uint64_t>(use.output_tokens.value_or(0));
}

void ScoringActor::finish(const Judging& judging) {
  const auto mark = store::mark(services_.marks, judging.job().result);
  Expected<Scored> verdict = guarded<Scored>([&]() -> Expected<Scored> { return judging.scored(); });
  if (!verdict) return failed(judging.job());
  count(*verdict);
  send(directory_, ScoredResult{judging.job().result, std::move(verdict).value()});
}

}  // namespace parley::actors
