#pragma once
/// The question that a judge model must decide: one criteria assertion for one conversation (D30, D33, D51a). The
/// question shows the transcript as one JSON document inside a fence that cannot be guessed. The answer must contain
/// one JSON object with a strict shape (D105), and every quote must appear verbatim in the cited entry. Any other
/// answer is void: the question is repeated once and then ends in error, never in a verdict. Pure; any thread.

#include <string_view>
#include <variant>

#include "model/values/chat.hpp"
#include "model/values/model_use.hpp"
#include "scoring/support/conversation.hpp"
#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Whether the result of judge() waits for a model: a criteria assertion without faults.
[[nodiscard]] bool needs_model(const AssertionResult& result);

struct CriteriaQuestion {
  ChatRequest request;
  bool shows_cut_texts = false;  ///< the judge sees only parts of some entries
};
/// The question, or the reason why it cannot be asked (`too_long`). `fence`: random, 16 characters or more, new
/// for each call.
[[nodiscard]] std::variant<CriteriaQuestion, CallFault> criteria_question(const Subject& subject,
                                                                          const Assertion& assertion,
                                                                          std::string_view fence);

/// A valid judgment.
struct Judgement {
  bool passed = false;
  std::string reason;
  std::vector<Id> evidence;
  std::vector<Quote> quotes = {};
  bool operator==(const Judgement&) const = default;
};
/// Faults: refusal, cut_off, empty_answer, wrong_shape, unknown_entry, quote_not_found, no_evidence.
using Judged = std::variant<Judgement, CallFault>;

/// Needs: the answer to the criteria_question of the same subject.
[[nodiscard]] Judged read_judgement(const Subject& subject, const ChatAnswer& answer);

/// The first 300 characters of the model's text in displayable form; empty if the model wrote nothing.
[[nodiscard]] std::string beginning_of(const ChatAnswer& answer);

/// {model, inputTokens, outputTokens, cost} (D32).
[[nodiscard]] json::Text shown_use(const ModelUse& use);

/// The result: passed, failed, or error with the fault's reason; `use` becomes its `judge`. The reason also reports
/// if the judge saw shortened texts, because it may have missed something there. That does not change the verdict.
[[nodiscard]] AssertionResult judged_result(const Assertion& assertion, const Judged& judged,
                                            const ModelUse& use, bool saw_cut_texts = false);

}  // namespace parley::scoring
