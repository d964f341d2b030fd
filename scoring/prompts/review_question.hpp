#pragma once
/// The question to a judge model if no rule finds a trial void: whether the tester, the test or the
/// infrastructure caused the failure instead of the agent (D24). An answer that blames anything but the agent
/// must contain quotes; an answer with another shape is void. Pure; any thread.

#include <variant>

#include "scoring/prompts/criteria_question.hpp"
#include "scoring/review.hpp"

namespace parley::scoring {

/// `fence`: random, 16 characters or more, new for each call. Fault: too_long.
[[nodiscard]] std::variant<ChatRequest, CallFault> review_question(const ReviewedResult& result,
                                                                   std::string_view fence);

/// Faults: as for a judgment (criteria_question.hpp).
[[nodiscard]] std::variant<ResultReview, CallFault> read_review(const ReviewedResult& result,
                                                                const ChatAnswer& answer);

}  // namespace parley::scoring
