#pragma once
/// The values of `json` and `json-schema`: the values at `pointer` in the metadata of the entries that `entries`
/// and `name` select. `which` defines how single answers combine into one verdict. Pure functions; any thread.

#include <array>
#include <functional>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// The keys in the order of docs and messages: pointer, entries, name, which.
inline constexpr ConfigKey json_pointer_key{
    "pointer", true, ConfigType::text, "RFC 6901 pointer into an entry's metadata, such as /order/total."};
inline constexpr std::array<std::string_view, 5> json_entries_words{"messages", "tools", "events", "actions",
                                                                    "all"};
inline constexpr ConfigKey json_entries_key =
    word_key("entries", json_entries_words,
             "Which entries are looked at: messages, tools, events, actions or all (default).");
inline constexpr ConfigKey json_name_key{"name", false, ConfigType::text,
                                         "Only tools, events or actions of this name."};
inline constexpr ConfigKey json_which_key{
    "which", false, ConfigType::text,
    "Which of the values: any (default), all, first, last, or turn:N (any of that exchange)."};

void check_json_source(const json::Value& config, const std::string& pointer, Findings& findings);

/// "some entry has /order/total"
[[nodiscard]] std::string json_source_phrase(const json::Value& config);

/// Decides on the values: calls `holds` for each; `what` continues the phrase.
[[nodiscard]] Verdict decide_json(const json::Value& config, Conversation& conversation,
                                  const std::string& what,
                                  const std::function<bool(const json::Value&)>& holds);

/// The selected entries, whether or not they have a value at the pointer.
[[nodiscard]] std::vector<const Entry*> json_entries(const json::Value& config,
                                                     const Conversation& conversation);

}  // namespace parley::scoring
