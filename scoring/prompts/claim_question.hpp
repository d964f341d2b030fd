#pragma once
/// Claims in prose, which code cannot read. A judge model lists what the chatbot stated as facts, and quotes
/// the earlier source of each statement (D24). Each quote must appear in the cited entry, and a source must
/// precede its claim; anything else is void. Pure; any thread.

#include <span>
#include <variant>
#include <vector>

#include "model/values/chat.hpp"
#include "scoring/grounding/claims.hpp"

namespace parley::scoring {

/// The maximum number of accepted claims from one answer.
inline constexpr std::size_t prose_claims_max = 100;

/// `knowledge`: other knowledge of the agent. `fence`: random, 16 characters or more, new for each call. Fault:
/// too_long.
[[nodiscard]] std::variant<ChatRequest, CallFault> claims_question(
    const Subject& subject, std::span<const std::string_view> knowledge, std::string_view fence);

/// Faults: as for a judgment (criteria_question.hpp), and late_source.
[[nodiscard]] std::variant<std::vector<ExtractedClaim>, CallFault> read_claims(
    const Subject& subject, std::span<const std::string_view> knowledge, const ChatAnswer& answer);

}  // namespace parley::scoring
