#pragma once
/// Guesses the place of the message in an unknown answer, for people who set up an agent (D100). A proposal is
/// shown and never used automatically. Pure; any thread.

#include <optional>
#include <string>

#include "model/json/json.hpp"

namespace parley::outbound {

/// The pointer to the text that is most likely the agent's message; nullopt if no text qualifies. Members with
/// usual names (answer, text, output ...) and sentences score higher; ids, dates and URLs score nothing. The
/// pointer has `*` for the items of a list at the root.
[[nodiscard]] std::optional<std::string> likely_pointer(const json::Value& root);

}  // namespace parley::outbound
