// Changes to a finished result: rescoring replaces the verdict and keeps the old one in the history; reviews
// and claim checks are added.

#include "actors/result/result_machine.hpp"
#include "actors/result/result_moves.hpp"

namespace parley::actors {
namespace {

/// Stores the review and its effect on the score: a void trial counts nowhere.
void keep_review(ResultState& state, const SaveReview& review, ResultDecision& decision) {
  decision.review = StoredReview{review.review};
  state.head.has_review = true;
  state.head.fault = review.fault;
  state.head.is_void = review.is_void ? std::optional(true) : std::nullopt;
}

}  // namespace

ResultDecision on(ResultState& state, const Rescore& command, const ResultVerdict& stored,
                  const std::optional<StoredReview>& review, const DecisionContext& moment) {
  ResultHead& head = state.head;
  if (head.status != ResultStatus::completed) {
    return moves::refuse(problem(
        ProblemKind::conflict,
        "only a completed result can be scored again; this one is " + std::string(word_of(head.status))));
  }
  if (head.rescored != command.rescored || review.has_value() != command.review.has_value()) {
    return moves::refuse(
        problem(ProblemKind::conflict,
                "the result has since been rescored or reviewed; read it again before retrying"));
  }
  ResultDecision decision;
  if (command.assertion_results != stored.assertion_results) {
    const ReplacedVerdict before{moment.now, head.score, head.overall_passed};
    decision.verdict = ResultVerdict{command.assertion_results, before, {}};
    head.score = command.score;
    head.overall_passed = command.overall_passed;
    head.is_decided = command.is_decided;
    head.fault = command.fault;
    head.has_missed = command.has_missed;
    if (command.warned) head.warned = command.warned;
    head.group = command.group;
    ++head.rescored;
    if (command.review) keep_review(state, *command.review, decision);
    decision.saves_head = true;
    moves::touch(state, moment.now);
  }
  decision.reply = moves::view(state);
  return decision;
}

ResultDecision on(ResultState& state, const SaveReview& command, const std::optional<StoredReview>& stored,
                  const DecisionContext& moment) {
  const ResultHead& head = state.head;
  if (!is_terminal(head.status)) {
    return moves::refuse(
        problem(ProblemKind::conflict,
                "only a finished result can be reviewed; this one is " + std::string(word_of(head.status))));
  }
  if (head.rescored != command.rescored || head.status != command.status) {
    return moves::refuse(
        problem(ProblemKind::conflict, "the result was changed while it was reviewed; review it again"));
  }
  ResultDecision decision;
  if (!stored || stored->review != command.review) {
    keep_review(state, command, decision);
    decision.saves_head = true;
    moves::touch(state, moment.now);
  }
  decision.reply = moves::view(state);
  return decision;
}

ResultDecision on(ResultState& state, const SaveClaims& command, const std::optional<StoredClaims>& stored,
                  const DecisionContext& moment) {
  ResultHead& head = state.head;
  if (!is_terminal(head.status)) {
    return moves::refuse(problem(
        ProblemKind::conflict,
        "claims are kept only for a finished result; this one is " + std::string(word_of(head.status))));
  }
  ResultDecision decision;
  const bool is_news = command.claims != (stored ? stored->claims : json::Text{"[]"});
  if (!stored || is_news || stored->detection != command.detection) {
    decision.claims = StoredClaims{command.claims, command.detection};
    head.has_claims = true;
    decision.saves_head = true;
    if (is_news) moves::touch(state, moment.now);
  }
  decision.reply = moves::view(state);
  return decision;
}

}  // namespace parley::actors
