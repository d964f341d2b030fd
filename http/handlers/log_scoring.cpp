// POST /external-conversation-logs/{id}/score: evaluates assertions on a recorded conversation. Stores
// nothing and calls no model.

#include "actors/run/case_generation.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/handlers/handlers.hpp"
#include "model/records/external_log.hpp"
#include "scoring/grounding/claims.hpp"
#include "scoring/kinds.hpp"
#include "scoring/prompts/criteria_question.hpp"
#include "scoring/verdict.hpp"

namespace parley::http {
namespace {

constexpr std::string_view no_judge = "Scoring a log does not call the judge.";

/// The given assertions, else those of the test.
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

/// Problem: draining, if the server stops meanwhile.
Expected<Reply> scored_reply(const ExternalLog& log, std::span<const Assertion> assertions,
                             const scoring::StopFlag& is_stopping) {
  const std::vector<Entry> entries = entries_of(log);
  const scoring::Subject subject{entries, std::nullopt};
  scoring::CheckedConfigs configs;
  auto judged = scoring::judge(subject, assertions, configs, is_stopping);
  if (!judged) return problem(ProblemKind::draining, "the server is stopping");
  std::vector<AssertionResult>& results = *judged;
  for (AssertionResult& row : results) {
    if (scoring::asks_model(row)) row.reason = no_judge;
  }
  const scoring::Score score = scoring::score_of(results);
  json::Writer out;
  out.begin_object();
  out.key("score").integer(score.score);
  out.key("overallPassed").boolean(score.overall_passed);
  out.key("decided").boolean(score.decided);
  out.key("assertionResults").raw(shown_results(results).text);
  out.key("claims").raw(scoring::shown_claims(scoring::trace_claims(subject)).text);
  out.end_object();
  return json_reply(std::move(out).text());
}

}  // namespace

void score_log(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr&,
               ReplyTo reply, ExternalLog log, In<ScoreLogBody> in) {
  auto assertions = asked(context, snapshot, std::move(in));
  if (!assertions) return reply(std::move(assertions).problem());
  // A log may have 10,000 messages; the other clients of this thread must not wait for them.
  context.gateway.in_background(
      [&context, reply, log = std::move(log), assertions = std::move(*assertions)](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        auto scored = scored_reply(log, assertions, context.gateway.is_stopping());
        if (!scored) return reply(std::move(scored).problem());
        reply(std::move(scored).value());
      });
}

}  // namespace parley::http
