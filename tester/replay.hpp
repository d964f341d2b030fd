#pragma once
/// Turns a conversation that took place elsewhere into a script: the user's turns become the tester's turns
/// (sourceConversationLog). Pure; any thread.

#include <span>
#include <string>

#include "model/expected.hpp"
#include "model/records/entry.hpp"

namespace parley::tester {

/// Problem: conflict for a conversation without a user turn, or with more turns than a script can hold.
[[nodiscard]] Expected<std::string> replay_script(std::span<const Entry> conversation);

}  // namespace parley::tester
