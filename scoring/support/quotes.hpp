#pragma once
/// The words of a conversation on which a verdict is based, so that the UI can mark them. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Quotes a span of `text`, which is at position `at` of the entry. Truncates it to limits::quote_bytes_max and
/// adds the number of its occurrence.
[[nodiscard]] Quote quote_of(const Id& entry, std::string_view at, std::string_view text, const Span& span);

/// Adds to the verdict the spans that its type found in the evidence. Old verdicts and types without spans have
/// no quotes.
void add_quotes(Verdict& verdict, const Kind& kind, const json::Value& config, Conversation& conversation);

/// The position of a model's words in the entry, either exact or with other white space. nullopt if only an
/// escaped form of the text contains them.
[[nodiscard]] std::optional<Quote> find_quote(const Entry& entry, std::string_view words);

}  // namespace parley::scoring
