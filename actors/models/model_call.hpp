#pragma once
/// What every question to a tester's or judge's model has in common: the delimiter around its transcript, and
/// the first step of reading the answer, which extracts the text or decides whether to repeat the question.
/// Stored answers contain no key (I67). Any thread.

#include <string>
#include <variant>

#include "model/values/chat.hpp"
#include "outbound/agents/openai.hpp"

namespace parley::actors {

/// 128 random bits, which the author of a transcript cannot know.
[[nodiscard]] std::string new_fence();

/// The most times that one question is asked while its answers are void (D51a).
inline constexpr int void_answers_max = 2;

/// Why an answer is void.
struct VoidAnswer {
  CallFault fault;
  bool again = false;  ///< another answer to the same question may be valid
};

/// The model's text. A failed call or an unsuccessful status is not repeated here, because the client has
/// already repeated it as often as makes sense. Exception: an endpoint that refuses the schema of the answer.
/// The refusal is noted with the endpoint, and the next question is sent without the schema.
[[nodiscard]] std::variant<ChatAnswer, VoidAnswer> chat_of(const outbound::HttpOutcome& outcome,
                                                           const outbound::ChatEndpoint& endpoint);

}  // namespace parley::actors
