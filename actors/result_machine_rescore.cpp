// A completed result is scored again: the new verdict takes the place of the old one, which is kept behind it.

#include "actors/result_machine.hpp"
#include "actors/result_moves.hpp"
#include "model/json_writer.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

json::Text replaced_json(const ResultHead& head, const ResultVerdict& verdict, Time now) {
  json::Writer out;
  out.begin_object();
  out.key("version").integer(head.rescored + 1);
  out.member("replacedAt", to_text(now));
  out.key("score").integer(head.score);
  out.key("overallPassed").boolean(head.overall_passed);
  out.key("assertionResults").raw(verdict.assertion_results.text);
  out.end_object();
  return {std::move(out).text()};
}

}  // namespace

ResultDecision on(ResultState& state, const Rescore& command, const ResultVerdict& stored,
                  const Moment& moment) {
  ResultHead& head = state.head;
  if (head.status != ResultStatus::completed) {
    return moves::refuse(problem(
        ProblemKind::conflict,
        "only a completed result can be scored again; this one is " + std::string(word_of(head.status))));
  }
  if (head.rescored != command.rescored) {
    return moves::refuse(
        problem(ProblemKind::conflict, "the result was scored again meanwhile; look at it first"));
  }
  ResultDecision decision;
  if (command.assertion_results != stored.assertion_results) {
    ResultVerdict verdict{command.assertion_results, stored.replaced};
    verdict.replaced.insert(verdict.replaced.begin(), replaced_json(head, stored, moment.now));
    if (verdict.replaced.size() > limits::verdicts_kept_max)
      verdict.replaced.resize(limits::verdicts_kept_max);
    decision.verdict = std::move(verdict);
    head.score = command.score;
    head.overall_passed = command.overall_passed;
    head.is_decided = command.is_decided;
    ++head.rescored;
    decision.saves_head = true;
    moves::touch(state, moment.now);
  }
  decision.reply = moves::view(state);
  return decision;
}

}  // namespace parley::actors
