#include "actors/verdicts/log_judging.hpp"

#include <algorithm>

#include "actors/base/commit_outcome.hpp"
#include "actors/models/model_call.hpp"
#include "actors/result/turn_requests.hpp"
#include "actors/verdicts/judging.hpp"

namespace parley::actors {
namespace {

using RunInBackground = std::function<void(std::function<void()> work)>;

/// One log that is being judged.
struct LogInWork {
  const Services& services;
  RunInBackground background;
  std::shared_ptr<Judging> judging;
  std::shared_ptr<std::vector<std::size_t>> open;  ///< assertions to ask about, the next one last
  Completion<LogVerdict> done;
};

LogVerdict verdict_of(const Judging& judging) {
  Scored scored = judging.scored();
  return {std::move(scored.verdict.assertion_results), scored.score, scored.overall_passed,
          scored.is_decided};
}

void ask(const LogInWork& work);

void answered(const LogInWork& work, const JudgeReturned& returned) {
  const auto taken = guarded<Done>([&] {
    const auto took = work.judging->take(returned, *work.services.settings.judge_model);
    if (took == Judging::Receipt::nothing) work.open->push_back(returned.assertion);
    return Done{};
  });
  if (!taken) return work.done(taken.problem());
  ask(work);
}

void put(const LogInWork& work, std::size_t assertion, outbound::HttpRequest request) {
  work.services.outside.start(std::move(request), judge_retries,
                              [work, assertion](outbound::HttpOutcome outcome, int) {
                                const auto* failure = std::get_if<outbound::Failure>(&outcome);
                                if (failure != nullptr && failure->kind == outbound::FailureKind::canceled)
                                  return work.done(stopping());
                                work.background([work, assertion, outcome = std::move(outcome)] {
                                  answered(work, JudgeReturned{0, assertion, outcome});
                                });
                              });
}

/// Asks about the next assertion. Assertions that cannot be asked about end in error.
void ask(const LogInWork& work) {
  const outbound::ChatEndpoint& judge = *work.services.settings.judge_model;
  while (!work.open->empty()) {
    const std::size_t assertion = work.open->back();
    work.open->pop_back();
    using Question = std::variant<outbound::HttpRequest, CallFault>;
    auto question = guarded<Question>(
        [&]() -> Expected<Question> { return work.judging->question(assertion, judge, new_fence()); });
    if (!question) return work.done(std::move(question).problem());
    if (auto* request = std::get_if<outbound::HttpRequest>(&*question))
      return put(work, assertion, std::move(*request));
    work.judging->give_up(assertion, std::get<CallFault>(*question));
  }
  work.done(verdict_of(*work.judging));
}

}  // namespace

void judge_log(const Services& services, RunInBackground background, LogToJudge log,
               Completion<LogVerdict> done) {
  ScoringInput input;
  input.test_case.assertions = std::move(log.assertions);
  input.entries = std::move(log.entries);
  const LogInWork work{services, std::move(background),
                       std::make_shared<Judging>(ScoreJob{}, std::move(input), std::move(log.results)),
                       std::make_shared<std::vector<std::size_t>>(), std::move(done)};
  *work.open = work.judging->begin(*services.settings.judge_model);
  std::reverse(work.open->begin(), work.open->end());
  ask(work);
}

}  // namespace parley::actors
