#pragma once
/// Guesses where the message of an unknown answer is, for people who set up an agent (D100). A proposal is shown and never
/// used by itself. Pure; any thread.

#include <optional>
#include <string>

#include "model/json/json.hpp"

namespace parley::outbound {

/// The pointer of the text that is most likely what the agent said; nullopt without any. Members with usual names
/// (answer, text, output ...) and sentences count for more; ids, dates and URLs for nothing. The items of a list at the
/// root are `*`.
[[nodiscard]] std::optional<std::string> likely_pointer(const json::Value& root);

}  // namespace parley::outbound
