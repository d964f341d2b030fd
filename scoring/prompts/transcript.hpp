#pragma once
/// A conversation as a judge model sees it, and whether it contains a quote. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// The size of all of it; beyond, a model overlooks what matters, and a call costs more than a verdict is worth.
inline constexpr std::size_t transcript_bytes_max = 1024 * 1024;

struct Transcript {
  std::string json;
  bool is_cut = false;  ///< some entries are shown in part
};

/// {"endReason": ..., "entries": [{"id": "e1", "role", "type", "turn", "history"?, "name"?, "content"?, "metadata"?}]} with invisible
/// characters escaped and texts beyond 32 KiB cut with a note. If the whole does not fit, shorter texts are cut too, as few
/// as possible. nullopt if it does not fit even with 512 bytes of each. Internal events are included: they
/// are for scoring.
[[nodiscard]] std::optional<Transcript> transcript_json(const Subject& subject);

/// The entry that the transcript calls e1, e2 ...; null for any other text.
[[nodiscard]] const Entry* entry_named(const Subject& subject, std::string_view name);

/// The part of an entry that must contain a quote.
enum class QuotePlace {
  anywhere,  ///< its content, name or metadata
  content,
  /// Where it may inform the chatbot: anywhere, but for a tool neither its name nor `metadata.arguments`,
  /// because these are the chatbot's own words.
  statement,
};

/// True if the quote, which is not empty, appears verbatim in the part: as recorded, or as the transcript
/// shows it.
[[nodiscard]] bool is_quoted_from(const Entry& entry, std::string_view quote,
                                  QuotePlace place = QuotePlace::anywhere);

}  // namespace parley::scoring
