#pragma once
/// The conversation as a judge model sees it, and a check whether it contains a quote. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// The maximum size. In a longer transcript a model overlooks what matters, and a call costs more than a
/// verdict is worth.
inline constexpr std::size_t transcript_bytes_max = 1024 * 1024;

struct Transcript {
  std::string json;
  bool is_cut = false;  ///< some entries are only partly shown
};

/// {"endReason": ..., "entries": [{"id": "e1", "role", "type", "turn", "history"?, "name"?, "content"?,
/// "metadata"?}]} with invisible characters escaped and texts beyond 32 KiB truncated with a note. If the whole
/// does not fit, shorter texts are also truncated, as few as possible. nullopt if it does not fit even with 512
/// bytes of each. Includes internal events, which exist for scoring.
[[nodiscard]] std::optional<Transcript> transcript_json(const Subject& subject);

/// The entry with the transcript's name e1, e2 ...; null for any other text.
[[nodiscard]] const Entry* entry_named(const Subject& subject, std::string_view name);

/// The part of an entry that must contain a quote.
enum class QuotePlace {
  anywhere,  ///< the entry's content, name or metadata
  content,
  /// A place that may inform the chatbot: anywhere, except a tool's name and `metadata.arguments`, because
  /// these are the chatbot's own words.
  statement,
};

/// Whether the quote, which is not empty, appears verbatim in the part: as recorded, or as the transcript shows it.
[[nodiscard]] bool is_quoted_from(const Entry& entry, std::string_view quote,
                                  QuotePlace place = QuotePlace::anywhere);

}  // namespace parley::scoring
