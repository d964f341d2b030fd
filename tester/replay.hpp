#pragma once
/// A conversation that was held elsewhere, as a script: what its user said and did becomes what the tester
/// says and invokes, turn by turn (sourceConversationLog). Pure; any thread.

#include <span>
#include <string>

#include "model/expected.hpp"
#include "model/records/entry.hpp"

namespace parley::tester {

/// Problem: conflict for a conversation without a turn of its user, or with more than a script can hold.
[[nodiscard]] Expected<std::string> replay_script(std::span<const Entry> conversation);

}  // namespace parley::tester
