// POST /external-conversation-logs/{id}/score (D107): evaluates assertions on a recorded conversation. The judge is
// asked, and the verdict is stored, only on request.

#include <algorithm>

#include "actors/run/case_generation.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "model/description/stored_text.hpp"
#include "model/records/external_log.hpp"
#include "scoring/grounding/claims.hpp"
#include "scoring/kinds.hpp"
#include "scoring/prompts/criteria_question.hpp"
#include "scoring/verdict.hpp"

namespace parley::http {
namespace {

constexpr std::string_view not_asked = "The judge was not asked: send judge: true.";

/// One request in progress.
struct LogScoring {
  const Context& context;
  RequestContextPtr call;
  ReplyTo reply;
  ExternalLog log;
  std::vector<Assertion> assertions;
  bool uses_judge = false;
  bool is_saved = false;
};
using LogScoringPtr = std::shared_ptr<LogScoring>;

/// The given assertions, or else the assertions of the test.
Expected<std::vector<Assertion>> assertions_of(const store::Snapshot& snapshot, ScoreLogBody body) {
  if (!body.assertions.empty() || !body.test) return std::move(body.assertions);
  TRY(test, snapshot.find_listed<Test>(body.test->id));
  if (!test) return std::vector<Assertion>{};
  TRY(made, actors::generate_case(snapshot, *test));
  if (!made) return body_fault("/test", std::string(actors::too_much_put_in));
  return std::move(made->assertions);
}

Expected<std::vector<Assertion>> asked(const Context& context, const store::Snapshot& snapshot,
                                       In<ScoreLogBody> in) {
  check_links(snapshot, in.findings);
  scoring::check_assertions(in.body.assertions, "/assertions", in.findings);
  TRY_DONE(in.check());
  TRY(assertions, assertions_of(snapshot, std::move(in.body)));
  RandomIds ids;
  scoring::complete(assertions, context.clock.now(), ids);
  return assertions;
}

Reply score_reply(const actors::LogVerdict& verdict, std::span<const Entry> entries) {
  const scoring::Subject subject{entries, std::nullopt};
  json::Writer out;
  out.begin_object();
  out.key("score").integer(verdict.score);
  out.key("overallPassed").boolean(verdict.overall_passed);
  out.key("decided").boolean(verdict.is_decided);
  out.key("assertionResults").raw(verdict.assertion_results.text);
  out.key("claims").raw(scoring::shown_claims(scoring::trace_claims(subject)).text);
  out.end_object();
  return json_reply(std::move(out).text());
}

actors::LogVerdict verdict_of(std::span<const AssertionResult> results) {
  const scoring::Score score = scoring::score_of(results);
  return {shown_results(results), score.score, score.overall_passed, score.decided};
}

/// The log with the verdict. Problem: conflict if its conversation has changed.
Expected<store::ChangeSet> saved(const LogScoring& work, const actors::LogVerdict& verdict,
                                 const store::Snapshot& snapshot, Time now) {
  TRY(before, record_at<ExternalLog>(snapshot, work.call->id_text()));
  if (before.conversation.text != work.log.conversation.text)
    return problem(ProblemKind::conflict, "the conversation changed while it was scored; score it again");
  ExternalLog after = before;
  after.assertion_results = verdict.assertion_results;
  after.score = verdict.score;
  after.overall_passed = verdict.overall_passed;
  after.decided = verdict.is_decided;
  store::ChangeSet changes;
  if (write_stored(after) == write_stored(before)) return changes;
  after.stamp.updated_at = std::max(now, Time{before.stamp.updated_at.ms + 1});
  changes.replace(before, after);
  return changes;
}

void answer(const LogScoringPtr& work, const actors::LogVerdict& verdict) {
  const auto render = [work, verdict]() -> Expected<Reply> {
    return score_reply(verdict, entries_of(work->log));
  };
  if (!work->is_saved) return work->reply(render());
  const auto decide = [work, verdict](const store::Snapshot& snapshot, Time now, IdSource&) {
    return saved(*work, verdict, snapshot, now);
  };
  work->context.gateway.change_records(signed_by(work->call, decide), [work, render](Expected<Done> done) {
    if (!done.ok()) return work->reply(std::move(done).problem());
    work->reply.later(render);
  });
}

void ask_judge(const LogScoringPtr& work, actors::LogToJudge log) {
  work->context.gateway.judge_log(std::move(log), [work](Expected<actors::LogVerdict> verdict) {
    if (!verdict.ok()) return work->reply(std::move(verdict).problem());
    answer(work, *verdict);
  });
}

void score(const LogScoringPtr& work) {
  std::vector<Entry> entries = entries_of(work->log);
  scoring::CheckedConfigs configs;
  auto judged =
      scoring::judge({entries, std::nullopt}, work->assertions, configs, work->context.gateway.is_stopping());
  if (!judged) return work->reply(problem(ProblemKind::draining, "the server is stopping"));
  std::vector<AssertionResult>& results = *judged;
  const bool is_open = std::any_of(results.begin(), results.end(), scoring::needs_model);
  if (is_open && work->uses_judge && work->context.options.has_judge_model)
    return ask_judge(work, {std::move(entries), work->assertions, std::move(results)});
  if (!work->uses_judge) {
    for (AssertionResult& row : results) {
      if (scoring::needs_model(row)) row.reason = not_asked;
    }
  }
  answer(work, verdict_of(results));
}

}  // namespace

void score_log(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
               ReplyTo reply, ExternalLog log, In<ScoreLogBody> in) {
  const bool uses_judge = in.body.judge;
  const bool is_saved = in.body.save;
  auto assertions = asked(context, snapshot, std::move(in));
  if (!assertions) return reply(std::move(assertions).problem());
  const auto work = std::make_shared<LogScoring>(
      LogScoring{context, call, reply, std::move(log), std::move(*assertions), uses_judge, is_saved});
  // A log may have 10,000 messages; other clients of this thread must not wait for them.
  context.gateway.in_background([work](Expected<Done> turn) {
    if (!turn.ok()) return work->reply(std::move(turn).problem());
    work->reply.guarded([&] { score(work); });
  });
}

}  // namespace parley::http
