#pragma once
/// Decides whether a result was a valid trial of the agent (D24). Rules that need no model attribute a fault to
/// the agent, the tester, the judge, the infrastructure, the client or the test. Only the agent's own faults
/// count against the agent. Pure functions; any thread.
///
/// Rules; the first one that applies decides:
///
///   canceled                                          not valid, without a fault
///   failed                                            the source of metadata.error, else by the endReason
///   nothing was recorded                              client
///   the instruction or an assertion holds a {{key}}   test
///   an assertion's config is at fault                 test     (unless the verdict is decided without it)
///   no verdict because there is no judge              judge
///   no verdict because a value is missing             test
///   everything passed                                 valid
///   the tester said nothing                           tester
///   the tester said the same three times in a row     tester, or the test if it was its script
///   a model tester named an id or address             tester
///   that is neither in its instruction nor in any
///   entry before
///   anything else                                     valid, the agent's fault

#include <optional>
#include <span>

#include "model/records/test_result.hpp"
#include "model/values/end_reason.hpp"
#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// All data about a result. Holds views; the records must outlive them.
struct ReviewedResult {
  const ResultHead& head;
  const TestCase& asked;
  std::span<const Entry> entries;
  std::span<const AssertionResult> verdict;
};

/// What made the review.
enum class ReviewedBy : std::uint8_t { rules, model };

}  // namespace parley::scoring

template <>
struct parley::Words<parley::scoring::ReviewedBy> {
  static constexpr std::array<std::string_view, 2> all{"rules", "model"};
};

namespace parley::scoring {

/// The record of D24.
struct ResultReview {
  bool valid = true;  ///< the result counts as a trial of the agent
  std::optional<FaultSource> fault_source = {};
  std::string reason;
  std::vector<Id> evidence = {};
  ReviewedBy by = ReviewedBy::rules;
  std::optional<json::Text> judge = {};  ///< the model's usage, if a model was asked
  bool operator==(const ResultReview&) const = default;
};

/// Reviews the result by the rules alone. Needs: a terminal result.
[[nodiscard]] ResultReview review(const ReviewedResult& result);
/// Whether a model may still find a fault: no rule found one, and the agent failed.
[[nodiscard]] bool is_open_to_model(const ReviewedResult& result, const ResultReview& review);
/// The source of the fault that leaves the verdict undecided; nullopt if the verdict decides.
[[nodiscard]] std::optional<FaultSource> undecided_fault(std::span<const AssertionResult> verdict,
                                                         bool is_decided);

/// The review as JSON for API responses (D24): {valid, faultSource, reason, evidence, by, judge}.
[[nodiscard]] json::Text shown_review(const ResultReview& review);

/// The assertion results of a stored verdict. Needs: text that shown_results made.
[[nodiscard]] std::vector<AssertionResult> results_of(const ResultVerdict& verdict);

}  // namespace parley::scoring
