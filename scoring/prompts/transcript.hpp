#pragma once
/// A conversation as a judge model sees it, and whether it contains a quote. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// All of it; beyond, a model loses what matters, and a call costs more than a verdict is worth.
inline constexpr std::size_t transcript_bytes_max = 1024 * 1024;

struct Transcript {
  std::string json;
  bool is_cut = false;  ///< not all of every entry is shown
};

/// {"endReason": ..., "entries": [{"id": "e1", "role", "type", "turn", "history"?, "name"?, "content"?, "metadata"?}]} with invisible
/// characters escaped and texts beyond 32 KiB cut with a note; shorter ones too where the whole would not fit, and then no
/// more of them than has to be. nullopt when it does not fit even with 512 bytes of each. Internal events are in it: they
/// are for scoring.
[[nodiscard]] std::optional<Transcript> transcript_json(const Subject& subject);

/// The entry that the transcript calls e1, e2 ...; null for any other text.
[[nodiscard]] const Entry* entry_named(const Subject& subject, std::string_view name);

/// The part of an entry that must contain a quote.
enum class QuotePlace {
  anywhere,  ///< its content, name or metadata
  content,
  /// Where it may state something to the chatbot: anywhere, but of a tool neither in its name nor in `metadata.arguments`,
  /// for these are the chatbot's own words (Interface 8, Claims).
  statement,
};

/// True if the quote, which is not empty, appears verbatim in the part: as recorded, or as the transcript
/// shows it.
[[nodiscard]] bool is_quoted_from(const Entry& entry, std::string_view quote,
                                  QuotePlace place = QuotePlace::anywhere);

}  // namespace parley::scoring
