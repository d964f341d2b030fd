#pragma once
/// Claims in prose, which code cannot read: a judge model lists what the chatbot stated as facts and quotes
/// who stated it before (D24). Each quote must appear in the cited entry, and a source before its claim;
/// anything else is void. Pure; any thread.

#include <span>
#include <variant>
#include <vector>

#include "model/values/chat.hpp"
#include "scoring/grounding/claims.hpp"

namespace parley::scoring {

/// Claims that are accepted from one answer.
inline constexpr std::size_t prose_claims_max = 100;

/// `knowledge`: the agent's other knowledge. `fence`: random, 16 characters or more, new for each call. Fault:
/// too_long.
[[nodiscard]] std::variant<ChatRequest, CallFault> claims_question(
    const Subject& subject, std::span<const std::string_view> knowledge, std::string_view fence);

/// Faults: as of a judgement (criteria_question.hpp), and late_source.
[[nodiscard]] std::variant<std::vector<ExtractedClaim>, CallFault> read_claims(
    const Subject& subject, std::span<const std::string_view> knowledge, const ChatAnswer& answer);

}  // namespace parley::scoring
