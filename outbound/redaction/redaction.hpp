#pragma once
/// Takes secrets out of what others answered before it is kept or shown (D23, I67): an endpoint may repeat what it was sent.
/// Here are texts; what is recorded of an answer, JSON included, is in reply_mask.hpp. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outbound/agents/agent_turn.hpp"

namespace parley::outbound {

/// Of secrets, each of six bytes or more: as it is sent, without the word in front of it ("Bearer ..."), without quotes around
/// it. In no order, one may stand twice.
using Parts = std::vector<std::string>;
[[nodiscard]] Parts parts_as_sent(const Secrets& secrets);

/// What must not be told of them: each part, and each as whoever reads it for JSON would, without backslashes.
using Untold = std::vector<std::string>;
[[nodiscard]] Untold untold(const Parts& as_sent);

/// The text with "***" for each place where one of these stands; nullopt where none does. One is also found as JSON spells it,
/// with escapes, and in JSON that is a string of other JSON: whoever reads the text once more must not find it. Backslashes
/// in front of it go with it, so that no half of an escape is left. Takes time in proportion to the text and to each secret,
/// whatever they repeat.
[[nodiscard]] std::optional<std::string> redacted(std::string_view text, const Untold& parts);

/// The text without any of the secrets: for the words of faults, which nobody judges.
/// Not for JSON that has to be read again: a quote or a digit may be part of a secret.
[[nodiscard]] std::string without_secrets(std::string_view text, const Secrets& secrets);

}  // namespace parley::outbound
