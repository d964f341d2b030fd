#pragma once
/// Takes secrets out of what others answered before it is kept or shown (D23, I67): an endpoint may repeat what it was sent.
/// Pure; any thread.

#include <string>
#include <string_view>

#include "outbound/agent_turn.hpp"

namespace parley::outbound {

/// The text with "***" for each secret of six bytes or more, and for what stands behind a secret's first word ("Bearer
/// ..."). A secret is also found as JSON spells it, with escapes, and in JSON that is a string of other JSON: whoever
/// reads the text once more must not find it. The rest of a JSON text stays as valid as it was.
[[nodiscard]] std::string without_secrets(std::string_view text, const Secrets& secrets);

}  // namespace parley::outbound
