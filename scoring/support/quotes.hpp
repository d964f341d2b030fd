#pragma once
/// The words of a conversation on which a verdict is based, so that people can see them marked. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Names a part of `text`, which is at `at` of the entry: cut at limits::quote_bytes_max, with the number of its occurrence.
[[nodiscard]] Quote quote_of(const Id& entry, std::string_view at, std::string_view text, const Span& span);

/// Adds to the verdict the places that its type searched for in its evidence. Old verdicts and types without spans have
/// no quotes.
void add_quotes(Verdict& verdict, const Kind& kind, const json::Value& config, Conversation& conversation);

/// Where a model's words are in the entry: exactly, or with other white space. nullopt if only an escaped form of the text
/// contains them.
[[nodiscard]] std::optional<Quote> find_quote(const Entry& entry, std::string_view words);

}  // namespace parley::scoring
