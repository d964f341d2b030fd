#pragma once
/// What everybody does first with the answer of a tester's or judge's model: take what was said, or know whether the same
/// question is worth asking again. What is kept of it repeats no key (I67). Any thread.

#include <variant>

#include "model/values/chat.hpp"
#include "outbound/agents/openai.hpp"

namespace parley::actors {

/// A question is asked so often at the most while its answers are void (D51a).
inline constexpr int void_answers_max = 2;

/// Why an answer counts for nothing.
struct VoidAnswer {
  CallFault fault;
  bool again = false;  ///< another answer to the same question may be of use
};

/// What the model said. A call that failed, and a status that is no success, are not asked for again: the client has
/// repeated them as often as it makes sense. But for an endpoint that refuses the schema of the answer: it is noted with
/// the endpoint, and the next question comes without.
[[nodiscard]] std::variant<ChatAnswer, VoidAnswer> chat_of(const outbound::HttpOutcome& outcome,
                                                           const outbound::ChatEndpoint& endpoint);

}  // namespace parley::actors
